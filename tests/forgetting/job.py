"""Waiting for the job behind a forgetting, in a runtime that runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from brain.runtime.cleaning import LOOK_SECONDS
from brain.store import EventFilter, Forgetting, Store
from tests.clocks import FakeClock

LIMIT_SECONDS = 60


async def finished(store: Store, clock: FakeClock, *, jobs: int = 1) -> Forgetting:
    """Return the newest forgetting once so many are finished.

    A reader may be in its way, the one of this wait among them: it looks again by the clock.
    """
    with clock.passing(LOOK_SECONDS):
        async with _committed(store) as committed, asyncio.timeout(LIMIT_SECONDS):
            while len(await _events(store)) < jobs:
                await committed.wait()
                committed.clear()
    newest = await store.read(lambda rows: rows.newest_forgetting())
    assert newest is not None
    return newest


async def _events(store: Store) -> tuple[Any, ...]:
    wanted = EventFilter(types=("forgotten",))
    return await store.read(lambda rows: rows.events(wanted, limit=100))


@asynccontextmanager
async def _committed(store: Store) -> AsyncIterator[asyncio.Event]:
    event = asyncio.Event()
    stop = store.on_commit(event.set)
    try:
        yield event
    finally:
        stop()
