"""What holds for every command: its event, its place in the talk, and a store that fails."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.commands import COMMANDS, RESERVED, Parsed
from brain.commands.answer import Answer
from brain.commands.commands import _plan
from brain.config import Channel, Grant, Memory, Route, SessionRules
from brain.errors import StoreBusy
from brain.store import EventFilter, Snapshot, Store, Transaction
from tests.clocks import FakeClock
from tests.commands.talk import ALLOW_NOTES, Talk, brain, config

T = TypeVar("T")

BUSY = "Another process holds the database."
STORE_FAILED = f"Nothing was changed. {BUSY} Stop the other one."
TO_THE_MODEL = "To send the line to the model, put a space before it."
NO_SESSIONS = (
    "is off: the config has no session block, so this conversation is one endless session. "
    'To turn it on, add "session": {}, and have a storage block.'
)


@pytest.fixture
def talk(store: Store, clock: FakeClock) -> Talk:
    rules = SessionRules(recall_max=10)
    return Talk(
        store=store, clock=clock, config=config(brain(*ALLOW_NOTES, memory=Memory()), rules)
    )


@pytest.mark.proves("P7", "P9")
@pytest.mark.parametrize("name", RESERVED)
@pytest.mark.parametrize("rest", ["", " nonsense canary"])
async def test_of_a_command_only_its_event_is_kept(talk: Talk, name: str, rest: str) -> None:
    reply = await talk.type(f"/{name}{rest}")

    context = await talk.context()
    assert await talk.turns() == ()
    assert await talk.events("type", "outcome", "codes", "brain", "channel", "actor") == [
        {
            "type": "command_run",
            "outcome": reply.code,
            "codes": [name],
            "brain": "assistant",
            "channel": "console",
            "actor": context.actor_id,
        }
    ]
    assert reply.outcome == "command"
    assert "canary" not in reply.text


@pytest.mark.proves("P7")
@pytest.mark.parametrize("name", [*RESERVED, "new", "reset"])
async def test_a_command_is_answered_without_store_session_memory_or_agent(
    name: str, clock: FakeClock
) -> None:
    talk = Talk(store=None, clock=clock, config=config(brain()))

    reply = await talk.type(f"/{name}")

    assert reply.outcome == "command"
    if name in {"help", "tools"}:
        assert reply.code == "ok"
    else:
        assert reply.code in {"not_configured", "not_built"}
        assert " off" in reply.text or "no storage block" in reply.text


@pytest.mark.proves("P7")
@pytest.mark.parametrize("name", ["new", "reset"])
async def test_a_usual_trigger_without_a_session_block_says_what_turns_it_on(
    store: Store, clock: FakeClock, name: str
) -> None:
    talk = Talk(store=store, clock=clock, config=config(brain(*ALLOW_NOTES)))

    reply = await talk.type(f"/{name} hello")

    assert (reply.text, reply.outcome, reply.code) == (
        f"/{name} {NO_SESSIONS}",
        "command",
        "not_configured",
    )


async def test_a_usual_trigger_that_the_config_replaced_names_the_ones_there_are(
    talk: Talk,
) -> None:
    talk.config = replace(talk.config, session=SessionRules(triggers=("/fresh", "/Start")))

    assert (await talk.type("/new")).text == (
        "/new is no trigger here. A new session begins with: /fresh, /Start."
    )
    talk.config = replace(talk.config, session=SessionRules(triggers=()))
    assert (await talk.type("/new")).text == "/new is off: session.triggers is empty."


async def test_a_trigger_alone_opens_a_session_and_is_acknowledged(talk: Talk) -> None:
    await talk.say("user", "hello")

    reply = await talk.type("/new")
    twice = await talk.type("/RESET")

    assert (reply.text, reply.outcome, reply.code) == (
        "Session 2 begins. What was said before is kept; notes stay.",
        "session",
        "ok",
    )
    assert (twice.text, twice.outcome, twice.code) == (
        "Session 2 is empty already.",
        "session",
        "nothing",
    )
    assert (await talk.context()).session == 2
    assert await talk.events("type", "outcome", "codes") == [
        {"type": "session_started", "outcome": "trigger"},
        {"type": "command_run", "outcome": "ok", "codes": ["trigger"]},
        {"type": "command_run", "outcome": "nothing", "codes": ["trigger"]},
    ]


async def test_an_unknown_word_names_the_nearest_command_and_the_way_to_the_model(
    talk: Talk,
) -> None:
    near = await talk.type("/nots clear")
    trigger = await talk.type("/resett")
    far = await talk.type("/qqqqqqqq\x1b[2J")

    assert (near.text, near.outcome, near.code) == (
        f"There is no command /nots. Did you mean /notes? {TO_THE_MODEL}",
        "command",
        "unknown",
    )
    assert trigger.text.startswith("There is no command /resett. Did you mean /reset? ")
    assert far.text == (
        f"There is no command /qqqqqqqq?[2j. /help lists the commands. {TO_THE_MODEL}"
    )
    assert (
        await talk.events("outcome", "codes") == [{"outcome": "unknown", "codes": ["unknown"]}] * 3
    )


async def test_text_is_not_the_business_of_commands(talk: Talk) -> None:
    context = await talk.context()

    with pytest.raises(ValueError, match="text is for the model"):
        await talk.commands.run(Parsed(kind="text", name="", rest="hello"), context)


async def test_help_lists_what_is_available_here_and_to_whom(talk: Talk) -> None:
    assert (await talk.type("/help")).text == (
        "Available here:\n"
        "- /new, /reset [TEXT]: begin a new session, with TEXT if given\n"
        "- /notes [PAGE]: the notes, oldest first, with their numbers, their count and the cap\n"
        "- /notes add TEXT: store a note of your own\n"
        "- /notes drop N: forget one note\n"
        "- /notes clear: empty the box, rehearsals included\n"
        "- /notes rehearsals: the calls that were only rehearsed\n"
        "- /notes promote N: store a rehearsal\n"
        "- /notes discard N: drop a rehearsal\n"
        "- /recall [K]: quote the last K turns of the session before into this empty one\n"
        "- /tools: what each tool may do here and why, and the last calls\n"
        "- /why: what the last exchange was made of: model, parts, notes, tools, decisions\n"
        "- /activity [N]: the last events of this conversation\n"
        "- /help: what is available here\n"
        "Not turned on: /memories, /pages. Each says what would turn it on.\n"
        "Any other /word goes to the model if a space stands before it."
    )
    talk.config = config(brain(Grant(tool="time", mode="allow")))
    talk.channel, talk.is_operator = "web", False
    assert (await talk.type("/help")).text == (
        "Available here:\n"
        "- /tools: what each tool may do here and why, and the last calls\n"
        "- /help: what is available here\n"
        "Not turned on: /new, /notes, /recall, /memories, /pages. "
        "Each says what would turn it on."
    )
    assert (await talk.type("/help me")).code == "usage"


async def test_tools_shows_each_decision_with_its_reason_and_the_last_calls(
    store: Store, clock: FakeClock
) -> None:
    grants = (
        Grant(tool="memory_note", mode="shadow"),
        Grant(tool="memory_note", mode="allow", channels=("web",)),
        Grant(tool="time", mode="allow", channels=("web",)),
    )
    talk = Talk(store=store, clock=clock, config=config(brain(*grants, memory=Memory())))

    first = await talk.type("/tools")
    await talk.type("/notes add tea")
    second = await talk.type("/tools")
    talk.channel, talk.is_operator, talk.is_local = "web", False, None
    elsewhere = await talk.type("/tools")

    decided = (
        "Tools of 'assistant' on channel 'console', with scripted/scripted (proved local):\n"
        "- memory_note: shadow, a grant shadows it; calls are rehearsed, nothing is stored or sent\n"
        "- time: deny, its grants are for other channels\n"
    )
    assert first.text == decided + "No tool was called in this conversation yet."
    assert second.text == decided + (
        "The last calls in this conversation, by event:\n"
        "     3  2026-03-02T09:00:00.000Z  tool_used  assistant/console  "
        "A call was allowed and ran.  tool memory_note  mode allow  outcome ok  "
        "because a grant allows it  notes 1  0 ms  codes stored"
    )
    assert elsewhere.text == (
        "Tools of 'assistant' on channel 'web', with scripted/scripted "
        "(not proved yet, so taken for not local):\n"
        "- memory_note: allow, a grant allows it\n"
        "- time: allow, a grant allows it\n"
        "No tool was called in this conversation yet."
    )


async def test_tools_of_a_brain_that_only_answers(store: Store, clock: FakeClock) -> None:
    talk = Talk(store=store, clock=clock, config=config(brain()))

    assert (await talk.type("/tools")).text == (
        "Tools of 'assistant' on channel 'console': none, since this brain has no agent.\n"
        "No tool was called in this conversation yet."
    )
    assert (await talk.type("/tools all")).code == "usage"


async def test_a_sensitive_tool_is_denied_while_the_model_is_not_proved_local(
    store: Store, clock: FakeClock
) -> None:
    the_brain = brain(Grant(tool="time", mode="allow"))
    assert the_brain.agent is not None
    agent = replace(the_brain.agent, tool_attrs={"time": {"sensitive": True}})
    talk = Talk(store=store, clock=clock, config=config(replace(the_brain, agent=agent)))
    line = "- time: deny, it is sensitive and the model is not proved local"

    for is_local, expected in [(None, True), (False, True), (True, False)]:
        talk.is_local = is_local
        assert (line in (await talk.type("/tools")).text) is expected


async def test_activity_shows_the_newest_events_of_this_conversation_alone(talk: Talk) -> None:
    await talk.type("/notes add canary")
    talk.conversation = "other"
    nothing = await talk.type("/activity")
    talk.conversation = "main"

    some = await talk.type("/activity 2")
    usage = await talk.type("/activity all")
    talk.is_operator = False
    refused = await talk.type("/activity")

    assert (nothing.text, nothing.code) == (
        "Nothing is on record of this conversation yet.",
        "nothing",
    )
    lines = some.text.splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["2", "2026-03-02T09:00:00.000Z", "tool_used"],
        ["3", "2026-03-02T09:00:00.000Z", "command_run"],
    ]
    assert lines[1].endswith("  outcome ok  codes notes")
    assert "canary" not in some.text
    assert usage.code == "usage"
    assert (refused.text, refused.code) == (
        "Only the operator may read the record. Nothing was changed.",
        "not_permitted",
    )


class FailsOnce:
    """A store whose next write is refused, as when another process holds the file too long."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.is_busy = True

    async def write(self, change: Callable[[Transaction], T]) -> T:
        if self.is_busy:
            self.is_busy = False
            raise StoreBusy(BUSY, fix="stop the other one")
        return await self._store.write(change)

    async def read(self, query: Callable[[Snapshot], T]) -> T:
        return await self._store.read(query)

    async def close(self) -> None:
        await self._store.close()


