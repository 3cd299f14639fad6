"""Sessions as they are opened and cut inside a transaction, each with its event."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from brain.activity import Draft, Recorder
from brain.config import SessionRules, Storage
from brain.memory import Opened, current_session, cut_session
from brain.records import Session
from brain.store import EventFilter, NewTurn, Store, Transaction, open_store
from tests.clocks import FakeClock


class Conversation:
    """One conversation in a store, and the clock it is held by."""

    def __init__(self, store: Store, clock: FakeClock) -> None:
        self.store = store
        self.clock = clock
        self.recorder = Recorder(run_id="run", revision="r1")

    async def current(self, rules: SessionRules | None) -> Opened:
        def change(tx: Transaction) -> Opened:
            conversation_id = tx.open_conversation("console", "main")
            return current_session(
                tx,
                self.recorder,
                conversation_id=conversation_id,
                rules=rules,
                zone=self.clock.zone(),
                event=Draft(type="session_started", brain="assistant", channel="console"),
            )

        return await self.store.write(change)

    async def cut(self) -> Opened:
        def change(tx: Transaction) -> Opened:
            return cut_session(
                tx,
                self.recorder,
                conversation_id=tx.open_conversation("console", "main"),
                event=Draft(type="session_started", brain="assistant", channel="console"),
            )

        return await self.store.write(change)

    async def say(self, opened: Opened, *, kind: str = "said") -> None:
        turn = NewTurn(
            conversation_id=opened.session.conversation_id,
            session=opened.session.number,
            role="user",
            text="hello",
            brain="assistant",
            sensitivity="public",
            exchange_id="e",
            kind=kind,
        )
        await self.store.write(lambda tx: tx.add_turn(turn))

    async def outcomes(self) -> list[Any]:
        rows = await self.store.read(lambda snapshot: snapshot.events(EventFilter(), limit=100))
        assert {row["type"] for row in rows} <= {"session_started"}
        return [row["outcome"] for row in rows]


@pytest.fixture
async def talk(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Conversation]:
    async with open_store(Storage(path=tmp_path / "home" / "brain.db"), clock=clock) as store:
        yield Conversation(store, clock)


async def test_the_first_message_opens_session_one(talk: Conversation) -> None:
    opened = await talk.current(SessionRules())

    assert opened == Opened(
        session=Session(
            conversation_id=opened.session.conversation_id,
            number=1,
            started_at=talk.clock.now(),
        ),
        began="first",
    )
    assert await talk.current(SessionRules()) == Opened(session=opened.session)
    assert await talk.outcomes() == ["first"]


async def test_an_idle_session_is_followed_by_the_next_one_at_the_next_message(
    talk: Conversation,
) -> None:
    rules = SessionRules(idle_min=30)
    await talk.say(await talk.current(rules))
    talk.clock.advance(29 * 60)
    assert (await talk.current(rules)).session.number == 1
    talk.clock.advance(60)

    opened = await talk.current(rules)

    assert (opened.session.number, opened.began) == (2, "idle")
    assert await talk.outcomes() == ["first", "idle"]


async def test_the_daily_hour_opens_one_session_however_often_it_struck(
    talk: Conversation,
) -> None:
    rules = SessionRules(daily_at="04:00")
    await talk.say(await talk.current(rules))
    talk.clock.advance(3 * 86400)

    opened = await talk.current(rules)
    again = await talk.current(rules)

    assert (opened.session.number, opened.began) == (2, "daily")
    assert again == Opened(session=opened.session)
    assert await talk.outcomes() == ["first", "daily"]


async def test_an_empty_session_is_neither_cut_nor_ended_by_time(talk: Conversation) -> None:
    rules = SessionRules(idle_min=1, daily_at="04:00")
    first = await talk.current(rules)
    talk.clock.advance(10 * 86400)

    assert await talk.current(rules) == Opened(session=first.session)
    assert await talk.cut() == Opened(session=first.session)
    assert await talk.outcomes() == ["first"]


async def test_a_trigger_cuts_a_session_with_a_turn_a_recalled_one_too(
    talk: Conversation,
) -> None:
    await talk.say(await talk.current(SessionRules()), kind="recalled")

    opened = await talk.cut()

    assert (opened.session.number, opened.began) == (2, "trigger")
    assert await talk.outcomes() == ["first", "trigger"]


async def test_a_trigger_as_the_first_message_opens_session_one(talk: Conversation) -> None:
    opened = await talk.cut()

    assert (opened.session.number, opened.began) == (1, "first")


async def test_without_rules_the_session_never_ends(talk: Conversation) -> None:
    await talk.say(await talk.current(None))
    talk.clock.advance(400 * 86400)

    assert (await talk.current(None)).session.number == 1
    assert await talk.outcomes() == ["first"]


async def test_a_clock_that_jumps_back_ends_nothing_and_heals_with_the_next_turn(
    talk: Conversation,
) -> None:
    rules = SessionRules(idle_min=30)
    await talk.say(await talk.current(rules))
    start = talk.clock.now()
    talk.clock.jump(start.replace(year=start.year - 1))

    opened = await talk.current(rules)
    await talk.say(opened)
    talk.clock.advance(30 * 60)

    assert (opened.session.number, opened.began) == (1, "")
    assert (await talk.current(rules)).began == "idle"
