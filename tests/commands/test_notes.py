"""`/notes` in all its forms: who may, what is said, what is stored and what is on record."""

import pytest

from brain.activity import Journal
from brain.config import Grant, Memory
from brain.memory import Provenance, keep_rehearsal
from brain.records import Box, ToolCall
from brain.store import Store
from tests.clocks import FakeClock
from tests.commands.talk import ALLOW_NOTES, REVISION, Talk, brain, config

USAGE = """Usage:
- /notes [PAGE]: the notes, oldest first, with their numbers, their count and the cap
- /notes add TEXT: store a note of your own
- /notes drop N: forget one note
- /notes clear: empty the box, rehearsals included
- /notes rehearsals: the calls that were only rehearsed
- /notes promote N: store a rehearsal
- /notes discard N: drop a rehearsal"""
CANT_PROMOTE = "Rehearsal 1 is of time, which stores nothing here; it can't be promoted."
SEE_SHARED = "see notes that all conversations of a brain share"
BYTES = (
    " The rows are gone; now brain cleans its files of the bytes and searches each one for them: "
    "'brain forget receipt' shows what was found. The transcript is not touched: what was said "
    "stays in the talk ('brain forget' takes it too)."
)


@pytest.fixture
def talk(store: Store, clock: FakeClock) -> Talk:
    return Talk(store=store, clock=clock, config=config(brain(*ALLOW_NOTES, memory=Memory())))


async def rehearse(talk: Talk, note: str, *, held_for: str = "", would: str = "stored") -> None:
    """Keep a rehearsal as the executor does for a shadowed call."""
    context = await talk.context()
    box, memory = context.rehearsal_box, context.memory
    assert box is not None
    assert memory is not None
    by = Provenance(
        brain="assistant",
        sensitivity="private",
        channel=talk.channel,
        origin="model",
        revision=REVISION,
    )
    await talk.open_store.write(
        lambda tx: keep_rehearsal(
            tx,
            talk.recorder,
            box=box,
            tool="memory_note",
            arguments={"note": note},
            would=would,
            rules=memory.rehearsals,
            by=by,
            held_for=held_for,
        )
    )


async def listed(talk: Talk) -> str:
    return (await talk.type("/notes")).text


async def test_an_empty_box_says_how_much_fits(talk: Talk) -> None:
    reply = await talk.type("/notes")

    assert (reply.text, reply.outcome, reply.code) == (
        "Notes of this conversation: 0 of 10.",
        "command",
        "ok",
    )


@pytest.mark.proves("P4")
async def test_a_note_of_the_operator_is_stored_normalised_and_listed_with_its_number(
    talk: Talk,
) -> None:
    added = await talk.type("/notes add  prefers\n tea\u2028daily ")
    again = await talk.type("/notes add PREFERS tea daily")
    await talk.type("/notes add the bike is green")

    assert (added.text, added.code) == ("Saved note 1.", "ok")
    assert (again.text, again.code) == ("Not saved: note 1 says the same.", "refused")
    assert await listed(talk) == (
        "Notes of this conversation: 2 of 10.\n1. prefers tea daily\n2. the bike is green"
    )
    (note, _) = await talk.open_store.read(
        lambda snapshot: snapshot.notes(
            Box(brain="assistant", scope="conversation", channel="console", conversation="main"),
            may_read_private=True,
        )
    )
    assert (note.origin, note.sender, note.sensitivity) == ("operator", "ann", "private")


@pytest.mark.proves("P4")
async def test_a_full_box_refuses_and_names_the_cap_and_the_command_that_empties_it(
    store: Store, clock: FakeClock
) -> None:
    memory = Memory(max_notes=1)
    talk = Talk(store=store, clock=clock, config=config(brain(*ALLOW_NOTES, memory=memory)))
    await talk.type("/notes add one")

    reply = await talk.type("/notes add two")

    assert (reply.text, reply.code) == (
        "Not saved: the box is full (1 of 1), /notes clear empties it.",
        "refused",
    )
    assert await listed(talk) == "Notes of this conversation: 1 of 1.\n1. one"


@pytest.mark.parametrize("text", ["\u202edesrever", "<|im_start|>system", "\x1b[2J", "x" * 201])
async def test_a_text_that_could_deceive_or_is_too_long_is_no_note(talk: Talk, text: str) -> None:
    reply = await talk.type(f"/notes add {text}")

    assert reply.code == "refused"
    assert reply.text.startswith("Not saved: the note h")
    assert text not in reply.text
    assert await listed(talk) == "Notes of this conversation: 0 of 10."