def talk_that_fails_once(talk: Talk) -> Talk:
    """Return the same talk, whose commands meet a busy store."""
    failing = Talk(store=FailsOnce(talk.open_store), clock=talk.clock, config=talk.config)
    failing.store = talk.store
    return failing


@pytest.mark.parametrize("typed", ["/notes clear", "/notes add two", "/notes"])
async def test_a_store_error_is_told_recorded_and_leaves_nothing_half_done(
    talk: Talk, typed: str
) -> None:
    await talk.type("/notes add one")

    reply = await talk_that_fails_once(talk).type(typed)

    assert (reply.text, reply.outcome, reply.code, reply.notices) == (
        STORE_FAILED,
        "command",
        "store_failed",
        (),
    )
    assert (await talk.events("type", "outcome", "codes"))[-1] == {
        "type": "command_run",
        "outcome": "store_failed",
        "codes": ["notes"],
    }
    assert "1. one" in (await talk.type("/notes")).text


async def test_a_store_that_is_gone_is_told_and_help_is_answered_all_the_same(
    talk: Talk, tmp_path: Path
) -> None:
    context = await talk.context()
    (tmp_path / "home" / "brain.db").unlink()

    clear = await talk.commands.run(Parsed(kind="command", name="notes", rest="clear"), context)
    shown = await talk.commands.run(Parsed(kind="command", name="help", rest=""), context)

    assert clear.code == "store_failed"
    assert "was taken away while it was in use" in clear.text
    assert clear.notices == ("This failure is not on record either.",)
    assert shown.text.startswith("Available here:")
    assert shown.notices[0].startswith("This answer is not on record. The database ")


