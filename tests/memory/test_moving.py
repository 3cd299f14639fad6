"""Notes that go over into another box, or become public, by the hand of the operator."""

from pathlib import Path
from typing import Any

import pytest

from brain.activity import verify
from brain.errors import BrainError, NotFound, UsageError
from brain.records import Box
from brain.runtime import Desk
from brain.store import EventFilter
from tests.clocks import FakeClock
from tests.transfer.world import MAIN, OTHER, SHARED, a_desk, everything, fill, note


def of(brain: str, box: Box = MAIN) -> Box:
    return Box(brain=brain, scope=box.scope, channel=box.channel, conversation=box.conversation)


async def notes(desk: Desk, box: Box) -> list[tuple[int, str, str]]:
    found = await desk.store.read(lambda rows: rows.notes(box, may_read_private=True))
    return [(each.number, each.text, each.sensitivity) for each in found]


async def events(desk: Desk) -> list[tuple[Any, ...]]:
    rows = await desk.store.read(
        lambda rows: rows.events(EventFilter(types=("note_stored", "note_dropped")), limit=99)
    )
    return [
        (row["type"], row["brain"], row["outcome"], row["facts"], row["counts"]) for row in rows
    ]


@pytest.fixture
async def filled(tmp_path: Path, clock: FakeClock) -> Path:
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)
    return tmp_path / "a"


async def test_notes_of_a_renamed_brain_go_over_talk_by_talk_and_stay_private(
    filled: Path, clock: FakeClock
) -> None:
    async with a_desk(filled, clock, house="conversation", work="brain") as desk:
        before = await desk.store.read(lambda rows: rows.notes(MAIN, may_read_private=True))
        moved = await desk.move(from_brain="home", to_brain="house")
        after = await desk.store.read(lambda rows: rows.notes(of("house"), may_read_private=True))
        left = await desk.store.read(lambda rows: [box for box, _ in rows.boxes()])
        other = await notes(desk, of("house", OTHER))
        recorded = await events(desk)
        chain = await verify(desk.store)

    assert len(moved) == 3
    assert [(each.note_id, each.text, each.created_at, each.origin) for each in after] == [
        (each.note_id, each.text, each.created_at, each.origin) for each in before
    ]
    assert [(each.number, each.sensitivity) for each in after] == [(1, "private"), (2, "private")]
    assert other == [(1, "public fact", "public")]
    assert left == [of("house"), of("house", OTHER), SHARED]
    assert ("note_dropped", "home", "moved", {"sensitivity": "private"}) in [
        each[:4] for each in recorded
    ]
    assert [each[:3] for each in recorded].count(("note_stored", "house", "moved")) == 3
    assert chain.first_bad is None


@pytest.mark.proves("P4")
async def test_notes_that_do_not_fit_go_over_all_or_none(filled: Path, clock: FakeClock) -> None:
    async with a_desk(filled, clock, max_notes=2, home="conversation", hall="brain") as desk:
        await desk.store.write(lambda tx: note(tx, of("home", OTHER), "FACT 0 日本"))
        before = everything(desk)
        with pytest.raises(BrainError) as refused:
            await desk.move(from_brain="home", to_brain="hall")
        after = everything(desk)

    assert str(refused.value).partition("\n")[2] == (
        "  note 1 of brain 'home', console / Ö 'other': the box is full (2 of 2), "
        "/notes clear empties it\n"
        "  note 2 of brain 'home', console / Ö 'other': note 1 says the same"
    )
    assert [row for row in after if row[0] in ("notes", "events", "boxes")] == [
        row for row in before if row[0] in ("notes", "events", "boxes")
    ]


async def test_notes_follow_a_changed_scope_into_one_box_or_into_a_talk_that_is_named(
    filled: Path, clock: FakeClock
) -> None:
    async with a_desk(filled, clock, home="brain", work="conversation") as desk:
        await desk.move(from_brain="home", to_brain="home", scope="conversation")
        with pytest.raises(BrainError, match="none is named"):
            await desk.move(from_brain="work", to_brain="work", scope="brain")
        await desk.move(
            from_brain="work",
            to_brain="work",
            scope="brain",
            channel="console",
            conversation="main",
        )
        whole = await notes(desk, Box(brain="home", scope="brain"))
        talk = await notes(desk, of("work"))

    assert [text for _, text, _ in whole] == ["fact 0 日本", "fact 2 日本", "public fact"]
    assert talk == [(1, "shared fact", "private")]


async def test_only_notes_that_are_named_become_public_and_it_is_on_record(
    filled: Path, clock: FakeClock
) -> None:
    async with a_desk(filled, clock) as desk:
        hidden = await desk.store.read(lambda rows: rows.notes(MAIN, may_read_private=False))
        await desk.move(
            from_brain="", to_brain="", conversation="main", numbers=(3,), is_to_public=True
        )
        shown = await desk.store.read(lambda rows: rows.notes(MAIN, may_read_private=False))
        recorded = await events(desk)

    assert hidden == ()
    assert [(each.number, each.text) for each in shown] == [(3, "fact 2 日本")]
    assert recorded == [
        ("note_stored", "home", "made_public", {"sensitivity": "public"}, {"notes": 2})
    ]


async def test_what_is_meant_by_no_note_or_by_several_changes_nothing(
    filled: Path, clock: FakeClock
) -> None:
    async with a_desk(filled, clock) as desk:
        with pytest.raises(NotFound, match="no note is meant"):
            await desk.move(from_brain="nobody", to_brain="home")
        with pytest.raises(NotFound, match="there is no note 2"):
            await desk.move(from_brain="home", to_brain="work", conversation="main", numbers=(1, 2))
        with pytest.raises(BrainError, match="several boxes"):
            await desk.move(from_brain="home", to_brain="home", numbers=(1,), is_to_public=True)
        with pytest.raises(UsageError, match="there is no brain 'new'"):
            await desk.move(from_brain="home", to_brain="new")
        moved = await events(desk)

    assert moved == []
