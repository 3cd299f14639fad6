"""The door of the store that a config asks for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from brain.clock import Clock
from brain.config import Storage
from brain.store.rows import Store

__all__ = ["open_store"]


@asynccontextmanager
async def open_store(storage: Storage | None, *, clock: Clock) -> AsyncIterator[Store]:
    """Open the store that `storage` describes and close it at the end.

    None is a brain without storage: its rows live in memory, touch no disk and end with the store.
    Raises StoreBusy, StoreUnusable or MigrationFailed; an existing file is never overwritten.
    """
    from brain.store.sqlite import open_sqlite  # aiosqlite is imported by who opens a store

    async with open_sqlite(storage, clock=clock) as store:
        yield store
