"""A process that died between a decision and the end of its call."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brain.activity import Journal, Recorder
from brain.tools import record_interrupted
from tests.clocks import FakeClock
from tests.tools.kit import FACTS, Desk, Fetch, call, event, open_desk

FACTS_OF_FETCH = {**FACTS, "network": 1}


def never() -> asyncio.Future[str]:
    return asyncio.get_running_loop().create_future()


@pytest.fixture
async def slow_desk(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path, clock, fetch=Fetch(does=never)) as opened:
        yield opened


async def die_while_fetching(desk: Desk, *before: str, run: str) -> None:
    """Leave what a killed process leaves: calls that ended, and one that was only decided."""
    recorder = Recorder(run_id=run, revision="began")
    journal = Journal(store=desk.store, recorder=recorder)
    calls = desk.executor.begin(desk.context(), journal)
    for name in before:
        await calls.run([call(name)])
    running = asyncio.ensure_future(calls.run([call("fetch", url="a")]))
    await desk.fetch.started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running  # the event of the cancellation was pending, and died with the process


@pytest.mark.proves("P9")
async def test_a_call_of_a_dead_run_that_was_decided_and_never_ended_is_recorded_once(
    slow_desk: Desk,
) -> None:
    await die_while_fetching(slow_desk, run="dead")
    recorder = Recorder(run_id="alive", revision="now")
    assert await record_interrupted(slow_desk.store, recorder, ["dead"]) == 1
    assert await record_interrupted(slow_desk.store, recorder, ["dead"]) == 0
    assert await slow_desk.events("tool_interrupted") == [
        event(
            "tool_interrupted",
            tool="fetch",
            mode="allow",
            rule="allow",
            outcome="interrupted",
            facts=FACTS_OF_FETCH,
        )
    ]


async def test_a_call_that_ended_before_in_the_same_exchange_does_not_hide_one_that_did_not(
    slow_desk: Desk,
) -> None:
    """A call with bad arguments ends without having been decided to run."""
    await die_while_fetching(slow_desk, "fetch", run="dead")
    assert [one["type"] for one in await slow_desk.events()] == ["tool_used", "tool_decided"]
    recorder = Recorder(run_id="alive", revision="now")
    assert await record_interrupted(slow_desk.store, recorder, ["dead"]) == 1


async def test_a_run_that_is_not_dead_is_left_alone(slow_desk: Desk) -> None:
    await die_while_fetching(slow_desk, run="another")
    recorder = Recorder(run_id="alive", revision="now")
    assert await record_interrupted(slow_desk.store, recorder, ["dead"]) == 0
