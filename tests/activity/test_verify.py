import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from brain.activity import (
    FIELDS,
    Anchor,
    Draft,
    Journal,
    Recorder,
    Verification,
    read_anchors,
    verify,
)
from brain.activity.anchor import parse_anchors
from brain.activity.chain import hash_of
from brain.config import Storage
from brain.errors import StoreUnusable
from brain.store import EventFilter, Store, Transaction, open_store
from tests.activity.conftest import record
from tests.clocks import FakeClock

Tamper = Callable[..., None]


async def test_a_log_that_nobody_touched_is_whole(store: Store, recorder: Recorder) -> None:
    assert await verify(store) == Verification(events=0, anchors=0, head_seq=0, head_hash="0" * 64)
    await record(store, recorder)

    head_seq, head_hash = await store.read(lambda rows: rows.event_head())
    assert await verify(store) == Verification(
        events=5, anchors=0, head_seq=head_seq, head_hash=head_hash
    )
    assert (await verify(store)).is_whole


@pytest.mark.proves("P9")
@pytest.mark.parametrize("field", [name for name in FIELDS if name not in ("seq", "prev", "hash")])
async def test_an_edit_of_any_field_is_found_at_its_event(
    store: Store, recorder: Recorder, tamper: Tamper, field: str
) -> None:
    await record(store, recorder)
    value = {"v": "2", "latency_ms": "4", "tokens": "'{\"prompt\":11}'"}.get(field, "'edited'")
    tamper(f"UPDATE events SET {field} = {value} WHERE seq = 3")  # noqa: S608 - made here

    found = await verify(store)

    assert found.first_bad == 3
    assert found.reason == ("event 3 is not as it was written: its hash does not fit its fields")


@pytest.mark.parametrize(
    ("statements", "first_bad", "reason"),
    [
        (["DELETE FROM events WHERE seq = 3"], 3, "event 3 is missing: 4 follows 2"),
        (
            ["DELETE FROM events WHERE seq = 3", "UPDATE events SET seq = seq - 1 WHERE seq > 3"],
            3,
            "its hash does not fit its fields",
        ),
        (["DELETE FROM events WHERE seq = 1"], 2, "no event tells that it was pruned"),
        (
            [
                "UPDATE events SET seq = 90 WHERE seq = 2",
                "UPDATE events SET seq = 2 WHERE seq = 3",
                "UPDATE events SET seq = 3 WHERE seq = 90",
            ],
            2,
            "its hash does not fit its fields",
        ),
        (
            [
                "UPDATE events SET seq = -seq WHERE seq > 2",
                "UPDATE events SET seq = 1 - seq WHERE seq < 0",
                "CREATE TABLE twin AS SELECT * FROM events WHERE seq = 2",
                "UPDATE twin SET seq = 3",
                "INSERT INTO events SELECT * FROM twin",
            ],
            3,
            "its hash does not fit its fields",
        ),
        (
            [
                "CREATE TABLE twin AS SELECT * FROM events WHERE seq = 2",
                "UPDATE twin SET seq = 0",
                "INSERT INTO events SELECT * FROM twin",
            ],
            1,
            "event 1 is missing: 0 follows 0",
        ),
        (
            ["UPDATE events SET prev = hash WHERE seq = 4"],
            4,
            "its hash does not fit its fields",
        ),
        (["UPDATE events SET counts = '{\"n\":NaN' WHERE seq = 3"], 3, "does not fit"),
        (["UPDATE events SET counts = NULL WHERE seq = 3"], 3, "does not fit"),
    ],
    ids=[
        "deleted", "deleted and renumbered", "first deleted", "two swapped", "inserted",
        "inserted before the first", "prev edited", "damaged JSON", "emptied",
    ],
)  # fmt: skip
async def test_tampering_is_named_by_the_first_bad_seq(
    store: Store,
    recorder: Recorder,
    tamper: Tamper,
    statements: list[str],
    first_bad: int,
    reason: str,
) -> None:
    await record(store, recorder)
    tamper(*statements)

    found = await verify(store)

    assert found.first_bad == first_bad
    assert reason in found.reason


async def test_an_edit_with_its_hash_made_anew_breaks_the_link_behind_it(
    store: Store, recorder: Recorder, tamper: Tamper
) -> None:
    await record(store, recorder)
    (row,) = await store.read(lambda rows: rows.events(EventFilter(after=2), limit=1))
    forged = {**row, "mode": "allow"}
    made = hash_of(str(row["prev"]), forged)
    tamper(f"UPDATE events SET mode = 'allow', hash = '{made}' WHERE seq = 3")  # noqa: S608 - made here

    found = await verify(store)

    assert found.first_bad == 3
    assert found.reason == "event 4 was not written behind event 3 as it is now"


