"""stdin, stdout and stderr that are closed, full, or can't be read."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.program import LIMIT_SECONDS, Program
from tests.cli.talks import ALLOW_SCRIPTED, talks

FULL = Path("/dev/full")
COMMANDS: list[tuple[str, ...]] = [
    ("run",), ("check",), ("activity",), ("notes", "list"), ("config", "schema"), ("--help",),
    ("--version",),
]  # fmt: skip


@pytest.fixture
def talking(program: Program) -> Program:
    program.write("talk.json", talks("Hello."))
    return Program(folder=program.folder, environ=ALLOW_SCRIPTED)


def shell(
    program: Program, redirections: str, words: Sequence[str]
) -> subprocess.CompletedProcess[str]:
    command = f'exec "$@" {redirections}'
    return subprocess.run(
        ["sh", "-c", command, "sh", sys.executable, "-m", "brain", *words,
         *(() if words[0].startswith("-") else ("--config", "talk.json"))],
        cwd=program.folder, env=program.environment(), input="hello\n/notes add likes tea\n",
        capture_output=True, timeout=LIMIT_SECONDS, check=False, text=True,
    )  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_was_closed_is_no_obstacle(
    talking: Program, closed: str, words: tuple[str, ...]
) -> None:
    done = shell(talking, closed, words)

    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_no_word_is_written_into_the_database_in_place_of_a_closed_stream(talking: Program) -> None:
    shell(talking, ">&- 2>&-", ("run",))

    kept = talking.run("notes", "list", "--config", "talk.json")
    verified = talking.run("activity", "--verify", "--config", "talk.json")

    assert (kept.returncode, kept.stdout) == (0, "1. likes tea\n")
    assert verified.returncode == 0


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [*COMMANDS, ("activity", "--json")], ids=" ".join)
def test_output_that_can_not_be_written_is_told_and_ends_with_1(
    talking: Program, words: tuple[str, ...]
) -> None:
    shell(talking, "", ("run",))

    done = shell(talking, f"> {FULL}", words)

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "error: the output could not be written: No space left on device"
    )
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_talk_that_can_not_be_written_keeps_no_answer_back(talking: Program) -> None:
    done = shell(talking, f"2> {FULL}", ("run",))

    assert (done.returncode, done.stdout) == (0, "Hello.\nSaved note 1.\n")


def test_input_that_can_not_be_read_is_told(talking: Program) -> None:
    done = shell(talking, f"0> {os.devnull}", ("run",))

    assert (done.returncode, done.stdout) == (2, "")
    assert "error: the input can't be read: Bad file descriptor" in done.stderr
    assert "Traceback" not in done.stderr
