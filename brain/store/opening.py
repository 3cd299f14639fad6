"""The doors of the store that a config asks for."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from brain.clock import Clock
from brain.config import Storage
from brain.store.backups import Backup, Restored
from brain.store.copies import Copy
from brain.store.ports import Snapshot, Store

__all__ = ["back_up_store", "copy_store", "open_store", "peek_store", "restore_store"]

T = TypeVar("T")


@asynccontextmanager
async def open_store(storage: Storage | None, *, clock: Clock) -> AsyncIterator[Store]:
    """Open the store that `storage` describes and close it at the end.

    None is a brain without storage: its rows live in memory, touch no disk and end with the store.
    Raises StoreBusy, StoreUnusable or MigrationFailed; an existing file is never overwritten.
    """
    from brain.store.sqlite import open_sqlite  # aiosqlite is imported by who opens a store

    async with open_sqlite(storage, clock=clock) as store:
        yield store


def peek_store(storage: Storage, query: Callable[[Snapshot], T]) -> T | None:
    """Answer `query` from the file as it is: nothing is made, upgraded or written.

    None where there is no store yet, or one that a start would upgrade first. Raises StoreError for
    one that a start would refuse.
    """
    from brain.store.sqlite.peek import peek

    return peek(storage.path, query)


@asynccontextmanager
async def copy_store(storage: Storage) -> AsyncIterator[Copy]:
    """Yield a copy of the database as it is at this moment, to be read for as long as it takes.

    It lies in the data folder without a name, so that it is gone with the process whatever ends it;
    who reads it keeps nobody from writing. Raises StoreError; NotFound where there is no database.
    """
    from brain.store.sqlite.copy import open_copy

    copy = await asyncio.to_thread(open_copy, storage.path)
    try:
        yield copy
    finally:
        copy.close()


async def back_up_store(storage: Storage, *, into: Path | None, now: datetime) -> Backup:
    """Copy the whole data folder, also while it is in use, into the new folder `into`, and verify it.

    None is a folder beside the data folder, named for the moment. Raises StoreError; then there is
    no such folder.
    """
    from brain.store.sqlite.restore import back_up

    return await asyncio.to_thread(back_up, storage.path, into, now=now)


async def restore_store(storage: Storage, *, archive: Path, now: datetime) -> Restored:
    """Put a backup, or the archive of an upgrade, in the place of the store.

    What was there is kept in a folder beside the data folder. Raises StoreError: the store is then
    as it was. Refused while a process has the store open.
    """
    from brain.store.sqlite.restore import restore

    return await asyncio.to_thread(restore, archive, storage.path, now=now)