async def test_a_pasted_file_is_too_long_for_a_note_and_is_told_its_length(talk: Talk) -> None:
    reply = await talk.type(f"/notes add {'x' * 100_000}")

    assert reply.text == "Not saved: the note has 100000 characters, 200 are allowed."
    assert await listed(talk) == "Notes of this conversation: 0 of 10."


@pytest.mark.proves("P2")
async def test_a_deny_binds_the_operator_and_shadow_does_not(
    store: Store, clock: FakeClock
) -> None:
    shadowed = Talk(
        store=store,
        clock=clock,
        config=config(brain(Grant(tool="memory_note", mode="shadow"), memory=Memory())),
    )
    denied = Talk(
        store=store,
        clock=clock,
        config=config(brain(Grant(tool="memory_note", mode="deny"), memory=Memory())),
    )

    stored = await shadowed.type("/notes add one")
    refused = await denied.type("/notes add two")

    assert stored.text == "Saved note 1."
    assert (refused.text, refused.code) == (
        "Not stored: a grant denies it. The policy binds you too.",
        "refused",
    )
    assert await listed(denied) == (
        "Notes of this conversation: 1 of 10.\n1. one\n"
        "The assistant does not see them here: memory_note is denied to it (/tools says why)."
    )


async def test_a_note_of_the_operator_is_on_record_with_its_call_and_its_command(
    talk: Talk,
) -> None:
    await talk.type("/notes add secret canary")

    events = await talk.events("type", "tool", "outcome", "origin", "codes")
    assert [(event["type"], event.get("outcome")) for event in events] == [
        ("note_stored", "operator"),
        ("tool_used", "ok"),
        ("command_run", "ok"),
    ]
    assert events[-1]["codes"] == ["notes"]
    assert "canary" not in str(await talk.events("id", "ref", "codes", "paths", "counts", "type"))


async def test_a_drop_forgets_one_note_and_its_number_is_not_used_again(talk: Talk) -> None:
    await talk.type("/notes add one")
    await talk.type("/notes add two")

    reply = await talk.type("/notes drop 1")
    await talk.type("/notes add three")
    twice = await talk.type("/notes drop 1")

    assert reply.text == ("Dropped note 1 of this conversation." + BYTES)
    assert (twice.text, twice.code) == (
        "There is no note 1 in this conversation. Nothing was changed.",
        "nothing",
    )
    assert await listed(talk) == "Notes of this conversation: 2 of 10.\n2. two\n3. three"
    types = [event["type"] for event in await talk.events("type")]
    assert types.count("note_dropped") == 1


@pytest.mark.proves("P7")
async def test_a_clear_empties_the_box_and_its_rehearsals_and_leaves_the_transcript(
    talk: Talk,
) -> None:
    await talk.say("user", "remember: tea")
    await talk.type("/notes add tea")
    await rehearse(talk, "coffee")

    assert not talk.forgot.is_set()
    reply = await talk.type("/notes clear")
    assert talk.forgot.is_set(), "somebody has to clean the files"
    talk.forgot.clear()
    empty = await talk.type("/notes CLEAR")

    assert reply.text == (
        "Cleared 1 note and 1 rehearsal of this conversation (scope conversation)." + BYTES
    )
    assert not talk.forgot.is_set()
    assert empty.text.startswith("Cleared 0 notes and 0 rehearsals of this conversation")
    assert await listed(talk) == "Notes of this conversation: 0 of 10."
    assert [turn.text for turn in await talk.turns()] == ["remember: tea"]
    cleared = [
        event
        for event in await talk.events("type", "outcome", "counts")
        if event["type"] == "notes_cleared"
    ]
    assert cleared[0] == {
        "type": "notes_cleared",
        "outcome": "conversation",
        "counts": {"notes": 1, "rehearsals": 1},
    }


async def test_pages_hold_twenty_and_say_how_to_go_on(store: Store, clock: FakeClock) -> None:
    memory = Memory(max_notes=50)
    talk = Talk(store=store, clock=clock, config=config(brain(*ALLOW_NOTES, memory=memory)))
    for number in range(1, 42):
        await talk.type(f"/notes add fact {number}")

    pages = [(await talk.type(f"/notes {page}")).text for page in (1, 2, 3)]
    beyond = await talk.type("/notes 4")

    assert pages[0] == "\n".join(
        [
            "Notes of this conversation: 41 of 50.",
            *(f"{number}. fact {number}" for number in range(1, 21)),
            "Page 1 of 3. /notes 2 shows the next.",
        ]
    )
    assert pages[1].splitlines()[1] == "21. fact 21"
    assert pages[2] == ("Notes of this conversation: 41 of 50.\n41. fact 41\nPage 3 of 3.")
    assert (beyond.text, beyond.code) == (
        "There is no page 4: the notes of this conversation fill 3 pages.",
        "nothing",
    )


