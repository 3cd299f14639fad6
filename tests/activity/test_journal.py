import asyncio
from typing import NoReturn

import pytest

from brain.activity import Draft, Journal, Recorder, list_events
from brain.store import EventFilter, Store, Transaction


async def types(store: Store) -> list[str]:
    return [str(row["type"]) for row in await list_events(store, EventFilter(), limit=99)]


async def test_pending_events_ride_in_the_next_commit_before_its_own(
    store: Store, recorder: Recorder
) -> None:
    journal = Journal(store=store, recorder=recorder)
    journal.add(Draft(type="message_received"))
    journal.add(Draft(type="model_called"))
    assert await types(store) == []

    result = await journal.commit(lambda tx: recorder.append(tx, Draft(type="reply_sent"))["seq"])

    assert result == 3
    assert journal.pending == ()
    assert await types(store) == ["message_received", "model_called", "reply_sent"]


async def test_events_of_a_commit_that_failed_stay_pending(
    store: Store, recorder: Recorder
) -> None:
    journal = Journal(store=store, recorder=recorder)
    journal.add(Draft(type="model_called"))

    def fails(_tx: Transaction) -> NoReturn:
        raise KeyError("no")

    with pytest.raises(KeyError):
        await journal.commit(fails)
    assert (await types(store), len(journal.pending)) == ([], 1)

    await journal.commit(lambda _tx: None)
    assert (await types(store), len(journal.pending)) == (["model_called"], 0)


@pytest.mark.proves("P9")
async def test_a_cancelled_commit_is_neither_lost_nor_written_twice(
    store: Store, recorder: Recorder
) -> None:
    journal = Journal(store=store, recorder=recorder)
    journal.add(Draft(type="model_called"))
    task = asyncio.create_task(journal.commit(lambda _tx: None))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert journal.pending == ()
    await journal.commit(lambda tx: recorder.append(tx, Draft(type="exchange_cancelled")))
    assert await types(store) == ["model_called", "exchange_cancelled"]


async def test_a_cancelled_commit_that_failed_leaves_its_events_pending(
    store: Store, recorder: Recorder
) -> None:
    journal = Journal(store=store, recorder=recorder)
    journal.add(Draft(type="model_called"))

    def fails(_tx: Transaction) -> NoReturn:
        raise KeyError("no")

    task = asyncio.create_task(journal.commit(fails))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError) as caught:
        await task

    assert isinstance(caught.value.__cause__, KeyError)
    assert len(journal.pending) == 1
    assert await types(store) == []
