"""A process killed while it puts a config: no record of a change that the file does not hold."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from brain.activity import verify
from brain.config import load_config
from brain.models.scripted import ScriptedModel
from brain.runtime import open_runtime
from tests.clocks import FakeClock
from tests.flows.test_reload import config_events
from tests.flows.world import World

ROOT = Path(__file__).parents[2]


@pytest.mark.proves("P10")
@pytest.mark.parametrize(
    ("point", "mode", "is_recorded"),
    [("before", "shadow", False), ("written", "allow", False), ("recorded", "allow", True)],
)
async def test_a_killed_process_leaves_one_whole_config_that_the_next_start_has_on_record(
    tmp_path: Path, clock: FakeClock, point: str, mode: str, is_recorded: bool
) -> None:
    dying = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.crash.dying_put", str(tmp_path), point, cwd=ROOT
    )
    assert await dying.wait() == -signal.SIGKILL
    config = load_config(tmp_path / "brain.json", environ={}).config
    model = ScriptedModel([], clock=clock, name="ollama/llama3.2")
    async with open_runtime(config, clock=clock, environ={}, open_model=lambda _: model) as runtime:
        world = World(runtime, model, clock)
        applied = [event[1] for event in await config_events(world)]
        started = [
            row[1] for row in await world.events("type", "revision") if row[0] == "runtime_started"
        ]
        verified = await verify(runtime.store)

    assert {each.tool: each.mode for each in config.brains[0].agent.governance}[
        "memory_note"
    ] == mode
    assert applied == [config.revision] * is_recorded
    assert started[-1] == config.revision
    assert verified.is_whole
