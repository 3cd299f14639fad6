"""A few connections that only read, each for as long as one callable takes."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from brain.clock import Clock
from brain.errors import StoreError
from brain.store.ports import Snapshot
from brain.store.sqlite.connection import ThreadedConnection
from brain.store.sqlite.locks import RunLocks
from brain.store.sqlite.snapshot import SqliteSnapshot
from brain.store.sqlite.statements import Statements
from brain.store.sqlite.writer import Outcome

__all__ = ["READERS_LIMIT", "READ_SECONDS", "Readers"]

READERS_LIMIT: Final = 3
"""How many reads run at once: each is a thread and a connection."""

READ_SECONDS: Final = 30.0
"""How long one read may take: a reader that hangs keeps the write-ahead log from being emptied."""

_STEPS: Final = 20_000
"""After how many steps of SQLite's machine (about a millisecond) a reader looks at the clock."""


class Readers:
    """Opened one by one as they are needed; `open_one` gives a connection that can't write."""

    def __init__(
        self,
        *,
        open_one: Callable[[], Awaitable[ThreadedConnection]],
        at_most: int,
        where: str,
        clock: Clock,
        locks: RunLocks,
    ) -> None:
        self._open_one = open_one
        self._where = where
        self._clock = clock
        self._locks = locks
        self._idle: list[ThreadedConnection] = []
        self._at_most = at_most
        self._slots = asyncio.Semaphore(at_most)
        self._is_closed = False

    async def run(self, query: Callable[[Snapshot], Any]) -> Outcome:
        """Run `query` on a reader of its own, in one snapshot. A cancelled one is cut short."""
        async with self._slots:
            if self._is_closed:
                raise StoreError("The store was closed before this read could begin.")
            reader = self._idle.pop() if self._idle else await self._open_one()
            is_cut = threading.Event()
            try:
                return await reader.finish(
                    lambda connection: self._read(connection, query, is_cut.is_set),
                    on_cancel=is_cut.set,
                )
            finally:
                self._idle.append(reader)

    async def close(self) -> None:
        """Let the reads that run end, refuse those that wait, and close the connections."""
        self._is_closed = True
        for _ in range(self._at_most):
            await self._slots.acquire()
        while self._idle:
            await self._idle.pop().close()
        for _ in range(self._at_most):
            self._slots.release()

    def _read(
        self,
        connection: sqlite3.Connection,
        query: Callable[[Snapshot], Any],
        is_cut: Callable[[], bool],
    ) -> Outcome:
        """Run `query`, looking up from it now and then. An interrupt could hit the rollback as well."""
        deadline = self._clock.monotonic() + READ_SECONDS
        connection.set_progress_handler(
            lambda: is_cut() or self._clock.monotonic() > deadline, _STEPS
        )
        statements = Statements(connection, self._where, "Nothing was read.")
        try:
            statements.run("BEGIN")
            return Outcome(value=query(SqliteSnapshot(statements, self._locks)))
        except BaseException as error:  # noqa: BLE001 - it is the caller's: carried there, raised there
            return Outcome(error=error)
        finally:
            statements.is_over = True
            connection.set_progress_handler(None, 0)
            with suppress(sqlite3.Error):  # nothing was written that could be lost
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
