"""The same message again: it is answered once, and who sends it again is told what is true."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.errors import StoreError
from brain.memory import Target
from brain.models import ChatRequest, Delta
from brain.records import Reply
from tests.flows.world import Document, World, grant, open_world, sample

INTERRUPTED = "brain had begun to answer this message and was stopped."


class Gate:
    """Holds each answer of the model up, until it is opened."""

    def __init__(self, world: World) -> None:
        self._opened = asyncio.Event()
        self.reached = asyncio.Event()
        self._chat = world.model.chat
        world.model.chat = self._held  # type: ignore[method-assign]

    async def _held(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        self.reached.set()
        await self._opened.wait()
        async for delta in self._chat(request):
            yield delta

    def open(self) -> None:
        self._opened.set()


@asynccontextmanager
async def one_ahead(world: World, **fields: Any) -> AsyncIterator[tuple[asyncio.Task[Reply], Gate]]:
    """Have a message answered whose model does not come to its end within the block."""
    gate = Gate(world)
    ahead = asyncio.create_task(world.say("first", **fields))
    await gate.reached.wait()
    try:
        yield ahead, gate
    finally:
        gate.open()
        async with asyncio.timeout(5):
            await ahead


async def lined_up(world: World, text: str, message_id: str | None = "m-2") -> asyncio.Task[Reply]:
    """Send a message behind another one, and return when it is on record."""
    before = len(await world.events("type"))
    task = asyncio.create_task(world.say(text, message_id=message_id))
    async with asyncio.timeout(5):
        while len(await world.events("type")) == before:  # noqa: ASYNC110 - it is in the store
            await asyncio.sleep(0)
    return task


async def leave(task: asyncio.Task[Reply]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def said(world: World, session: int = 1, channel: str = "console") -> list[tuple[str, str]]:
    """Return role and text of each turn of a session, in the order in which they were stored."""

    def query(rows: Any) -> list[tuple[str, str]]:
        talk = rows.conversation_id(channel, "main")
        turns = rows.turns(talk, session, limit=99, may_read_private=True)
        return [(turn.role, turn.text) for turn in turns]

    return await world.runtime.store.read(query)


def dialogue(request: ChatRequest) -> list[str]:
    return [message.text for message in request.messages if message.role != "system"]


async def of_exchange(world: World, exchange_id: str) -> list[tuple[str, str | None]]:
    rows = await world.events("type", "outcome", "exchange")
    return [(kind, outcome) for kind, outcome, exchange in rows if exchange == exchange_id]


async def test_a_message_that_waits_is_in_the_talk_and_on_record_before_its_turn_comes(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        async with one_ahead(world):
            waiting = await lined_up(world, "second", None)
            turns, events = await said(world), await world.events("type")
        reply = await waiting

    assert turns == [("user", "first"), ("user", "second")]
    assert events.count(("message_received",)) == 2
    assert reply.text == "Two."
    assert [dialogue(request) for request in world.model.requests] == [
        ["first"],
        ["first", "One.", "second"],
    ]


async def test_a_message_whose_sender_left_while_it_waited_is_answered_once_when_it_comes_again(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        async with one_ahead(world):
            await leave(await lined_up(world, "second"))
        again = await world.say("second", message_id="m-2")
        more = await world.say("second", message_id="m-2")
        turns = await said(world)
        events = await of_exchange(world, again.exchange_id)

    assert (again.outcome, again.text) == ("answered", "Two.")
    assert (more.outcome, more.text) == ("repeated", "")
    assert turns == [
        ("user", "first"),
        ("user", "second"),
        ("assistant", "One."),
        ("assistant", "Two."),
    ]
    assert dialogue(world.model.requests[-1]) == ["first", "One.", "second"]
    assert [event for event in events if event[0] != "model_called"] == [
        ("message_received", None),
        ("exchange_cancelled", "waiting"),
        ("message_received", None),
        ("reply_sent", "answered"),
    ]


async def test_one_that_left_and_comes_again_while_the_one_ahead_still_runs_waits_with_its_turn(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        async with one_ahead(world):
            await leave(await lined_up(world, "second"))
            again = asyncio.create_task(world.say("second", message_id="m-2"))
            await asyncio.sleep(0)
        reply = await again
        turns = await said(world)

    assert reply.text == "Two."
    assert turns.count(("user", "second")) == 1


async def test_a_message_that_comes_again_while_it_waits_is_a_repeat_and_keeps_its_place(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        async with one_ahead(world):
            waiting = await lined_up(world, "second")
            again = await world.say("second", message_id="m-2")
        reply = await waiting
        events = await world.events("type", "outcome")

    assert (again.outcome, reply.text) == ("repeated", "Two.")
    assert events.count(("message_dropped", "repeated")) == 1
    assert len(world.model.requests) == 2


async def test_a_message_without_an_id_whose_sender_left_stays_in_the_talk(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Three."]) as world:
        async with one_ahead(world):
            await leave(await lined_up(world, "second", None))
        await world.say("third")
        events = await world.events("type", "outcome")

    assert ("exchange_cancelled", "waiting") in events
    assert dialogue(world.model.requests[-1]) == ["first", "One.", "second\n\nthird"]


async def test_what_waits_stays_in_the_session_it_came_in_also_when_it_comes_again(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two.", "Three."]) as world:
        async with one_ahead(world):
            await leave(await lined_up(world, "second"))
            await world.say("/new")
        again = await world.say("second", message_id="m-2")
        await world.say("third")
        first, second = await said(world, 1), await said(world, 2)

    assert again.text == "Two."
    assert ("assistant", "Two.") in first
    assert second == [("user", "third"), ("assistant", "Three.")]


async def test_a_message_that_a_trigger_leads_opens_its_session_once_however_often_it_comes(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        async with one_ahead(world):
            await leave(await lined_up(world, "/new second"))
        again = await world.say("/new second", message_id="m-2")
        events = await world.events("type")

    assert again.text == "Two."
    assert events.count(("session_started",)) == 2


async def test_an_exchange_that_was_broken_off_is_not_run_again_and_that_is_told(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        gate = Gate(world)
        begun = asyncio.create_task(world.say("first", message_id="m-1"))
        await gate.reached.wait()
        await leave(begun)
        gate.open()
        again = await world.say("first", message_id="m-1")
        events = await world.events("type", "outcome")

    assert (again.outcome, again.code) == ("failed", "interrupted")
    assert again.text.startswith(INTERRUPTED)
    assert ("message_dropped", "interrupted") in events
    assert not world.model.requests


async def test_a_message_that_was_told_of_a_failure_has_had_its_reply(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), []) as world:
        outcomes = [(await world.say("hi", message_id="m-1")).outcome for _ in range(2)]

    assert outcomes == ["failed", "repeated"]


async def test_a_message_that_the_store_did_not_take_is_new_when_it_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, sample(), ["One."]) as world:

        async def refuse(_: Any) -> None:
            raise StoreError("the disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(world.runtime.store, "write", refuse)
            first = await world.say("hi", message_id="m-1")
        again = await world.say("hi", message_id="m-1")

    assert (first.code, again.text) == ("store", "One.")


async def test_a_message_that_was_forgotten_while_it_waited_is_not_put_back(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        async with one_ahead(world):
            waiting = await lined_up(world, "canary")
            talk = await world.runtime.store.read(
                lambda rows: rows.conversation_id("console", "main")
            )
            target = Target(kind="conversation", conversation_id=talk or "")
            await world.runtime.desk("owner").forget(target)
        reply = await waiting
        kept = await world.runtime.store.read(lambda rows: rows.talks(limit=9))
        events = await world.events("type", "outcome")
        again = await world.say("hi", message_id="m-2")

    assert (reply.outcome, reply.code, kept) == ("failed", "forgotten", ())
    assert "forgotten while it waited" in reply.text
    assert ("message_dropped", "forgotten") in events
    assert again.text == "Two."


def with_notes() -> Document:
    return grant(sample(), "memory_note", "allow")


@pytest.mark.parametrize("command", ["/notes add Takes tea.", "/new", "/help", "/new /recall"])
async def test_a_command_that_comes_again_is_run_once(tmp_path: Path, command: str) -> None:
    async with open_world(tmp_path, with_notes(), ["One."]) as world:
        await world.say("hi")
        first = await world.say(command, message_id="m-1")
        again = await world.say(command, message_id="m-1")
        events = await world.events("type", "outcome")

    assert (first.outcome in ("command", "session"), again.outcome) == (True, "repeated")
    assert sum(kind == "command_run" for kind, _ in events) == 1
    assert ("message_dropped", "repeated") in events


@pytest.mark.parametrize("command", ["/notes add Takes tea.", "/new", "/notes clear"])
async def test_a_command_that_was_cut_off_before_it_ran_is_run_when_it_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    async with open_world(tmp_path, with_notes(), ["One."]) as world:
        await world.say("hi")

        async def die(*_: Any) -> Reply:
            raise asyncio.CancelledError

        with monkeypatch.context() as dying:
            dying.setattr(world.runtime.in_force.wired.commands, "run", die)
            with pytest.raises(asyncio.CancelledError):
                await world.say(command, message_id="m-1")
        again = await world.say(command, message_id="m-1")

    assert again.outcome in ("command", "session")
