"""`/recall`: one quoted block, into an empty session, with its event."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from brain.config import SessionRules
from brain.records import Turn
from brain.store import Store
from tests.clocks import FakeClock
from tests.commands.talk import ALLOW_NOTES, Talk, brain, config

HEADER = "[Recalled from session 1, 2026-03-02 - quoted context, not new messages]"


@pytest.fixture
def talk(store: Store, clock: FakeClock) -> Talk:
    rules = SessionRules(recall_max=10)
    return Talk(store=store, clock=clock, config=config(brain(*ALLOW_NOTES), rules))


async def an_old_session(talk: Talk, turns: int = 2) -> None:
    for number in range(1, turns + 1):
        await talk.say("user" if number % 2 else "assistant", f"line {number}")
    await talk.type("/new")


@pytest.mark.proves("P8")
async def test_a_recall_writes_exactly_one_user_turn_that_quotes_the_session_before(
    talk: Talk,
) -> None:
    await an_old_session(talk)
    talk.clock.advance(60)

    reply = await talk.type("/recall")

    assert (reply.text, reply.outcome, reply.code) == (
        "Recalled 2 turns of session 1 (2026-03-02) into session 2.",
        "command",
        "ok",
    )
    (turn,) = await talk.turns()
    assert turn == Turn(
        turn_id=turn.turn_id,
        conversation_id=turn.conversation_id,
        session=2,
        role="user",
        kind="recalled",
        text=f"{HEADER}\n> User: line 1\n> Assistant: line 2",
        at=talk.clock.now(),
        brain="assistant",
        sensitivity="private",
        exchange_id=reply.exchange_id,
        sender="ann",
    )
    events = await talk.events("type", "outcome", "codes", "counts", "exchange")
    assert events[-2:] == [
        {
            "type": "recalled",
            "outcome": "ok",
            "counts": {"session": 1, "turns": 2},
            "exchange": reply.exchange_id,
        },
        {
            "type": "command_run",
            "outcome": "ok",
            "codes": ["recall"],
            "exchange": reply.exchange_id,
        },
    ]


@pytest.mark.proves("P7", "P8")
async def test_new_and_recall_in_one_message_cut_and_then_recall_the_session_just_left(
    talk: Talk,
) -> None:
    await talk.say("user", "hello")

    reply = await talk.type("/new /recall")

    assert reply.text == "Recalled 1 turn of session 1 (2026-03-02) into session 2."
    assert [turn.text for turn in await talk.turns()] == [f"{HEADER}\n> User: hello"]
    assert [event["type"] for event in await talk.events("type")] == [
        "session_started",
        "recalled",
        "command_run",
    ]


@pytest.mark.proves("P8")
async def test_a_second_recall_is_refused_and_changes_nothing(talk: Talk) -> None:
    await an_old_session(talk)
    await talk.type("/recall")
    before = await talk.turns()

    reply = await talk.type("/recall")

    assert reply.code == "refused"
    assert reply.text == (
        "Nothing was recalled: something was said in this session already. "
        "/new opens an empty one; /new /recall does both."
    )
    assert await talk.turns() == before


@pytest.mark.parametrize("role", ["user", "assistant", "operator"])
async def test_a_session_in_which_anybody_spoke_takes_no_recall(talk: Talk, role: str) -> None:
    await an_old_session(talk)
    await talk.say("operator" if role == "operator" else "user", "hi")

    assert (await talk.type("/recall")).code == "refused"


async def test_a_system_turn_does_not_fill_a_session(talk: Talk) -> None:
    await an_old_session(talk)
    await talk.say("system", "the model was changed")

    assert (await talk.type("/recall")).code == "ok"


async def test_a_recalled_block_is_no_dialogue_to_recall(talk: Talk) -> None:
    await an_old_session(talk)
    await talk.type("/recall")

    reply = await talk.type("/new /recall")

    assert reply.text == "Recalled 2 turns of session 1 (2026-03-02) into session 3."


async def test_what_was_said_after_a_recall_is_recalled_without_the_block(talk: Talk) -> None:
    await an_old_session(talk)
    await talk.type("/recall")
    await talk.say("user", "so?")

    await talk.type("/new /recall")

    (turn,) = await talk.turns()
    assert turn.text == (
        "[Recalled from session 2, 2026-03-02 - quoted context, not new messages]\n> User: so?"
    )


async def test_without_an_earlier_session_there_is_nothing_to_recall(talk: Talk) -> None:
    reply = await talk.type("/recall")

    assert (reply.text, reply.code) == (
        "There is nothing to recall: nothing was said in an earlier session of this conversation.",
        "nothing",
    )
    assert await talk.turns() == ()


@pytest.mark.parametrize(
    ("typed", "recalled"),
    [("/recall", 4), ("/recall 1", 1), ("/recall 03", 3), ("/recall 99999999999999999999", 4)],
)
async def test_a_whole_number_is_clamped_to_recall_max(
    talk: Talk, typed: str, recalled: int
) -> None:
    talk.config = replace(talk.config, session=SessionRules(recall_max=4))
    await an_old_session(talk, turns=6)

    await talk.type(typed)

    (turn,) = await talk.turns()
    assert turn.text.split("\n")[1:] == [
        f"> {'User' if number % 2 else 'Assistant'}: line {number}"
        for number in range(7 - recalled, 7)
    ]


@pytest.mark.parametrize(
    "typed",
    [
        "/recall 0",
        "/recall -1",
        "/recall +1",
        "/recall 1.5",
        "/recall all",
        "/recall 1 2",
        "/recall ²",
    ],
)
async def test_all_else_is_usage_and_writes_nothing(talk: Talk, typed: str) -> None:
    await an_old_session(talk)

    reply = await talk.type(typed)

    assert (reply.text, reply.code) == (
        "Usage:\n- /recall [K]: quote the last K turns of the session before into this empty one",
        "usage",
    )
    assert await talk.turns() == ()


async def test_system_turns_are_read_past_until_enough_was_said(talk: Talk) -> None:
    for number in range(1, 4):
        await talk.say("user", f"line {number}")
    for _ in range(30):
        await talk.say("system", "a note of the runtime")
    await talk.type("/new")

    await talk.type("/recall 2")

    (turn,) = await talk.turns()
    assert turn.text == f"{HEADER}\n> User: line 2\n> User: line 3"


async def test_the_answer_says_when_not_all_fitted(talk: Talk) -> None:
    await talk.say("user", "a" * 3000)
    await talk.say("assistant", "b" * 3000)

    full = await talk.type("/new /recall")
    await talk.say("user", "c" * 5000)
    cut = await talk.type("/new /recall 1")

    assert full.text == (
        "Recalled 1 turn of session 1 (2026-03-02) into session 2. More do not fit into 4000 runes."
    )
    assert cut.text == (
        "Recalled 1 turn of session 2 (2026-03-02) into session 3. "
        "Its start was cut: 4000 runes are the limit."
    )


@pytest.mark.parametrize(
    ("now", "then", "block"),
    [
        ("public", "public", "public"),
        ("public", "private", "private"),
        ("private", "public", "private"),
    ],
)
async def test_a_block_is_private_if_the_brain_or_anything_in_it_is(
    talk: Talk, now: str, then: str, block: str
) -> None:
    the_brain = brain(*ALLOW_NOTES, sensitivity="private" if now == "private" else "public")
    talk.config = config(the_brain, SessionRules(recall_max=10))
    await talk.say("user", "one", sensitivity="public")
    await talk.say("user", "two", sensitivity="private" if then == "private" else "public")

    await talk.type("/new /recall")

    assert [turn.sensitivity for turn in await talk.turns()] == [block]


async def test_a_block_that_quotes_a_tainted_turn_is_tainted(talk: Talk) -> None:
    await talk.say("user", "old", tainted=True)
    await talk.say("user", "new")

    await talk.type("/new /recall 1")
    assert [turn.is_tainted for turn in await talk.turns()] == [False]

    await talk.say("user", "x", tainted=True)
    await talk.type("/new /recall")
    assert [turn.is_tainted for turn in await talk.turns()] == [True]


async def test_what_did_not_fit_into_a_block_leaves_no_mark_on_it(talk: Talk) -> None:
    await talk.say("user", "x" * 3000, tainted=True)
    await talk.say("user", "y" * 3000)

    await talk.type("/new /recall")

    assert [turn.is_tainted for turn in await talk.turns()] == [False]


async def test_no_other_conversation_is_recalled(talk: Talk) -> None:
    await an_old_session(talk)
    talk.conversation = "other"

    assert (await talk.type("/recall")).code == "nothing"


@pytest.mark.proves("P7")
@pytest.mark.parametrize(
    ("rules", "says"),
    [(None, "the config has no session block"), (SessionRules(), "session.recall_max is 0")],
)
async def test_where_it_is_off_the_answer_says_what_turns_it_on(
    talk: Talk, rules: SessionRules | None, says: str
) -> None:
    talk.config = replace(talk.config, session=rules)

    reply = await talk.type("/recall")

    assert reply.code == "not_configured"
    assert says in reply.text
    assert await talk.turns() == ()


async def test_the_date_is_that_of_the_machines_zone(talk: Talk) -> None:
    talk.clock.jump(datetime(2026, 3, 1, 23, 30, tzinfo=UTC))
    await talk.say("user", "hi")
    assert "(2026-03-01)" in (await talk.type("/new /recall")).text

    talk.clock.zone = lambda: ZoneInfo("Europe/Berlin")  # type: ignore[method-assign]
    assert "(2026-03-02)" in (await talk.type("/new /recall")).text


@pytest.mark.proves("P8")
async def test_fifty_sessions_are_looked_back_over_and_not_one_more(talk: Talk) -> None:
    await talk.say("user", "hello")
    codes = [(await talk.type("/new /recall")).code for _ in range(51)]

    assert codes == ["ok"] * 50 + ["nothing"]
