"""Would-be calls, kept for the operator: bounded, expiring, compared, discarded."""

from datetime import timedelta
from typing import Any

import pytest

from brain.config import Memory, Rehearsals
from brain.errors import NotFound
from brain.memory import (
    BoxDiff,
    DiffLine,
    Verdict,
    diff_rehearsals,
    discard_rehearsals,
    keep_rehearsal,
)
from brain.records import Note, Rehearsal
from tests.clocks import FakeClock
from tests.memory.shelf import BOX, BY, Shelf


async def keep(shelf: Shelf, text: str, *, rules: Rehearsals, held_for: str = "") -> Rehearsal:
    return await shelf.store.write(
        lambda tx: keep_rehearsal(
            tx, shelf.recorder, box=BOX, tool="memory_note", arguments={"note": text},
            would="stored", rules=rules, by=BY, held_for=held_for,
        )
    )  # fmt: skip


async def kept_at(shelf: Shelf, clock: FakeClock) -> list[tuple[int, Any]]:
    now = clock.now()
    rows = await shelf.store.read(lambda rows: rows.rehearsals(BOX, now=now))
    return [(kept.number, kept.arguments["note"]) for kept in rows]


@pytest.mark.proves("P3")
async def test_a_rehearsal_is_kept_with_everything_the_operator_needs_to_judge_it(
    shelf: Shelf, clock: FakeClock
) -> None:
    kept = await keep(
        shelf, "likes tea", rules=Rehearsals(keep_days=2), held_for="this talk read x"
    )
    assert kept == Rehearsal(
        rehearsal_id=kept.rehearsal_id,
        number=1,
        box=BOX,
        tool="memory_note",
        arguments={"note": "likes tea"},
        would="stored",
        created_at=clock.now(),
        expires_at=clock.now() + timedelta(days=2),
        sensitivity="private",
        revision="r1",
        exchange_id="e" * 32,
        channel="console",
        sender="owner",
        session=2,
        turn_id=5,
        held_for="this talk read x",
    )


async def test_the_oldest_rehearsal_makes_room_and_that_is_on_record(
    shelf: Shelf, clock: FakeClock
) -> None:
    rules = Rehearsals(max=2)
    for text in ("one", "two", "three"):
        await keep(shelf, text, rules=rules)
    assert await kept_at(shelf, clock) == [(2, "two"), (3, "three")]
    assert [(kind, outcome) for kind, outcome, _ in await shelf.events()] == [
        ("rehearsal_kept", "rehearsed"),
        ("rehearsal_kept", "rehearsed"),
        ("rehearsal_dropped", "pushed_out"),
        ("rehearsal_kept", "rehearsed"),
    ]


async def test_a_rehearsal_expires(shelf: Shelf, clock: FakeClock) -> None:
    await keep(shelf, "one", rules=Rehearsals(keep_days=1))
    clock.advance(86_399)
    assert await kept_at(shelf, clock) == [(1, "one")]
    clock.advance(1)
    assert await kept_at(shelf, clock) == []
    await keep(shelf, "two", rules=Rehearsals(keep_days=1))
    assert [(kind, outcome) for kind, outcome, _ in await shelf.events()] == [
        ("rehearsal_kept", "rehearsed"),
        ("rehearsal_dropped", "expired"),
        ("rehearsal_kept", "rehearsed"),
    ]


async def test_rehearsals_are_discarded_all_or_none(shelf: Shelf, clock: FakeClock) -> None:
    for text in ("one", "two", "three"):
        await keep(shelf, text, rules=Rehearsals())

    async def discard(*numbers: int) -> tuple[int, ...]:
        gone = await shelf.store.write(
            lambda tx: discard_rehearsals(tx, shelf.recorder, box=BOX, numbers=numbers, by=BY)
        )
        return tuple(kept.number for kept in gone)

    with pytest.raises(NotFound, match="there is no rehearsal 9 here; nothing was changed"):
        await discard(1, 9)
    assert await kept_at(shelf, clock) == [(1, "one"), (2, "two"), (3, "three")]
    assert await discard(3, 1, 3) == (3, 1)
    assert await kept_at(shelf, clock) == [(2, "two")]
    assert [kind for kind, _, _ in await shelf.events()] == [
        *["rehearsal_kept"] * 3,
        *["rehearsal_dropped"] * 2,
    ]


def note(number: int, text: str, clock: FakeClock) -> Note:
    return Note(
        note_id=str(number), number=number, box=BOX, text=text, created_at=clock.now(),
        origin="model", sensitivity="private", revision="r1",
    )  # fmt: skip


def rehearsal(
    number: int, clock: FakeClock, *, tool: str = "memory_note", **arguments: Any
) -> Rehearsal:
    return Rehearsal(
        rehearsal_id=str(number), number=number, box=BOX, tool=tool, arguments=arguments,
        would="stored", created_at=clock.now(), expires_at=clock.now(), sensitivity="private",
        revision="r1",
    )  # fmt: skip


def line(state: Verdict | Any, number: int, text: str) -> DiffLine:
    return DiffLine(state=state, number=number, text=text)


@pytest.mark.proves("P3")
def test_a_box_is_compared_with_itself_after_its_rehearsals_were_promoted(clock: FakeClock) -> None:
    notes = [note(2, "likes tea", clock), note(5, "has a cat", clock)]
    rehearsals = [
        rehearsal(1, clock, note=" LIKES  tea"),
        rehearsal(2, clock, note="x" * 21),
        rehearsal(3, clock, note="plays\nchess"),
        rehearsal(4, clock, tool="echo", text="hello"),
        rehearsal(5, clock, note="Plays chess"),
        rehearsal(6, clock, note="lives in Faro"),
        rehearsal(7, clock, text="no note at all"),
    ]
    kept = (line("kept", 2, "likes tea"), line("kept", 5, "has a cat"))
    assert diff_rehearsals(notes, rehearsals, Memory(max_notes=3, max_note_runes=20)) == BoxDiff(
        as_it_is=kept,
        would_be=(*kept, line("stored", 3, "plays chess")),
        refused=(
            line("duplicate", 1, "LIKES tea"),
            line("too_long", 2, "x" * 21),
            line("duplicate", 5, "Plays chess"),
            line("full", 6, "lives in Faro"),
            line("empty", 7, ""),
        ),
        other_tools=1,
        max_notes=3,
    )


@pytest.mark.proves("P4")
def test_what_the_prompt_would_have_no_room_for_is_told_before_it_is_promoted(
    clock: FakeClock,
) -> None:
    rehearsals = [rehearsal(1, clock, note="茶が好き"), rehearsal(2, clock, note="猫がいる")]
    found = diff_rehearsals([], rehearsals, Memory(budget_tokens=59))

    assert (found.would_be, found.refused) == (
        (line("stored", 1, "茶が好き"),),
        (line("no_room", 2, "猫がいる"),),
    )


def test_nothing_compared_with_nothing_is_nothing() -> None:
    assert diff_rehearsals([], [], Memory()) == BoxDiff(
        as_it_is=(), would_be=(), refused=(), other_tools=0, max_notes=10
    )
