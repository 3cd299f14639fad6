"""The whole sentence: a tool goes from shadow to allow to deny by saving the file while exchanges run.

In each round several talks are in the middle of an exchange when the save lands.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from brain.activity import Resync, open_feed
from brain.clock import SystemClock
from brain.models import CallDelta, ChatRequest, Delta, Done, ScriptedModel
from brain.records import Reply, ToolCall
from brain.store import EventRow
from tests.flows.saving import LIMIT_SECONDS, by_config_map, by_rename, following, in_place
from tests.flows.world import Document, World, grant, open_world, sample

TALKS = ("one", "two", "three", "four")
EFFECTS = {"tool_shadowed": "shadow", "tool_used": "allow", "tool_denied": "deny"}
STRICTNESS = ("deny", "shadow", "allow")


class Meeting:
    """Where the exchanges of one round wait for each other, and then for the save."""

    def __init__(self, expected: int) -> None:
        self._expected = expected
        self._waiting = 0
        self.are_here = asyncio.Event()
        self.goes_on = asyncio.Event()

    async def wait(self) -> None:
        self._waiting += 1
        if self._waiting == self._expected:
            self.are_here.set()
        await self.goes_on.wait()


class MeetingModel(ScriptedModel):
    """Asks to note something in each exchange, once all of the round have asked it."""

    meeting: Meeting

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        if request.messages[-1].role != "tool":
            await self.meeting.wait()
        async with aclosing(super().chat(request)) as deltas:
            async for delta in deltas:
                yield delta


@pytest.mark.proves("P10", "P2")
@pytest.mark.parametrize("save", [by_rename, in_place, by_config_map])
async def test_a_tool_goes_from_shadow_to_allow_to_deny_while_exchanges_of_several_talks_run(
    tmp_path: Path, save: Any
) -> None:
    clock, path = SystemClock(), tmp_path / "brain.json"
    if save is by_config_map:
        save(path, sample())
    model = MeetingModel([noting()], clock=clock, name="ollama/llama3.2", repeats=True)
    async with (
        open_world(tmp_path, sample(), clock=clock, model=model) as world,
        following(world.runtime) as outcomes,
        open_feed(world.runtime.store, clock=clock) as feed,
        aclosing(feed.follow(after=0)) as followed,
    ):
        modes = {world.runtime.config.revision: "shadow"}
        replies = []
        for document, mode in saves():
            model.meeting = Meeting(len(TALKS))
            talks = [asyncio.create_task(say(world, name)) for name in TALKS]
            async with asyncio.timeout(LIMIT_SECONDS):
                await model.meeting.are_here.wait()
                outcomes.all.clear()
                save(path, document)
                modes[(await outcomes.applied()).revision] = mode
                model.meeting.goes_on.set()
                replies.append(await asyncio.gather(*talks))
        rows = await shown(followed, replies=len(TALKS) * len(replies))

    assert {reply.outcome for round_ in replies for reply in round_} == {"answered"}
    assert [{each.kind for reply in round_ for each in reply.effects} for round_ in replies] == [
        {"rehearsed"}, {"saved"}, {"refused"}, {"refused"},
    ]  # fmt: skip
    applied = [row["revision"] for row in rows if row["type"] == "config_applied"]
    assert applied == list(modes)[1:]
    decided = [row for row in rows if row["type"] in EFFECTS]
    assert len(decided) == len(TALKS) * len(replies)
    assert_each_was_in_force(rows, modes)


def saves() -> list[tuple[Document, str]]:
    """Return what is saved in the middle of each round, with the mode it brings."""
    return [
        (numbered(at, mode), mode) for at, mode in enumerate(("allow", "allow", "deny", "deny"))
    ]


def numbered(number: int, mode: str) -> Document:
    document = grant(sample(), "memory_note", mode)
    document["brains"][0]["agent"]["system_prompt"] = f"This is round {number}."
    return document


def assert_each_was_in_force(rows: list[EventRow], modes: Mapping[str, str]) -> None:
    """A decision is the stricter of what was in force as its exchange began and as it was made."""
    now = next(iter(modes))
    began: dict[Any, Any] = {}
    for row in rows:
        if row["type"] == "config_applied":
            assert row["revision_before"] == now
            now = str(row["revision"])
        elif row["type"] == "message_received":
            began[row["exchange"]] = now
        elif row["type"] in EFFECTS:
            in_force = (began[row["exchange"]], now)
            assert row["revision"] in in_force
            strictest = min((modes[each] for each in in_force), key=STRICTNESS.index)
            assert EFFECTS[str(row["type"])] == modes[str(row["revision"])] == strictest


async def say(world: World, conversation: str) -> Reply:
    return await world.say("Remember something of me.", conversation=conversation)


async def shown(followed: AsyncIterator[Any], *, replies: int) -> list[EventRow]:
    """Return what a reader of the feed gets, until so many replies were sent."""
    rows: list[EventRow] = []
    async with asyncio.timeout(LIMIT_SECONDS):
        async for row in followed:
            assert not isinstance(row, Resync)
            rows.append(row)
            if sum(each["type"] == "reply_sent" for each in rows) == replies:
                return rows
    raise AssertionError("the feed ended")


def noting() -> Any:
    """Return what asks to note another thing each time, and answers when told what came of it."""
    number = count()

    def answer(request: ChatRequest) -> str | tuple[Delta, ...]:
        if request.messages[-1].role == "tool":
            return "So it is."
        arguments = {"note": f"Fact {next(number)}."}
        call = ToolCall(id="c1", name="memory_note", arguments=arguments)
        return (CallDelta(call=call), Done(reason="stop"))

    return answer