@pytest.mark.proves("P9")
async def test_a_cut_tail_is_found_against_the_anchor_and_not_without(
    store: Store, recorder: Recorder, tamper: Tamper, tmp_path: Path
) -> None:
    await record(store, recorder)
    path = tmp_path / "elsewhere.txt"
    await Anchor(path).stop(store)
    whole = await verify(store, read_anchors(path))
    tamper("DELETE FROM events WHERE seq > 3")

    cut = await verify(store, read_anchors(path))

    assert (whole.is_whole, whole.anchors) == (True, 1)
    assert (await verify(store)).is_whole
    assert cut.first_bad == 4
    assert cut.reason == (
        "the log ends at event 3, and an anchor knows event 5: its tail was cut, or an old copy "
        "was put back"
    )


@pytest.mark.proves("P9")
async def test_a_log_that_was_written_anew_is_found_against_the_anchor(
    store: Store, recorder: Recorder, database: Path, clock: FakeClock, tmp_path: Path
) -> None:
    await record(store, recorder)
    path = tmp_path / "elsewhere.txt"
    await Anchor(path).stop(store)
    await store.close()
    shutil.rmtree(database.parent)

    async with open_store(Storage(path=database), clock=clock) as anew:
        await record(anew, recorder)
        assert (await verify(anew)).is_whole
        found = await verify(anew, read_anchors(path))

    assert found.first_bad == 5
    assert found.reason == ("event 5 has another hash than its anchor: the log was written anew")


async def test_a_pruned_log_begins_where_its_own_event_says(
    store: Store, recorder: Recorder, tamper: Tamper
) -> None:
    await record(store, recorder)
    second = (await store.read(lambda rows: rows.events(EventFilter(after=1), limit=1)))[0]
    pruned = Draft(type="activity_pruned", counts={"first": 1, "last": 2}, ref=str(second["hash"]))
    await record(store, recorder, (pruned,))
    tamper("DELETE FROM events WHERE seq <= 2")

    assert (await verify(store)).is_whole
    tamper("DELETE FROM events WHERE seq = 3")
    assert (await verify(store)).first_bad == 4


async def test_the_walk_is_the_same_over_many_pages(store: Store, recorder: Recorder) -> None:
    def many(tx: Transaction) -> None:
        for _ in range(2000):
            recorder.append(tx, Draft(type="reply_sent"))

    await store.write(many)

    found = await verify(store)

    assert (found.events, found.head_seq, found.first_bad) == (2000, 2000, None)


async def test_the_anchor_gets_a_line_every_thousand_events_and_at_stop(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "elsewhere.txt"
    anchor = Anchor(path)
    recorder = Recorder(run_id="run1", revision="r1", anchor=anchor)

    async def commit(count: int) -> None:
        journal = Journal(store=store, recorder=recorder)
        for _ in range(count):
            journal.add(Draft(type="reply_sent"))
        await journal.commit(lambda _tx: None)

    def anchored() -> list[int]:
        return list(read_anchors(path).hashes) if path.exists() else []

    await commit(999)
    assert anchored() == []
    await commit(1)
    assert anchored() == [1000]
    await commit(1500)
    assert anchored() == [1000, 2500]
    await commit(1)
    await anchor.stop(store)
    await anchor.stop(store)
    assert anchored() == [1000, 2500, 2501]
    assert (await verify(store, read_anchors(path))).anchors == 3


async def test_an_anchor_line_that_the_file_did_not_take_is_tried_again_before_the_next_thousand(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "later" / "elsewhere.txt"
    recorder = Recorder(run_id="run1", revision="r1", anchor=Anchor(path))

    async def commit(count: int) -> None:
        journal = Journal(store=store, recorder=recorder)
        for _ in range(count):
            journal.add(Draft(type="reply_sent"))
        await journal.commit(lambda _tx: None)

    await commit(1000)
    path.parent.mkdir()
    await commit(49)
    assert not path.exists()
    await commit(1)
    assert list(read_anchors(path).hashes) == [1050]


async def test_an_anchor_file_that_takes_no_line_is_said_and_the_events_stay(
    store: Store, recorder: Recorder, tmp_path: Path
) -> None:
    await record(store, recorder)

    with pytest.raises(StoreUnusable, match="took no line") as caught:
        await Anchor(tmp_path / "missing" / "anchor.txt").stop(store)

    assert "activity.anchor_path" in caught.value.fix
    assert (await verify(store)).events == 5


@pytest.mark.parametrize(
    ("text", "bad_line"),
    [
        ("", 0),
        (f"1 {'a' * 64}\n2 {'b' * 64}\n", 0),
        (f"1 {'a' * 64}\n1 {'a' * 64}\n", 0),
        (f"1 {'a' * 64}\n1 {'b' * 64}\n", 2),
        (f"1 {'a' * 64}\nnot a line\n", 2),
        (f"0 {'a' * 64}", 1),
        (f"1 {'A' * 64}", 1),
    ],
    ids=["empty", "two", "twice", "contradiction", "words", "seq 0", "upper case"],
)
async def test_an_anchor_line_that_is_none_is_not_passed_over(
    store: Store, text: str, bad_line: int
) -> None:
    anchors = parse_anchors(text)

    assert anchors.bad_line == bad_line
    if bad_line:
        found = await verify(store, replace(anchors, hashes={}))
        assert f"line {bad_line} of the anchor file" in found.reason
