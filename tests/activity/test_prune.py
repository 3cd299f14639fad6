from collections.abc import Callable
from pathlib import Path

import pytest

from brain.activity import Anchor, Draft, Recorder, list_events, prune_events, read_anchors, verify
from brain.store import EventFilter, Store
from tests.activity.conftest import record
from tests.clocks import FakeClock

DAY = 86400


@pytest.mark.proves("P9")
async def test_events_older_than_the_days_kept_go_and_the_log_stays_whole(
    store: Store, recorder: Recorder, clock: FakeClock, tmp_path: Path
) -> None:
    anchor = Anchor(tmp_path / "anchor.txt")
    await record(store, recorder)
    await anchor.stop(store)
    clock.advance(20 * DAY)
    await record(store, recorder, (Draft(type="runtime_started"), Draft(type="reply_sent")))
    clock.advance(15 * DAY)

    removed = await prune_events(store, recorder, keep_days=30, now=clock.now())

    kept = await list_events(store, EventFilter(), limit=99)
    assert removed == 5
    assert [(row["seq"], row["type"]) for row in kept] == [
        (6, "runtime_started"),
        (7, "reply_sent"),
        (8, "activity_pruned"),
    ]
    assert kept[2]["counts"] == {"first": 1, "last": 5}
    assert kept[2]["ref"] == kept[0]["prev"]
    found = await verify(store, read_anchors(tmp_path / "anchor.txt"))
    assert (found.first_bad, found.events, found.head_seq) == (None, 3, 8)
    assert await prune_events(store, recorder, keep_days=30, now=clock.now()) == 0


async def test_many_old_events_go_in_batches_and_the_newest_stays(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    await store.write(
        lambda tx: [recorder.append(tx, Draft(type="reply_sent")) for _ in range(2500)]
    )
    clock.advance(400 * DAY)

    removed = await prune_events(store, recorder, keep_days=365, now=clock.now())

    assert removed == 2500
    kept = await list_events(store, EventFilter(), limit=99)
    assert [row["counts"] for row in kept] == [
        {"first": 1, "last": 1000},
        {"first": 1001, "last": 2000},
        {"first": 2001, "last": 2500},
    ]
    assert (await verify(store)).first_bad is None


async def test_a_log_cut_by_hand_behind_a_prune_is_found(
    store: Store, recorder: Recorder, clock: FakeClock, tamper: Callable[..., None]
) -> None:
    await record(store, recorder)
    clock.advance(20 * DAY)
    await record(store, recorder)
    await prune_events(store, recorder, keep_days=10, now=clock.now())
    tamper("DELETE FROM events WHERE seq = 6")

    found = await verify(store)

    assert found.first_bad == 7
    assert found.reason == ("the log begins after event 6, and no event tells that it was pruned")


async def test_an_event_whose_bytes_are_no_text_is_the_first_bad_one(
    store: Store, recorder: Recorder, tamper: Callable[..., None]
) -> None:
    await record(store, recorder)
    tamper("UPDATE events SET tool = CAST(x'ff61' AS TEXT) WHERE seq = 3")

    found = await verify(store)

    assert found.first_bad == 3
    assert found.reason.startswith("the event after seq 2 can't be read: ")
