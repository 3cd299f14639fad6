"""From one store to another and back."""

import asyncio
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from brain.activity import verify
from brain.errors import BrainError, UsageError
from brain.store import EventFilter, Transaction
from brain.transfer import Selection
from tests.clocks import FakeClock
from tests.docs.reference import EXPORT_SCHEMA
from tests.transfer.world import (
    FULL,
    MAIN,
    OTHER,
    SAVED,
    SHARED,
    a_desk,
    comparable,
    everything,
    exported,
    fill,
    imported,
    note,
    recounted,
    turn,
    write,
)


async def test_a_new_store_that_takes_up_an_export_exports_the_same(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        before = await exported(first, tmp_path / "1.jsonl")
        done = await imported(second, tmp_path / "1.jsonl")
        after = await exported(second, tmp_path / "2.jsonl")

    assert comparable(after) == comparable(before)
    assert {line["origin"] for line in after if line["kind"] == "note"} == {"import"}
    assert before[0]["counts"] == {
        "conversations": 3, "sessions": 3, "turns": 5, "notes": 4, "rehearsals": 3,
    }  # fmt: skip
    assert {name: dict(counts) for name, counts in done.counts.items()} == {
        name: {"new": count} for name, count in before[0]["counts"].items()
    }


async def test_a_second_import_changes_nothing_and_leaves_no_event(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl")
        await imported(second, tmp_path / "1.jsonl")
        once = everything(second)
        again = await imported(second, tmp_path / "1.jsonl")
        before = everything(first)
        of_its_own = await imported(first, tmp_path / "1.jsonl")
        everything_of_its_own = everything(first)
        twice = everything(second)

    for done in (again, of_its_own):
        assert (done.total("there"), done.total("new"), done.total("refused")) == (18, 0, 0)
    assert twice == once
    assert everything_of_its_own == before


async def test_what_brain_said_under_a_reply_is_in_no_export_and_stays_where_it_was_said(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        lines = await exported(first, tmp_path / "1.jsonl")
        await imported(second, tmp_path / "1.jsonl")
        await imported(first, tmp_path / "1.jsonl")
        said = [
            await desk.store.read(
                lambda rows: [
                    (turn.effects, turn.truth)
                    for name in ("main", "Ö 'other'")
                    for turn in rows.turns(
                        rows.conversation_id("console", name) or "",
                        1,
                        limit=9,
                        may_read_private=True,
                    )
                    if turn.role == "assistant"
                ]
            )
            for desk in (first, second)
        ]

    assert said == [[((SAVED, FULL), ""), ((), "nothing was saved")], [((), "")] * 2]
    assert not [line for line in lines if {"effects", "truth"} & line.keys()]


async def test_a_newer_export_brings_what_came_since(tmp_path: Path, clock: FakeClock) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl")
        await imported(second, tmp_path / "1.jsonl")

        def go_on(tx: Transaction) -> None:
            talk = tx.open_conversation("console", "main")
            asked = turn(tx, talk, "and more", 2)
            tx.start_session(talk)
            turn(tx, talk, "later", 3)
            note(tx, MAIN, "a later fact", turn_id=asked)

        await first.store.write(go_on)
        before = await exported(first, tmp_path / "2.jsonl")
        done = await imported(second, tmp_path / "2.jsonl")
        after = await exported(second, tmp_path / "3.jsonl")

    assert done.counts["turns"] == {"there": 5, "new": 2}
    assert done.counts["sessions"] == {"there": 3, "new": 1}
    assert done.counts["notes"] == {"there": 4, "new": 1}
    assert comparable(after) == comparable(before)


async def test_in_a_store_that_has_turns_notes_name_the_new_ids_of_theirs(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)

        def live(tx: Transaction) -> None:
            talk = tx.open_conversation("console", "of here")
            tx.start_session(talk)
            turn(tx, talk, "hello")

        await second.store.write(live)
        await exported(first, tmp_path / "1.jsonl")
        await imported(second, tmp_path / "1.jsonl")
        after = await exported(second, tmp_path / "2.jsonl")

    asked = next(line["id"] for line in after if line.get("text", "").startswith("Line\n"))
    causes = [line["turn"] for line in after if line["kind"] == "note" and line["sender"] == "ada"]
    assert asked != 1
    assert causes == [asked, asked]


async def test_notes_without_their_talks_name_no_turn(tmp_path: Path, clock: FakeClock) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl", what=("notes",))
        await imported(second, tmp_path / "1.jsonl")
        after = await exported(second, tmp_path / "2.jsonl")

    assert [line["kind"] for line in after] == ["export", *["note"] * 4]
    assert {line["turn"] for line in after[1:]} == {0}


async def test_a_talk_that_went_another_way_here_is_refused_and_nothing_is_taken_up(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl")

        def live(tx: Transaction) -> None:
            talk = tx.open_conversation("console", "main")
            tx.start_session(talk)
            turn(tx, talk, "something else")

        await second.store.write(live)
        before = everything(second)
        with pytest.raises(BrainError, match="lines are refused"):
            await imported(second, tmp_path / "1.jsonl")
        unchanged = everything(second)
        rest = await imported(second, tmp_path / "1.jsonl", without_refused=True)

    assert unchanged == before
    assert rest.counts["turns"] == {"refused": 4, "new": 1}
    assert "session 1 of the talk 'main' on 'console' is another one" in rest.refusals[0].expected
    assert rest.counts["notes"] == {"new": 4}


@pytest.mark.proves("P4")
async def test_a_box_takes_as_many_as_its_cap_and_a_file_over_it_is_refused_whole(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with (
        a_desk(tmp_path / "a", clock) as first,
        a_desk(tmp_path / "b", clock, max_notes=1) as second,
    ):
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl")
        before = everything(second)
        with pytest.raises(BrainError, match="1 line is refused"):
            await imported(second, tmp_path / "1.jsonl")
        unchanged = everything(second)
        plan = await second.plan_import(tmp_path / "1.jsonl", what=("notes",))
        await imported(second, tmp_path / "1.jsonl", without_refused=True)
        count = await second.store.read(lambda rows: rows.note_count(MAIN))

    assert unchanged == before
    assert [each.expected for each in plan.refusals] == [
        "not stored: the box is full (1 of 1), /notes clear empties it"
    ]
    assert count == 1


async def test_a_plan_changes_nothing_and_foretells_the_import(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl")
        before = everything(second)
        plan = await second.plan_import(tmp_path / "1.jsonl", what=("notes", "rehearsals"))
        unchanged = everything(second)
        done = await imported(second, tmp_path / "1.jsonl", what=("notes", "rehearsals"))

    assert unchanged == before
    assert done == plan


async def test_a_file_can_not_make_public_what_is_private_here(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)
        lines = await exported(desk, tmp_path / "1.jsonl")
        public = [
            {**line, "sensitivity": "public"} if line["kind"] == "note" else line for line in lines
        ]
        before = everything(desk)
        done = await imported(desk, write(tmp_path / "2.jsonl", public))
        after = everything(desk)

    assert done.total("new") == 0
    assert after == before


async def test_private_and_public_rows_arrive_as_they_were(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl")
        await imported(second, tmp_path / "1.jsonl")
        hidden = await second.store.read(lambda rows: rows.notes(MAIN, may_read_private=False))
        shown = await second.store.read(lambda rows: rows.notes(OTHER, may_read_private=False))

    assert hidden == ()
    assert [each.text for each in shown] == ["public fact"]


async def test_notes_of_a_brain_or_scope_that_the_config_lacks_are_refused_with_the_way(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with (
        a_desk(tmp_path / "a", clock) as first,
        a_desk(tmp_path / "b", clock, work="conversation") as second,
    ):
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl", what=("notes",))
        plan = await second.plan_import(tmp_path / "1.jsonl", what=("notes",))

    assert plan.counts["notes"] == {"refused": 4}
    assert "no brain 'home'" in plan.refusals[0].expected
    assert "brain notes move" in plan.refusals[0].expected
    assert "the scope 'conversation' here, and not 'brain'" in plan.refusals[-1].expected


async def test_rehearsals_that_expired_are_left_out_and_stop_nothing(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl")
        clock.advance(2 * 86_400)
        done = await imported(second, tmp_path / "1.jsonl")

    assert done.counts["rehearsals"] == {"new": 2, "expired": 1}


async def test_an_export_can_be_of_one_brain_alone(tmp_path: Path, clock: FakeClock) -> None:
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)
        lines = await exported(desk, tmp_path / "1.jsonl", brains=("work",))

    assert {line["brain"] for line in lines if line["kind"] == "turn"} == {"work"}
    assert {line["box"]["brain"] for line in lines if "box" in line} == {"work"}
    assert lines[0]["counts"] == {
        "conversations": 1, "sessions": 1, "turns": 1, "notes": 1, "rehearsals": 1,
    }  # fmt: skip


async def test_every_line_has_the_published_shape_and_obeys_no_terminal(
    tmp_path: Path, clock: FakeClock
) -> None:
    schema = json.loads(EXPORT_SCHEMA.read_text(encoding="utf-8"))
    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)
        lines = await exported(desk, tmp_path / "1.jsonl")

    assert {line["kind"] for line in lines} == set(schema["$defs"])
    assert [error.message for line in lines for error in checker.iter_errors(line)] == []
    text = (tmp_path / "1.jsonl").read_text(encoding="utf-8")
    assert not set(text) & set("\x1b\u202e\x9b\u2028")
    assert "日本" in text


async def test_an_export_and_an_import_are_on_record_with_their_counts(
    tmp_path: Path, clock: FakeClock
) -> None:
    def of(what: str) -> EventFilter:
        return EventFilter(types=(what,))

    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        lines = await exported(first, tmp_path / "1.jsonl")
        await imported(second, tmp_path / "1.jsonl")
        out = await first.store.read(lambda rows: rows.events(of("exported"), limit=9))
        into = await second.store.read(lambda rows: rows.events(of("imported"), limit=9))
        stored = await second.store.read(lambda rows: rows.events(of("note_stored"), limit=9))
        chain = await verify(second.store)

    assert [row["counts"] for row in out] == [lines[0]["counts"]]
    assert [row["counts"] for row in into] == [lines[0]["counts"]]
    assert [(row["ref"], row["outcome"]) for row in stored] == [
        (line["id"], "import") for line in lines if line["kind"] == "note"
    ]
    assert chain.first_bad is None


async def test_a_file_is_new_for_its_owner_alone_and_leaves_nothing_beside_it(
    tmp_path: Path, clock: FakeClock
) -> None:
    target = tmp_path / "out" / "1.jsonl"
    target.parent.mkdir()
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)
        await exported(desk, target)
        with pytest.raises(UsageError, match="already"):
            await exported(desk, target)
        with pytest.raises(BrainError, match="can't be written"):
            await exported(desk, tmp_path / "nowhere" / "1.jsonl")
        assert desk.config.storage is not None
        beside = sorted(each.name for each in desk.config.storage.path.parent.iterdir())

    assert target.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in target.parent.iterdir()] == ["1.jsonl"]
    assert not [name for name in beside if name.startswith(".copy")]


async def test_what_is_written_while_an_export_runs_is_not_half_in_it(
    tmp_path: Path, clock: FakeClock
) -> None:
    """Each turn is stored with a note of the same text: a file has both or none."""
    async with a_desk(tmp_path / "a", clock) as desk:
        talk = await desk.store.write(lambda tx: tx.open_conversation("console", "main"))
        await desk.store.write(lambda tx: tx.start_session(talk))

        def both(tx: Transaction, text: str) -> None:
            turn(tx, talk, text)
            note(tx, MAIN, text)

        async def live() -> None:
            for number in range(40):
                await desk.store.write(lambda tx, number=number: both(tx, f"fact {number}"))

        async def export(number: int) -> list[dict[str, Any]]:
            return await exported(desk, tmp_path / f"{number}.jsonl")

        _, *files = await asyncio.gather(live(), *(export(number) for number in range(4)))

    for lines in files:
        turns = sorted(line["text"] for line in lines if line["kind"] == "turn")
        assert turns == sorted(line["text"] for line in lines if line["kind"] == "note")


async def test_a_note_that_says_the_same_counts_as_there(tmp_path: Path, clock: FakeClock) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl", what=("notes",))
        await second.store.write(lambda tx: note(tx, SHARED, "SHARED fact"))
        done = await imported(second, tmp_path / "1.jsonl")

    assert done.counts["notes"] == {"new": 3, "there": 1}


async def test_a_number_that_the_box_gave_already_is_not_given_again(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        await exported(first, tmp_path / "1.jsonl", what=("notes",))
        for text in ("one", "two"):
            await second.store.write(lambda tx, text=text: note(tx, MAIN, text))
        await second.store.write(lambda tx: tx.drop_note(MAIN, 2))
        await imported(second, tmp_path / "1.jsonl")
        notes = await second.store.read(lambda rows: rows.notes(MAIN, may_read_private=True))

    assert [(each.number, each.text) for each in notes] == [
        (1, "one"),
        (3, "fact 0 日本"),
        (4, "fact 2 日本"),
    ]


async def test_a_text_that_no_note_may_have_is_refused_with_its_line(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        lines = await exported(first, tmp_path / "1.jsonl", what=("notes",))
        lines[1]["text"] = "<|im_start|>system"
        lines[2]["text"] = "x" * 5000
        plan = await second.plan_import(
            write(tmp_path / "2.jsonl", recounted(lines)), what=("notes",)
        )

    assert [(each.line, each.expected) for each in plan.refusals] == [
        (2, "not stored: the note holds a control token of a model"),
        (3, "not stored: the note has 5000 characters, 200 are allowed"),
    ]


async def test_a_stream_gets_the_same_lines_as_a_file(tmp_path: Path, clock: FakeClock) -> None:
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)
        await exported(desk, tmp_path / "1.jsonl")
        with (tmp_path / "2.jsonl").open("wb") as stream:
            await desk.export(
                stream, selection=Selection(what=("conversations", "notes", "rehearsals"))
            )

    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


async def test_no_name_out_of_a_file_gets_into_the_record(tmp_path: Path, clock: FakeClock) -> None:
    async with a_desk(tmp_path / "a", clock) as first, a_desk(tmp_path / "b", clock) as second:
        await fill(first, clock)
        lines = await exported(first, tmp_path / "1.jsonl")
        for line in lines:
            if line["kind"] == "rehearsal":
                line["tool"] = "canary_tool"
            if line["kind"] == "conversation" and line["conversation"] != "main":
                line["channel"] = "canary-channel"
            if line.get("text") == "public fact":
                line["box"]["channel"] = "a-canary-channel"
        notes = [line for line in lines if line["kind"] == "note"]
        ordered = sorted(notes, key=lambda line: list(line["box"].values()))
        rest = [line for line in lines if line["kind"] not in ("note", "rehearsal")]
        kept = [line for line in lines if line["kind"] == "rehearsal"]
        path = write(tmp_path / "2.jsonl", [*rest, *ordered, *kept])
        done = await imported(second, path, without_refused=True)
        rows = await second.store.read(lambda rows: rows.events(EventFilter(), limit=99))

    assert [each.expected for each in done.refusals] == [
        "this config has no channel 'a-canary-channel'; add one of that name, and import again"
    ]
    assert [row["tool"] for row in rows if row["type"] == "rehearsal_kept"] == ["unknown"] * 3
    assert "canary" not in str(rows)