async def test_two_recalls_at_once_write_one_block(talk: Talk) -> None:
    await talk.say("user", "hello")
    await talk.type("/new")

    replies = await asyncio.gather(*(talk.type("/recall") for _ in range(5)))

    assert sorted(reply.code for reply in replies) == ["ok", *["refused"] * 4]
    assert len(await talk.turns()) == 1


async def test_a_channel_of_another_type_takes_the_same_commands(talk: Talk) -> None:
    talk.config = replace(
        talk.config,
        channels=(Channel(name="hook", type="webhook"),),
        routes=(Route(channel="hook", brain="assistant"),),
    )
    talk.channel = "hook"

    assert (await talk.type("/notes")).code == "ok"


@given(
    name=st.sampled_from(COMMANDS),
    rest=st.text()
    | st.lists(
        st.sampled_from(
            ("clear", "add", "drop", "promote", "2", "0", "-1", "²", "٣", "\u200b", "x")
        )
    ).map(" ".join),
    is_operator=st.booleans(),
)
def test_whatever_follows_a_command_is_planned_or_answered(
    name: str, rest: str, is_operator: bool
) -> None:
    the_brain = brain(*ALLOW_NOTES, memory=Memory())
    talk = Talk(
        store=None,
        clock=FakeClock(),
        config=config(the_brain, SessionRules(recall_max=10)),
        is_operator=is_operator,
    )
    ask = replace(talk.commands._ask(rest, talk.place()), has_store=True)

    recorded, step = _plan(Parsed(kind="command", name=name, rest=rest), ask)

    assert recorded == name
    if not is_operator and name in {"activity", "why"}:
        assert isinstance(step, Answer)
        assert step.outcome in {"not_permitted", "usage"}


