"""`brain activity --follow`, in a process of its own, beside others that write."""

import json
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from brain.activity import FIELDS, Draft, prune_events
from brain.activity.recorder import Recorder
from brain.config import Storage
from brain.store import open_store
from tests.cli.program import SMALL, Program
from tests.cli.test_activity import KEEPS, record
from tests.clocks import FakeClock

WAIT_SECONDS = 30
DRAFT = Draft(type="message_received", brain="assistant", channel="console")
REMEMBERS = {
    **KEEPS,
    "brains": [
        {
            **SMALL["brains"][0],
            "agent": {
                "tools": ["memory_note"],
                "governance": [{"tool": "memory_note", "mode": "allow"}],
                "memory": {"scope": "brain"},
            },
        }
    ],
}


@contextmanager
def following(program: Program, *words: str) -> Iterator["Follower"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "brain", "activity", "--follow", "--config", "keeps.json", *words],
        cwd=program.folder,
        env=program.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # so that what was read ahead is not waited for
    )
    try:
        yield Follower(process)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


class Follower:
    """The lines of a process, waited for."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def lines(self, count: int, *, of_stderr: bool = False) -> list[str]:
        stream = self.process.stderr if of_stderr else self.process.stdout
        assert stream is not None
        found = []
        for _ in range(count):
            ready, _, _ = select.select([stream], [], [], WAIT_SECONDS)
            assert ready, found
            found.append(stream.readline().decode())
        return found

    def end(self) -> tuple[int, str]:
        """Return the exit code and what is left of stderr."""
        code = self.process.wait(WAIT_SECONDS)
        assert self.process.stderr is not None
        return code, self.process.stderr.read().decode()


@pytest.fixture
def store(program: Program) -> Path:
    program.write("keeps.json", REMEMBERS)
    return program.folder / "store" / "brain.db"


async def test_events_of_other_processes_show_within_a_second_each_on_a_line_of_json(
    program: Program, store: Path
) -> None:
    await record(store, DRAFT, DRAFT, DRAFT)

    with following(program, "--json", "--limit", "2") as follower:
        shown = follower.lines(2)
        began = time.monotonic()
        program.run("notes", "add", "likes rain", "--config", "keeps.json")
        written = time.monotonic()
        shown += follower.lines(2)
        seen = time.monotonic()
        follower.process.send_signal(signal.SIGINT)
        code, talk = follower.end()

    events = [json.loads(each) for each in shown]
    assert [event["seq"] for event in events] == [2, 3, 4, 5]
    assert [list(event) for event in events] == [list(FIELDS)] * 4
    assert {event["type"] for event in events[2:]} == {"tool_used", "note_stored"}
    assert seen - written < 1 + (written - began)  # a machine under load is slow for both
    assert (code, talk) == (130, "config: keeps.json\n\ninterrupted\n")


async def test_events_are_followed_in_words_and_only_those_that_were_asked_for(
    program: Program, store: Path
) -> None:
    await record(store, DRAFT, Draft(type="tool_denied", tool="calc", mode="deny", rule="deny"))

    with following(program, "--type", "tool_denied", "--tool", "calc") as follower:
        first = follower.lines(1)
        await record(
            store,
            DRAFT,
            Draft(type="tool_denied", tool="echo", mode="deny", rule="deny"),
            Draft(type="tool_denied", tool="calc", mode="deny", rule="channel"),
        )
        second = follower.lines(1)

    assert "because a grant denies it" in first[0]
    assert second[0].split()[0] == "5"
    assert "A call was refused" in second[0]
    assert "because its grants are for other channels" in second[0]


async def test_when_whoever_read_has_left_it_ends_without_a_word(
    program: Program, store: Path
) -> None:
    await record(store, DRAFT)

    with following(program) as follower:
        follower.lines(1)
        assert follower.process.stdout is not None
        follower.process.stdout.close()
        follower.process.stdout = None
        code, talk = follower.end()

    assert (code, talk) == (1, "config: keeps.json\n")


async def test_a_record_that_is_not_made_yet_is_waited_for(program: Program, store: Path) -> None:
    with following(program, "--json") as follower:
        told = follower.lines(2, of_stderr=True)
        assert list(program.folder.iterdir()) == [program.folder / "keeps.json"]
        await record(store, DRAFT)
        first = follower.lines(1)

    assert "waiting for the first run" in told[1]
    assert json.loads(first[0])["seq"] == 1


async def test_a_hole_that_a_prune_made_is_told_where_it_is_met(
    program: Program, store: Path
) -> None:
    await record(store, DRAFT)

    with following(program, "--json") as follower:
        follower.lines(1)
        follower.process.send_signal(signal.SIGSTOP)
        clock, recorder = FakeClock(), Recorder(run_id="run", revision="0" * 64)
        async with open_store(Storage(path=store), clock=clock) as opened:
            await opened.write(lambda tx: recorder.append(tx, DRAFT))
            clock.advance(40 * 86_400)
            await opened.write(lambda tx: recorder.append(tx, DRAFT))
            await prune_events(opened, recorder, keep_days=30, now=clock.now())
        follower.process.send_signal(signal.SIGCONT)
        lines = [json.loads(each) for each in follower.lines(3)]

    assert lines[0] == {"resync": {"after": 1, "first": 3}}
    assert [each["seq"] for each in lines[1:]] == [3, 4]


async def test_a_store_that_is_taken_away_ends_it_in_words(program: Program, store: Path) -> None:
    await record(store, DRAFT)

    with following(program) as follower:
        follower.lines(1)
        take_away(store)
        code, talk = follower.end()

    assert code == 1
    assert f"error: The database {str(store)!r}" in talk
    assert "Traceback" not in talk


def take_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def test_to_verify_is_not_to_follow(program: Program, store: Path) -> None:
    done = program.run("activity", "--verify", "--follow", "--config", "keeps.json")

    assert (done.returncode, done.stdout) == (2, "")
    assert "--verify looks at the whole record" in done.stderr
    assert not store.exists()
