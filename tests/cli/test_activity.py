"""`brain activity`, on a store with events that were really recorded."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from brain.activity import FIELDS, Draft, Recorder, line
from brain.config import Storage
from brain.store import open_store
from tests.cli.program import SMALL, Program
from tests.clocks import FakeClock

KEEPS = {**SMALL, "storage": {"path": "store/brain.db"}}


async def record(path: Path, *drafts: Draft) -> None:
    """Record events an hour apart, the first at 2026-03-02 09:00 UTC."""
    clock = FakeClock()
    recorder = Recorder(run_id="run", revision="0" * 64)
    async with open_store(Storage(path=path), clock=clock) as store:
        for draft in drafts:
            await store.write(lambda tx, draft=draft: recorder.append(tx, draft))  # type: ignore[misc]
            clock.advance(3600)


@pytest.fixture
async def kept(program: Program) -> Program:
    program.write("keeps.json", KEEPS)
    await record(
        program.folder / "store" / "brain.db",
        Draft(type="message_received", brain="assistant", channel="console"),
        Draft(type="tool_shadowed", tool="memory_note", mode="shadow", rule="shadow"),
        Draft(type="reply_sent", tokens={"prompt": 120, "reply": 9}, latency_ms=42),
    )
    return program


def listed(program: Program, *words: str) -> list[dict[str, Any]]:
    done = program.run("activity", "--json", "--config", "keeps.json", *words)
    assert (done.returncode, done.stderr) == (0, "config: keeps.json\n")
    events: list[dict[str, Any]] = json.loads(done.stdout)
    return events


def test_events_are_shown_in_order_each_on_a_line_in_words(kept: Program) -> None:
    done = kept.run("activity", "--config", "keeps.json")

    assert done.returncode == 0
    assert done.stdout.splitlines() == [line(event) for event in listed(kept)]
    assert "A call was rehearsed; nothing ran." in done.stdout


@pytest.mark.parametrize(
    ("words", "seqs"),
    [
        ((), [1, 2, 3]),
        (("--limit", "2"), [2, 3]),
        (("--type", "reply_sent"), [3]),
        (("--type", "reply_sent", "--type", "message_received"), [1, 3]),
        (("--since", "2026-03-02T10:00Z"), [2, 3]),
        (("--brain", "assistant"), [1]),
        (("--tool", "memory_note"), [2]),
        (("--tool", "calc"), []),
        (("--effect", "shadow"), [2]),
        (("--effect", "shadow", "--type", "reply_sent"), []),
    ],
)
def test_events_are_chosen_by_what_they_say_by_time_and_by_number(
    kept: Program, words: tuple[str, ...], seqs: list[int]
) -> None:
    assert [event["seq"] for event in listed(kept, *words)] == seqs


def test_an_event_as_data_has_every_field(kept: Program) -> None:
    assert [list(event) for event in listed(kept)] == [list(FIELDS)] * 3


def test_an_unknown_type_is_refused_with_the_one_that_was_meant(kept: Program) -> None:
    done = kept.run("activity", "--config", "keeps.json", "--type", "reply_send")

    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'reply_sent'?" in done.stderr


def test_before_the_first_run_there_is_nothing_on_record_and_nothing_is_made(
    program: Program,
) -> None:
    program.write("keeps.json", KEEPS)

    done = program.run("activity", "--config", "keeps.json")

    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing is on record yet" in done.stderr
    assert not (program.folder / "store").exists()


def test_a_config_that_keeps_nothing_has_no_record(program: Program) -> None:
    program.write("small.json", SMALL)

    done = program.run("activity", "--config", "small.json")

    assert (done.returncode, done.stdout) == (2, "")
    assert "storage" in done.stderr


@pytest.mark.proves("P9")
def test_a_record_that_nobody_touched_verifies_and_one_that_was_edited_does_not(
    kept: Program,
) -> None:
    whole = kept.run("activity", "--verify", "--config", "keeps.json")
    with closing(sqlite3.connect(kept.folder / "store" / "brain.db")) as database:
        database.execute("UPDATE events SET rule = 'allow' WHERE seq = 2")
        database.commit()
    edited = kept.run("activity", "--verify", "--json", "--config", "keeps.json")

    assert whole.returncode == 0
    assert whole.stdout.splitlines()[0] == (
        "3 events are as written; a cut end would not show: no anchor (activity.anchor_path)"
    )
    assert edited.returncode == 1
    found = json.loads(edited.stdout)
    assert (found["is_whole"], found["first_bad"]) == (False, 2)


@pytest.mark.proves("P9")
def test_a_tail_that_was_cut_is_found_against_the_anchor(kept: Program) -> None:
    head = listed(kept)[-1]
    anchor = kept.folder / "anchor.txt"
    anchor.write_text(f"{head['seq']} {head['hash']}\n", encoding="utf-8")
    kept.write("keeps.json", {**KEEPS, "activity": {"anchor_path": str(anchor)}})

    whole = kept.run("activity", "--verify", "--config", "keeps.json")
    with closing(sqlite3.connect(kept.folder / "store" / "brain.db")) as database:
        database.execute("DELETE FROM events WHERE seq = 3")
        database.commit()
    cut = kept.run("activity", "--verify", "--config", "keeps.json")

    assert (whole.returncode, whole.stdout.splitlines()[0]) == (
        0,
        "3 events are as written; 1 anchor fits",
    )
    assert cut.returncode == 1
    assert "its tail was cut" in cut.stdout


@pytest.mark.parametrize("limit", ["0", "-1", "99999999999999999999"])
def test_a_limit_that_no_listing_has_is_refused(program: Program, limit: str) -> None:
    program.write("keeps.json", KEEPS)

    done = program.run("activity", "--limit", limit, "--config", "keeps.json")

    assert (done.returncode, done.stdout) == (2, "")
    assert "'--limit'" in done.stderr
    assert "Traceback" not in done.stderr