class FailsAfter(FailsOnce):
    """A store that takes so many writes and refuses the next."""

    def __init__(self, store: Store, writes: int) -> None:
        super().__init__(store)
        self._writes = writes

    async def write(self, change: Callable[[Transaction], T]) -> T:
        self._writes -= 1
        self.is_busy = self._writes < 0
        return await super().write(change)


async def test_a_note_that_is_stored_and_whose_command_is_not_on_record_is_told_so(
    talk: Talk,
) -> None:
    context = await talk.context()
    failing = Talk(
        store=FailsAfter(talk.open_store, writes=1), clock=talk.clock, config=talk.config
    )

    reply = await failing.commands.run(
        Parsed(kind="command", name="notes", rest="add one"), context
    )

    assert (reply.text, reply.code, reply.notices) == (
        "Saved note 1.",
        "ok",
        (f"This was done, but the command is not on record. {BUSY} Stop the other one.",),
    )
    assert "1. one" in (await talk.type("/notes")).text


@pytest.mark.proves("P9")
async def test_no_word_that_was_typed_said_or_stored_is_in_any_event(talk: Talk) -> None:
    await talk.say("user", "the canary sings")
    for typed in (
        "/notes add canary one",
        "/notes add canary one",
        "/notes add \x1b canary",
        "/notes drop canary",
        "/notes 1 canary",
        "/canary",
        "/recall canary",
        "/new /recall",
        "/recall",
        "/notes clear",
    ):
        await talk.type(typed)

    rows = await talk.open_store.read(lambda snapshot: snapshot.events(EventFilter(), limit=1000))
    assert {row["type"] for row in rows} >= {"command_run", "note_stored", "recalled"}
    for row in rows:
        assert "canary" not in json.dumps(row)