async def test_rehearsals_are_listed_inert_with_what_would_have_happened(talk: Talk) -> None:
    await rehearse(talk, "tea")
    await rehearse(talk, "a\x1b[2J\u202e\nb", held_for="this talk read a file", would="characters")
    await rehearse(talk, "x" * 500)

    reply = await talk.type("/notes rehearsals")

    assert reply.text == (
        "Rehearsals of this conversation: 3.\n"
        "1. memory_note: tea (would be stored; kept until 2026-04-01)\n"
        "2. memory_note: a?[2J??b (would not be stored: it holds control or hidden "
        "characters; held: this talk read a file; "
        "kept until 2026-04-01)\n"
        f"3. memory_note: {'x' * 199}… (would be stored; kept until 2026-04-01)\n"
        "If all were promoted: notes 0 of 10 now, 1 then; refused: 2 (it holds control or hidden "
        "characters), 3 (it is too long).\n"
        "/notes promote N stores one, /notes discard N drops one."
    )
    assert (await listed(talk)).endswith("\n3 rehearsals to judge: /notes rehearsals")


@pytest.mark.proves("P3")
async def test_a_promoted_rehearsal_becomes_a_note_and_is_gone(talk: Talk) -> None:
    await rehearse(talk, "tea")
    await rehearse(talk, "coffee")

    promoted = await talk.type("/notes promote 2")
    twice = await talk.type("/notes promote 2")

    assert (promoted.text, promoted.code) == ("Saved note 1.", "ok")
    assert (twice.text, twice.code) == (
        "There is no rehearsal 2 in this conversation. Nothing was changed.",
        "nothing",
    )
    assert (await listed(talk)).splitlines()[:2] == [
        "Notes of this conversation: 1 of 10.",
        "1. coffee",
    ]
    types = [event["type"] for event in await talk.events("type")]
    assert types.count("rehearsal_promoted") == 1
    assert types.count("note_stored") == 1


@pytest.mark.proves("P3")
async def test_a_discarded_rehearsal_is_gone_and_on_record(talk: Talk) -> None:
    await rehearse(talk, "tea")

    reply = await talk.type("/notes discard 1")
    twice = await talk.type("/notes discard 1")

    assert reply.text == "Discarded rehearsal 1 of this conversation."
    assert twice.code == "nothing"
    assert (await talk.type("/notes rehearsals")).text == "Rehearsals of this conversation: 0."
    types = [event["type"] for event in await talk.events("type")]
    assert types.count("rehearsal_dropped") == 1


async def test_an_expired_rehearsal_is_neither_listed_nor_promoted(talk: Talk) -> None:
    await rehearse(talk, "tea")
    talk.clock.advance(31 * 86400)

    assert (await talk.type("/notes rehearsals")).text == "Rehearsals of this conversation: 0."
    assert (await talk.type("/notes promote 1")).code == "nothing"


@pytest.mark.parametrize(
    "typed",
    [
        "/notes add",
        "/notes add \u200b",
        "/notes drop",
        "/notes drop x",
        "/notes drop 0",
        "/notes drop 1 2",
        "/notes clear all",
        "/notes promote",
        "/notes discard -1",
        "/notes list",
        "/notes 0",
        "/notes 1 2",
        "/notes rehearsals 1",
    ],
)
async def test_what_the_grammar_does_not_know_is_usage_and_changes_nothing(
    talk: Talk, typed: str
) -> None:
    await talk.type("/notes add one")
    before = await listed(talk)

    reply = await talk.type(typed)

    assert (reply.text, reply.code) == (USAGE, "usage")
    assert await listed(talk) == before


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ("/notes clear", "empty the box"),
        ("/notes drop 1", "drop a note"),
        ("/notes add two", "add a note"),
        ("/notes rehearsals", "see rehearsals"),
        ("/notes promote 1", "promote a rehearsal"),
        ("/notes discard 1", "discard a rehearsal"),
    ],
)
async def test_what_is_the_operators_is_refused_to_others(
    talk: Talk, typed: str, what: str
) -> None:
    await talk.type("/notes add one")
    await rehearse(talk, "tea")
    talk.is_operator = False

    reply = await talk.type(typed)

    assert (reply.text, reply.code) == (
        f"Only the operator may {what}. Nothing was changed.",
        "not_permitted",
    )
    assert await listed(talk) == "Notes of this conversation: 1 of 10.\n1. one"


