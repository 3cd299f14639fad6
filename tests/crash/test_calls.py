"""A process killed at every point of a call: no change without its event, none the other way."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from brain.activity import Recorder, verify
from brain.tools import record_interrupted
from tests.clocks import FakeClock
from tests.tools.kit import call, open_desk

ROOT = Path(__file__).parents[2]
NOTE = ["note_stored", "tool_used"]
BEGUN = [*NOTE, "tool_decided"]


@pytest.mark.proves("P4", "P9")
@pytest.mark.parametrize(
    ("point", "notes", "events", "interrupted"),
    [
        ("note_stored:memory_note", [], [], 0),
        ("tool_used:memory_note", [], [], 0),
        ("tool_decided:fetch", ["likes tea"], NOTE, 0),
        ("outside", ["likes tea"], BEGUN, 1),
        ("tool_used:fetch", ["likes tea"], BEGUN, 1),
        ("end", ["likes tea"], [*BEGUN, "tool_used"], 0),
    ],
)
async def test_a_killed_process_leaves_whole_changes_and_an_interrupted_call_is_told_once(
    tmp_path: Path,
    clock: FakeClock,
    point: str,
    notes: list[str],
    events: list[str],
    interrupted: int,
) -> None:
    dying = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.crash.dying_calls", str(tmp_path), point, cwd=ROOT
    )
    assert await dying.wait() == -signal.SIGKILL
    recorder = Recorder(run_id="next", revision="now")
    async with open_desk(tmp_path, clock, recorder=recorder) as desk:
        assert await desk.notes() == notes
        assert [one["type"] for one in await desk.events()] == events
        dead = await desk.store.read(lambda rows: rows.dead_runs())
        assert dead == ("dead",)
        assert await record_interrupted(desk.store, recorder, dead) == interrupted
        assert await record_interrupted(desk.store, recorder, dead) == 0
        [observation] = await desk.begin()[0].run([call("memory_note", note="has a cat")])
        assert observation.outcome == "ok"
        assert await desk.notes() == [*notes, "has a cat"]
        verified = await verify(desk.store)
        assert verified.is_whole
