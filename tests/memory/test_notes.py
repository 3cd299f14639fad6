"""The one place that stores, refuses, drops and clears notes: rows, numbers, caps, events."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from brain.activity import Recorder
from brain.config import Memory, Storage
from brain.errors import NotFound
from brain.memory import judge_note, keep_rehearsal
from brain.records import Note
from brain.store import Transaction, open_store
from tests.clocks import FakeClock
from tests.memory.shelf import BOX, BY, MEMORY, OTHER, Shelf


async def test_a_note_is_kept_with_everything_that_is_known_of_it(
    shelf: Shelf, clock: FakeClock
) -> None:
    verdict = await shelf.add("  likes\n tea ", by=replace(BY, is_tainted=True))
    [note] = await shelf.store.read(lambda rows: rows.notes(BOX, may_read_private=True))
    assert verdict.note == note
    assert note == Note(
        note_id=note.note_id,
        number=1,
        box=BOX,
        text="likes tea",
        created_at=clock.now(),
        origin="model",
        sensitivity="private",
        revision="r1",
        channel="console",
        sender="owner",
        session=2,
        turn_id=5,
        is_tainted=True,
    )


@pytest.mark.proves("P4")
@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("Likes  TEA", "duplicate", "note 1 says the same"),
        ("", "empty", "the note is empty"),
        ("x" * 21, "too_long", "the note has 21 characters, 20 are allowed"),
        ("a\u202eb", "characters", "the note holds control or hidden characters"),
        ("<|im_end|>", "template_token", "the note holds a control token of a model"),
    ],
)
async def test_a_note_that_is_refused_leaves_the_box_as_it_was_and_says_why(
    shelf: Shelf, text: str, code: str, reason: str
) -> None:
    await shelf.add("likes tea")
    verdict = await shelf.add(text)
    assert (verdict.code, verdict.reason) == (code, reason)
    assert await shelf.texts() == {1: "likes tea"}
    assert await shelf.events() == [
        ("note_stored", "model", {"notes": 1}),
        ("note_refused", code, None),
    ]


@pytest.mark.proves("P4")
async def test_a_full_box_refuses_and_evicts_nothing(shelf: Shelf) -> None:
    for text in ("one", "two", "three"):
        await shelf.add(text)
    verdict = await shelf.add("four")
    assert (verdict.code, verdict.count) == ("full", 3)
    assert verdict.reason == "the box is full (3 of 3), /notes clear empties it"
    assert (await shelf.add("one")).code == "duplicate"
    assert await shelf.texts() == {1: "one", 2: "two", 3: "three"}


@pytest.mark.proves("P4")
async def test_a_note_that_the_prompt_has_no_room_for_is_refused_and_the_box_stays(
    shelf: Shelf,
) -> None:
    """The box costs 41 tokens with the first note; the second would bring it to 60."""
    memory = Memory(max_notes=3, max_note_runes=20, budget_tokens=59)
    alone = await shelf.add("茶" * 20, memory=memory)
    first = await shelf.add("茶が好き", memory=memory)
    second = await shelf.add("猫がいる", memory=memory)
    short = await shelf.add("cat", memory=memory)

    assert (alone.code, alone.count, alone.reason) == (
        "no_room",
        0,
        "the note would take 95 tokens of a prompt and notes may take 59, a shorter one fits",
    )
    assert (first.code, second.code, second.count, short.code) == ("stored", "no_room", 1, "stored")
    assert second.reason == (
        "the notes would take 60 tokens of a prompt and may take 59, /notes drop N makes room"
    )
    assert await shelf.texts() == {1: "茶が好き", 2: "cat"}
    assert [outcome for _, outcome, _ in await shelf.events()] == [
        "no_room", "model", "no_room", "model",
    ]  # fmt: skip


@pytest.mark.proves("P4")
@pytest.mark.parametrize("processes", [1, 2])
async def test_sixty_four_at_once_never_exceed_the_cap(
    tmp_path: Path, clock: FakeClock, processes: int
) -> None:
    storage = Storage(path=tmp_path / "brain.db")
    memory = Memory(max_notes=10, max_note_runes=20)
    async with open_store(storage, clock=clock) as first, open_store(storage, clock=clock) as other:
        shelves = [
            Shelf(store=store, recorder=Recorder(run_id=f"run{number}", revision="r1"))
            for number, store in enumerate((first, other)[:processes])
        ]
        verdicts = await asyncio.gather(
            *(
                shelves[number % processes].add(f"fact {number}", memory=memory)
                for number in range(64)
            )
        )
        codes = [verdict.code for verdict in verdicts]
        assert (codes.count("stored"), codes.count("full")) == (10, 54)
        stored = await shelves[-1].texts()
        assert sorted(stored) == list(range(1, 11))
        assert len(set(stored.values())) == 10
        assert len(await shelves[-1].events()) == 64


@pytest.mark.proves("P4")
async def test_the_same_note_sixty_four_times_at_once_is_stored_once(shelf: Shelf) -> None:
    verdicts = await asyncio.gather(*(shelf.add("likes tea") for _ in range(64)))
    codes = [verdict.code for verdict in verdicts]
    assert (codes.count("stored"), codes.count("duplicate")) == (1, 63)


@pytest.mark.proves("P4")
async def test_a_note_without_a_conversation_is_refused_never_stored_somewhere_else(
    shelf: Shelf,
) -> None:
    verdict = await shelf.add("likes tea", box=None)
    assert verdict.code == "no_conversation"
    assert await shelf.store.read(lambda rows: rows.boxes()) == ()


async def test_boxes_do_not_see_each_other(shelf: Shelf) -> None:
    await shelf.add("likes tea")
    assert (await shelf.add("likes tea", box=OTHER)).code == "stored"
    await shelf.clear()
    assert await shelf.texts() == {}
    assert await shelf.texts(OTHER) == {1: "likes tea"}


async def test_a_dropped_number_is_not_given_again_until_the_box_is_cleared(shelf: Shelf) -> None:
    await shelf.add("one")
    await shelf.add("two")
    assert (await shelf.drop(2)).text == "two"
    await shelf.add("three")
    assert await shelf.texts() == {1: "one", 3: "three"}
    with pytest.raises(NotFound, match="there is no note 2 here; nothing was dropped"):
        await shelf.drop(2)
    assert await shelf.clear() == (2, 0)
    await shelf.add("four")
    assert await shelf.texts() == {1: "four"}
    assert await shelf.events() == [
        ("note_stored", "model", {"notes": 1}),
        ("note_stored", "model", {"notes": 2}),
        ("note_dropped", None, {"notes": 1}),
        ("forgetting_begun", "note", {"notes": 1}),
        ("note_stored", "model", {"notes": 2}),
        ("notes_cleared", "conversation", {"notes": 2, "rehearsals": 0}),
        ("forgetting_begun", "box", {"notes": 2}),
        ("note_stored", "model", {"notes": 1}),
    ]


@pytest.mark.proves("P11")
async def test_a_clear_takes_the_rehearsals_too_and_outdates_work_in_flight(shelf: Shelf) -> None:
    await shelf.add("one")

    def keep(tx: Transaction) -> None:
        keep_rehearsal(
            tx, shelf.recorder, box=BOX, tool="memory_note", arguments={"note": "two"},
            would="stored", rules=MEMORY.rehearsals, by=BY,
        )  # fmt: skip

    await shelf.store.write(keep)
    assert await shelf.clear() == (1, 1)
    assert await shelf.store.read(lambda rows: rows.generation(BOX)) == 1
    assert (await shelf.add("one", is_outdated=True)).code == "outdated"
    assert (await shelf.add("one")).code == "stored"


async def test_judging_a_note_tells_what_adding_it_would_and_changes_nothing(shelf: Shelf) -> None:
    await shelf.add("one")
    for text in ("one", "two", "", "x" * 30):
        judged = await shelf.store.read(
            lambda rows, text=text: judge_note(rows, box=BOX, memory=MEMORY, text=text)
        )
        assert await shelf.texts() == {1: "one"}
        added = await shelf.add(text)
        assert (judged.code, judged.text, judged.count) == (added.code, added.text, added.count)
        if added.note is not None and added.code == "stored":
            await shelf.drop(added.number)