async def test_a_box_that_conversations_share_is_shown_to_the_operator_alone(
    store: Store, clock: FakeClock
) -> None:
    memory = Memory(scope="brain")
    talk = Talk(store=store, clock=clock, config=config(brain(*ALLOW_NOTES, memory=memory)))
    await talk.type("/notes add one")
    talk.channel, talk.conversation = "web", "42"

    shared = await listed(talk)
    talk.is_operator = False
    refused = await talk.type("/notes")

    assert shared == "Notes of brain 'assistant': 1 of 10.\n1. one"
    assert (refused.text, refused.code) == (
        f"Only the operator may {SEE_SHARED}. Nothing was changed.",
        "not_permitted",
    )


@pytest.mark.proves("P4")
async def test_each_conversation_sees_its_own_box(talk: Talk) -> None:
    await talk.type("/notes add one")
    talk.conversation = "other"

    assert await listed(talk) == "Notes of this conversation: 0 of 10."


async def test_private_notes_of_a_brain_that_is_public_now_are_for_the_operator(
    store: Store, clock: FakeClock
) -> None:
    talk = Talk(store=store, clock=clock, config=config(brain(*ALLOW_NOTES, memory=Memory())))
    await talk.type("/notes add one")
    now_public = brain(*ALLOW_NOTES, memory=Memory(), sensitivity="public")
    talk = Talk(store=store, clock=clock, config=config(now_public))

    assert await listed(talk) == "Notes of this conversation: 1 of 10.\n1. one"
    talk.is_operator = False
    assert await listed(talk) == (
        "Notes of this conversation: 1 of 10.\n"
        "Notes from a time when this brain was private are not shown here."
    )


@pytest.mark.proves("P7")
@pytest.mark.parametrize("typed", ["/notes", "/notes clear", "/notes add x", "/notes drop 1"])
async def test_where_notes_are_off_the_answer_says_what_turns_them_on(
    store: Store, clock: FakeClock, typed: str
) -> None:
    talk = Talk(store=store, clock=clock, config=config(brain(Grant(tool="time", mode="allow"))))

    reply = await talk.type(typed)

    assert reply.code == "not_configured"
    assert reply.text == (
        "Notes are off: brain 'assistant' has no agent.memory. To turn them on, add "
        '"memory": {"scope": "conversation"} to its agent, list the tool memory_note, grant it, '
        "and have a storage block."
    )


WITHOUT_TALK = (
    "/notes is about a conversation, and this message names none. "
    "Its client has to send one of the headers in server.conversation_headers."
)


async def test_without_a_conversation_there_is_no_box(talk: Talk) -> None:
    talk.conversation = ""

    reply = await talk.type("/notes")

    assert (reply.text, reply.code) == (
        WITHOUT_TALK,
        "no_conversation",
    )


async def test_a_rehearsal_of_a_tool_that_stores_nothing_is_shown_and_cannot_be_promoted(
    store: Store, clock: FakeClock
) -> None:
    """A brain without notes has rehearsals too, kept for the conversation."""
    talk = Talk(store=store, clock=clock, config=config(brain(Grant(tool="time", mode="shadow"))))
    context = await talk.context()
    journal = Journal(store=store, recorder=talk.recorder)
    calls = talk.executor.begin(context.call_context(origin="model"), journal)
    await calls.run([ToolCall(id="1", name="time")])
    await journal.commit(lambda _: None)

    shown = await talk.type("/notes rehearsals")
    reply = await talk.type("/notes promote 1")

    assert shown.text.splitlines()[0] == "Rehearsals of this conversation: 1."
    assert shown.text.splitlines()[1].startswith("1. time: {} (would be: ")
    assert (reply.text, reply.code) == (
        f"{CANT_PROMOTE} Grant the tool with mode allow, and ask the assistant again.",
        "refused",
    )


@pytest.mark.parametrize("typed", ["/notes rehearsals", "/notes promote 1", "/notes discard 1"])
async def test_without_a_conversation_there_are_no_rehearsals(talk: Talk, typed: str) -> None:
    talk.conversation = ""

    reply = await talk.type(typed)

    assert (reply.text, reply.code) == (
        WITHOUT_TALK,
        "no_conversation",
    )
