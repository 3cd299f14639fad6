"""The store over one SQLite file, or over a database in memory."""

import asyncio
import sqlite3
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from brain.clock import Clock
from brain.config import Storage
from brain.errors import StoreError
from brain.store.ports import Snapshot, Transaction
from brain.store.sqlite import opening
from brain.store.sqlite.connection import ThreadedConnection, open_threaded, outlast
from brain.store.sqlite.keys import FingerprintKey
from brain.store.sqlite.locks import RunLocks
from brain.store.sqlite.readers import READERS_LIMIT, Readers
from brain.store.sqlite.writer import Outcome, Write, Writer

__all__ = ["SqliteStore", "open_sqlite"]

T = TypeVar("T")


class SqliteStore:
    """One writer, a few readers. Belongs to the event loop that opened it."""

    def __init__(
        self, *, connection: ThreadedConnection, writer: Writer, readers: Readers, locks: RunLocks
    ) -> None:
        self._connection = connection
        self._writer = writer
        self._readers = readers
        self._locks = locks
        self._loop = asyncio.get_running_loop()
        self._wakes: list[Callable[[], None]] = []
        self._drain = partial(
            _drain, writer, self._loop, self._wakes
        )  # the thread must not keep the store alive
        self._is_closed = False

    async def write(self, change: Callable[[Transaction], T]) -> T:
        """Run `change` in a transaction, commit, and return what it returned.

        The outcome is awaited even when the caller is cancelled; the CancelledError that is raised
        then has the failure of the write as its cause, and no cause if the write was committed.
        """
        self._refuse_if_closed()
        write = Write(change=change, done=self._loop.create_future())
        if self._writer.enqueue(write):
            self._connection.post(self._drain)
        stop = await self._settled(write)
        outcome = write.outcome
        if stop is not None:
            raise stop from outcome.error
        if outcome.error is not None:
            raise outcome.error
        value: T = outcome.value
        return value

    async def _settled(self, write: Write) -> asyncio.CancelledError | None:
        """Wait for the outcome, even if cancelled meanwhile; return the cancellation, to be raised."""
        stop: asyncio.CancelledError | None = None
        while not write.is_settled:
            try:
                await write.done
            except asyncio.CancelledError as error:
                stop = error
                write.done = self._loop.create_future()
        return stop

    async def read(self, query: Callable[[Snapshot], T]) -> T:
        """Run `query` on rows as they are now and return what it returned."""
        self._refuse_if_closed()
        outcome = await self._readers.run(query)
        if outcome.error is not None:
            raise outcome.error
        value: T = outcome.value
        return value

    async def rewrite(self) -> None:
        """Write the database anew, without what was removed; what waits to be written waits on."""
        await self._clean(self._writer.rewrite)

    async def empty_log(self) -> bool:
        """Fold the write-ahead log in and cut it to nothing; False while a reader keeps it."""
        return bool(await self._clean(self._writer.empty_log))

    async def _clean(self, step: Callable[[sqlite3.Connection], Outcome]) -> Any:
        self._refuse_if_closed()
        outcome = await self._connection.finish(step)
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    def on_commit(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Have `wake` called after each commit, once its writers were told; return what ends it."""
        self._wakes.append(wake)
        return lambda: self._wakes.remove(wake)

    async def close(self) -> None:
        """Finish what was queued and close the file; nothing happens the second time."""
        if self._is_closed:
            return
        self._is_closed = True
        await self._readers.close()
        await self._connection.close()
        self._locks.release()

    def __del__(self) -> None:
        if not self._is_closed:
            warnings.warn(
                f"{self!r} was dropped unclosed; open it with 'async with open_store(...)'",
                ResourceWarning,
                source=self,
                stacklevel=1,
            )

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise StoreError(
                "The store was used after it was closed. Nothing was read or stored.",
                fix="this is a fault of brain: please report it with this sentence",
            )


def _drain(
    writer: Writer,
    loop: asyncio.AbstractEventLoop,
    wakes: list[Callable[[], None]],
    connection: sqlite3.Connection,
) -> None:
    """Run what waits, group by group, on the writer's thread; tell each caller after its commit."""
    has_more = True
    while has_more:
        group, has_more = writer.run_waiting(connection)
        with suppress(RuntimeError):  # the loop is closed: nobody waits for the outcome
            loop.call_soon_threadsafe(_settle, group, wakes)


def _settle(group: list[Write], wakes: list[Callable[[], None]]) -> None:
    for write in group:
        write.settle()
    if any(write.outcome.error is None for write in group):
        for wake in tuple(wakes):
            wake()


@asynccontextmanager
async def open_sqlite(storage: Storage | None, *, clock: Clock) -> AsyncIterator[SqliteStore]:
    """Open the database of `storage`, made or upgraded as needed; one in memory for None."""
    store = await _open(storage, clock)
    try:
        yield store
    finally:
        stop = await outlast(asyncio.ensure_future(store.close()))
        if stop is not None:
            raise stop


async def _open(storage: Storage | None, clock: Clock) -> SqliteStore:
    path = None if storage is None else storage.path
    locks = RunLocks(None if path is None else path.parent)
    connection = await open_threaded(lambda: opening.open_writer(storage, clock, locks))
    try:
        return SqliteStore(
            connection=connection,
            writer=Writer(
                where=opening.where(path),
                clock=clock,
                locks=locks,
                key=FingerprintKey(None if path is None else path.parent),
                guard=opening.guard(path),
            ),
            readers=_readers(path, connection, clock, locks),
            locks=locks,
        )
    except BaseException:
        await connection.close()
        raise


def _readers(
    path: Path | None, writer: ThreadedConnection, clock: Clock, locks: RunLocks
) -> Readers:
    async def open_one() -> ThreadedConnection:
        if path is None:
            return writer  # a database in memory has one connection
        return await open_threaded(lambda: opening.open_reader(path))

    return Readers(
        open_one=open_one,
        at_most=1 if path is None else READERS_LIMIT,
        where=opening.where(path),
        clock=clock,
        locks=locks,
    )
