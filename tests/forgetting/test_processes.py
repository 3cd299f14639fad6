"""Forgetting among processes: one that is killed on the way, one that reads, two that clean."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from brain.store import hold_forgetting
from tests.cli.program import ROOT, Program
from tests.cli.talks import ALLOW_SCRIPTED, talks
from tests.cli.terminals import Reader, told
from tests.forgetting.bytes_left import bytes_left

CANARY = "the spare key lies under the third flowerpot"
WORDS = ("conversation", "main", "--yes", "--config", "brain.json")
POINTS = (
    ("rows gone", "a talk"),
    ("history stripped", "resume"),
    ("database written anew", "a talk"),
    ("log emptied", "resume"),
    ("searched", "a talk"),
)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A brain that was told the canary, in the talk and at the prompt."""
    brain = Program(folder=tmp_path, environ=ALLOW_SCRIPTED)
    brain.write("brain.json", talks("Fine."))
    assert tell(brain, f"Remember that {CANARY}.").returncode == 0
    history = tmp_path / "state" / "prompt-history"
    history.write_text(f"\n# then\n+Remember that {CANARY}.\n\n# later\n+hello\n", encoding="utf-8")
    return brain


def tell(program: Program, text: str) -> subprocess.CompletedProcess[str]:
    return program.run("run", "--config", "brain.json", typed=f"{text}\n" if text else "")


def state(program: Program) -> Path:
    return program.folder / "state"


@contextmanager
def reader_on(program: Program) -> Iterator[subprocess.Popen[bytes]]:
    """Keep another process reading the database."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.forgetting.reading", str(state(program) / "brain.db")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as reading:
        assert reading.stdout is not None
        Reader(reading.stdout.fileno()).until(b"reads")
        try:
            yield reading
        finally:
            reading.kill()


@pytest.mark.proves("P11")
@pytest.mark.parametrize(("point", "restart"), POINTS)
def test_a_job_that_was_killed_is_finished_by_the_next_process(
    program: Program, point: str, restart: str
) -> None:
    killed = subprocess.run(
        [sys.executable, "-m", "tests.forgetting.dying", point, "forget", *WORDS],
        cwd=program.folder,
        env=program.environment(),
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    waiting = program.run("forget", "receipt", "--config", "brain.json")
    listed = program.run("forget", *WORDS[:2], "--dry-run", "--config", "brain.json")
    assert (waiting.returncode, "not cleaned yet" in waiting.stdout) == (1, True)
    assert "there is no such conversation" in listed.stderr, "the rows went at once"
    assert (state(program) / "forgetting.key").exists()

    if restart == "a talk":
        assert tell(program, "").returncode == 0
    else:
        assert program.run("forget", "resume", "--config", "brain.json").returncode == 0
    receipt = program.run("forget", "receipt", "--config", "brain.json")

    assert receipt.returncode == 0, receipt.stdout
    assert "no copy is left" in receipt.stdout
    assert bytes_left(CANARY, state(program)) == []
    assert "+hello" in (state(program) / "prompt-history").read_text(encoding="utf-8")
    assert not (state(program) / "forgetting.key").exists()
    verified = program.run("activity", "--verify", "--config", "brain.json")
    assert verified.returncode == 0, verified.stdout
    listed = program.run("activity", "--type", "forgotten", "--json", "--config", "brain.json")
    assert listed.stdout.count('"type": "forgotten"') == 1


@pytest.mark.proves("P11")
def test_a_reader_that_keeps_the_log_is_waited_for_and_nothing_is_left_when_it_lets_go(
    program: Program,
) -> None:
    with reader_on(program) as reading:
        assert reading.stdin is not None
        with subprocess.Popen(
            [sys.executable, "-m", "brain", "forget", *WORDS],
            cwd=program.folder,
            env=program.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as forgetting:
            talk = told(forgetting)
            talk.until(b"a reader keeps the write-ahead log")
            assert bytes_left(CANARY, state(program)) != [], "the reader sees the rows as they were"
            said = tell(program, "hello")
            reading.stdin.close()
            out, _ = forgetting.communicate(timeout=30)

    assert said.stdout == "Fine.\n", "talks go on meanwhile"
    assert (forgetting.returncode, b"no copy is left" in out) == (0, True)
    assert bytes_left(CANARY, state(program)) == []


@pytest.mark.proves("P11")
def test_a_command_that_finds_another_cleaning_waits_and_tells_what_came_of_its_own(
    program: Program,
) -> None:
    with hold_forgetting(state(program)) as is_ours:
        assert is_ours
        forgetting = subprocess.Popen(
            [sys.executable, "-m", "brain", "forget", *WORDS],
            cwd=program.folder,
            env=program.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        told(forgetting).until(b"another brain process cleans the files; it is waited for")
    out, _ = forgetting.communicate(timeout=60)

    assert (forgetting.returncode, b"no copy is left" in out) == (0, True)
    assert bytes_left(CANARY, state(program)) == []
    assert not (state(program) / "forgetting.key").exists()


@pytest.mark.proves("P11")
def test_two_commands_at_once_both_come_to_their_end(program: Program) -> None:
    lines = (WORDS, ("everything", "--yes", "--config", "brain.json"))
    both = [
        subprocess.Popen(
            [sys.executable, "-m", "brain", "forget", *words],
            cwd=program.folder,
            env=program.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for words in lines
    ]
    outs = [each.communicate(timeout=60) for each in both]

    assert all(b"Traceback" not in error for _, error in outs)
    assert b"no copy is left" in b"".join(out for out, _ in outs)
    assert all(b"not cleaned yet" not in out for out, _ in outs)
    assert bytes_left(CANARY, state(program)) == []
    assert not (state(program) / "forgetting.key").exists()
