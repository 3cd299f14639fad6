"""Which rows go when something is forgotten, and which stay."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from brain.errors import NotFound
from brain.memory import Forgotten, Target
from brain.store import BoxChoice, MailChoice, TurnChoice
from tests.flows.test_first_conversation import noting
from tests.flows.world import World, grant, open_world, sample
from tests.forgetting.job import finished

NOTE = "keeps a spare key under the third flowerpot"


def allowing(scope: str = "conversation") -> dict[str, Any]:
    document = grant(sample(), "memory_note", "allow")
    document["brains"][0]["agent"]["memory"]["scope"] = scope
    return document


async def forget(world: World, **target: Any) -> Forgotten:
    return await world.runtime.desk("owner").forget(Target(**target))


async def texts(world: World, conversation: str = "main") -> dict[int, list[str]]:
    """Return the turns of each session of a conversation; none where it is not known."""

    def look(rows: Any) -> dict[int, list[str]]:
        talk_id = rows.conversation_id("console", conversation) or ""
        return {
            session.number: [
                turn.text
                for turn in rows.turns(talk_id, session.number, limit=100, may_read_private=True)
            ]
            for session in rows.sessions(talk_id, limit=100)
        }

    return await world.runtime.store.read(look)


async def counts(world: World) -> Mapping[str, int]:
    """Return how many rows each table of content has."""
    tables = ("turns", "sessions", "conversations", "notes", "rehearsals", "receipts", "actors")

    def look(tx: Any) -> dict[str, int]:
        return {name: tx._sql.row(f"SELECT count(*) FROM {name}")[0] for name in tables}  # noqa: S608 - names of ours

    return await world.runtime.store.write(look)


@pytest.mark.proves("P11")
async def test_a_note_goes_with_rehearsals_of_its_words_and_leaves_the_transcript(
    tmp_path: Path,
) -> None:
    replies = [noting(NOTE), "Noted."]
    async with open_world(tmp_path, allowing(), replies) as world:
        await world.say("Where is the key? Remember it.")
        place = world.runtime.desk("owner").place()
        gone = await world.runtime.desk("owner").forget_note(place, 1)

        assert (gone.counts, gone.note and gone.note.text) == ({"notes": 1}, NOTE)
        assert await texts(world) == {1: ["Where is the key? Remember it.", "Noted."]}
        with pytest.raises(NotFound):
            await world.runtime.desk("owner").forget_note(place, 1)


@pytest.mark.proves("P11")
@pytest.mark.parametrize(
    "rehearsed",
    [NOTE, "Keeps  a spare key\n under the third\u00a0flowerpot ", NOTE.upper()],
    ids=["the same", "other whitespace", "other case"],
)
async def test_a_note_takes_rehearsals_that_say_the_same_in_whatever_spacing(
    tmp_path: Path, rehearsed: str
) -> None:
    document = grant(sample(), "memory_note", "shadow")
    async with open_world(tmp_path, document, [noting(rehearsed), "Fine."]) as world:
        await world.say("Where is the key? Remember it.")
        await world.say(f"/notes add {NOTE}")
        desk = world.runtime.desk("owner")
        gone = await desk.forget_note(desk.place(), 1)

        assert gone.counts == {"notes": 1, "rehearsals": 1}
        assert (await counts(world))["rehearsals"] == 0


@pytest.mark.proves("P11")
async def test_a_note_with_its_transcript_takes_the_exchange_that_led_to_it_and_its_words(
    tmp_path: Path,
) -> None:
    replies = [noting(NOTE), "Noted.", "Hello.", f"You said: {NOTE}.", "Bye."]
    async with open_world(tmp_path, allowing(), replies) as world:
        await world.say("Where is the key? Remember it.")
        await world.say("Hi.")
        await world.say("What do you know?")
        desk = world.runtime.desk("owner")
        target = desk.meant(desk.place(), kind="note", number=1, has_transcript=True)
        gone = await desk.forget(target)

        assert gone.counts == {"notes": 1, "turns": 4, "receipts": 1}
        assert await texts(world) == {1: ["Hi.", "Hello."]}


@pytest.mark.proves("P11")
async def test_words_that_the_model_gave_a_capital_are_found_where_they_were_said(
    tmp_path: Path,
) -> None:
    said = "Remember that my sister Ana lives in Lisbon."
    noted = "My sister Ana lives in Lisbon"
    async with open_world(tmp_path, allowing(), [noting(noted), "Noted."] * 2) as world:
        await world.say(said)
        desk = world.runtime.desk("owner")
        await desk.forget_note(desk.place(), 1)
        done = await finished(world.runtime.store, world.clock)

        assert done.receipt is not None
        assert done.receipt["rows"] == {"turns": 1}
        assert done.receipt["outcome"] == "elsewhere"

        await world.say("Once more: " + said[9:])
        target = desk.meant(desk.place(), kind="note", number=2, has_transcript=True)
        await desk.forget(target)
        assert await texts(world) == {1: []}


@pytest.mark.proves("P11", "P8")
async def test_a_session_takes_the_block_that_was_recalled_from_it(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["In the cellar.", "Fine.", "Yes."]) as world:
        await world.say("Where is my bike?")
        await world.say("/new")
        await world.say("/recall")
        await world.say("Something else.")
        gone = await forget(
            world, kind="session", channel="console", conversation="main", session=1
        )

        assert gone.counts == {"turns": 3, "sessions": 1}
        assert await texts(world) == {2: ["Something else.", "Fine."]}
        await world.say("/new /recall")
        assert (await texts(world))[3][0].startswith("[Recalled from session 2, ")


@pytest.mark.proves("P11")
async def test_the_active_session_goes_and_no_older_one_goes_on_under_its_number(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two.", "Three."]) as world:
        await world.say("first")
        await world.say("/new second")
        await forget(world, kind="session", channel="console", conversation="main", session=2)
        await world.say("third")

        assert await texts(world) == {1: ["first", "One."], 3: ["third", "Three."]}
        assert "second" not in str(world.model.requests[-1])


@pytest.mark.proves("P11")
async def test_a_conversation_goes_with_its_box_and_what_resolves_its_id(tmp_path: Path) -> None:
    replies = [noting(NOTE), "Noted.", "Hello."]
    async with open_world(tmp_path, allowing(), replies) as world:
        await world.say("Where is the key? Remember it.")
        await world.say("Hi.", conversation="other")
        talk_id = await world.runtime.store.read(
            lambda rows: rows.conversation_id("console", "main")
        )
        gone = await forget(world, kind="conversation", channel="console", conversation="main")

        assert gone.counts == {
            "sessions": 1, "turns": 2, "receipts": 1, "notes": 1, "conversations": 1,
        }  # fmt: skip
        assert await texts(world) == {}
        assert await texts(world, "other") == {1: ["Hi.", "Hello."]}
        [begun] = [
            event
            for event in await world.events("type", "conversation", "outcome", "counts")
            if event[0] == "forgetting_begun"
        ]
        assert begun == ("forgetting_begun", talk_id, "conversation", gone.counts)


@pytest.mark.proves("P11")
async def test_a_note_of_a_shared_box_stays_when_its_talk_goes_and_is_told(tmp_path: Path) -> None:
    async with open_world(tmp_path, allowing("brain"), [noting(NOTE), "Noted."]) as world:
        await world.say("Where is the key? Remember it.")
        gone = await forget(world, kind="conversation", channel="console", conversation="main")

        assert (gone.kept_notes, gone.counts.get("notes")) == (1, None)
        assert (await counts(world))["notes"] == 1


@pytest.mark.proves("P11")
async def test_a_sender_goes_with_the_answers_the_notes_and_the_name_and_others_stay(
    tmp_path: Path,
) -> None:
    replies = ["Hello ann.", noting(NOTE), "Noted.", "Hello bob."]
    async with open_world(tmp_path, allowing("brain"), replies) as world:
        await world.say("I am ann.", sender="ann")
        await world.say("Remember my key.", sender="ann", conversation="own")
        await world.say("I am bob.", sender="bob")
        gone = await forget(world, kind="sender", channel="console", sender="ann")

        assert gone.counts == {
            "turns": 4, "receipts": 1, "notes": 1, "senders": 1, "sessions": 1, "conversations": 1,
        }  # fmt: skip
        assert await texts(world) == {1: ["I am bob.", "Hello bob."]}
        assert await texts(world, "own") == {}, "a talk that nobody else was in goes with its name"


@pytest.mark.proves("P11")
async def test_everything_goes_and_the_record_stays_whole(tmp_path: Path) -> None:
    replies = [noting(NOTE), "Noted.", "Hello."]
    async with open_world(tmp_path, allowing("brain"), replies) as world:
        await world.say("Remember my key.")
        await world.say("Hi.", conversation="other", message_id="m1")
        before = await world.events("seq")
        gone = await forget(world, kind="everything")

        assert set((await counts(world)).values()) == {0}
        assert (gone.counts["conversations"], gone.counts["message_ids"]) == (2, 1)
        assert (await world.events("seq"))[: len(before)] == before


@pytest.mark.parametrize("kind", ["note", "box", "session", "conversation", "sender", "everything"])
async def test_a_plan_counts_what_would_go_and_changes_nothing(tmp_path: Path, kind: str) -> None:
    async with open_world(tmp_path, allowing(), [noting(NOTE), "Noted."]) as world:
        await world.say("Remember my key.")
        desk = world.runtime.desk("owner")
        place = desk.place()
        target = {
            "note": lambda: desk.meant(place, kind="note", number=1, has_transcript=True),
            "box": lambda: desk.meant(place, kind="box"),
            "session": lambda: Target(
                kind="session", channel="console", conversation="main", session=1
            ),
            "conversation": lambda: Target(
                kind="conversation", channel="console", conversation="main"
            ),
            "sender": lambda: Target(kind="sender", channel="console", sender="owner"),
            "everything": lambda: Target(kind="everything"),
        }[kind]()
        before, events = await counts(world), await world.events("seq")
        plan = await desk.plan_forgetting(target)

        assert (await counts(world), await world.events("seq")) == (before, events)
        assert plan.gone
        assert plan.counts == (await desk.forget(target)).counts


@pytest.mark.parametrize(
    "target",
    [
        {"kind": "session", "channel": "console", "conversation": "main", "session": 7},
        {"kind": "session", "channel": "console", "conversation": "nobody", "session": 1},
        {"kind": "conversation", "conversation_id": "0" * 32},
        {"kind": "sender", "channel": "console", "sender": "nobody"},
    ],
)
async def test_what_is_not_there_is_not_forgotten_and_leaves_no_job(
    tmp_path: Path, target: dict[str, Any]
) -> None:
    async with open_world(tmp_path, sample(), ["Hello."]) as world:
        await world.say("hi")
        with pytest.raises(NotFound):
            await forget(world, **target)
        assert await world.runtime.store.read(lambda rows: rows.waiting_forgettings()) == ()


@pytest.mark.parametrize(
    "choice",
    [
        lambda: TurnChoice(channel="console", sender=""),
        lambda: TurnChoice(conversation_id="", session=1),
        lambda: TurnChoice(conversation_id="0" * 32, exchange_ids=("",)),
        lambda: BoxChoice(channel="console", sender=""),
        lambda: MailChoice(channel="hook", conversation=""),
        lambda: TurnChoice(channel="console"),
        lambda: MailChoice(channel="hook"),
        TurnChoice,
    ],
)
def test_an_empty_name_chooses_nothing_rather_than_everything(choice: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"names? |name "):
        choice()


@pytest.mark.proves("P11")
async def test_a_sender_without_a_name_takes_nothing_of_the_others(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["Hello."]) as world:
        await world.say("hi")
        with pytest.raises(ValueError, match="by sender"):
            await forget(world, kind="sender", channel="console", sender="")
        assert await texts(world) == {1: ["hi", "Hello."]}


@pytest.mark.proves("P11")
async def test_who_is_in_no_talk_any_more_is_forgotten_with_the_last_one(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two.", "Three."]) as world:
        await world.say("hi", sender="ann", message_id="m1")
        await world.say("hi", sender="bob", message_id="m2")
        await world.say("hi", sender="bob", conversation="other", message_id="m3")
        gone = await forget(world, kind="conversation", channel="console", conversation="main")

        assert (gone.counts["senders"], gone.counts["message_ids"]) == (1, 1)
        known = await world.runtime.store.read(
            lambda rows: [bool(rows.actor_id("console", each)) for each in ("ann", "bob")]
        )
        assert known == [False, True]


@pytest.mark.proves("P11")
async def test_the_ids_of_a_sender_go_and_those_of_one_whose_name_begins_alike_stay(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two.", "Three."]) as world:
        await world.say("hi", sender="a", message_id="of its own form")
        await world.say("hi", sender="a/b", message_id="a/b/m2")
        gone = await forget(world, kind="sender", channel="console", sender="a")

        assert gone.counts["message_ids"] == 1
        assert await world.runtime.store.write(lambda tx: tx.seen("console", "a/b/m2")) is not None
