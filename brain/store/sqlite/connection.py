"""One connection to one file, with a thread of its own that runs whole callables."""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

import aiosqlite

__all__ = ["ThreadedConnection", "open_threaded", "outlast"]

T = TypeVar("T")


class ThreadedConnection(aiosqlite.Connection):
    """aiosqlite's connection and thread, given one callable for all of a transaction.

    A call per statement costs two switches of thread each; a callable per transaction costs two.
    The thread is a daemon: a process that is told to exit exits, and a commit is whole or nothing.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True
        self.stopped: asyncio.Future[Any] | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        """Have the thread end; `stopped` is done when it has."""
        self.stopped = super().stop()
        return self.stopped

    def post(self, function: Callable[[sqlite3.Connection], None]) -> None:
        """Have `function` run on the connection's thread; it sees to its own outcome."""
        connection = self._conn
        self._tx.put_nowait((None, lambda: function(connection)))

    async def finish(
        self,
        function: Callable[[sqlite3.Connection], T],
        *,
        on_cancel: Callable[[], None] | None = None,
    ) -> T:
        """Run `function`, which raises nothing, and return its value.

        Cancelled meanwhile, it calls `on_cancel`, or else interrupts whatever statement runs.
        """
        connection = self._conn
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((done, lambda: function(connection)))
        stop = await outlast(done, on_cancel=on_cancel or connection.interrupt)
        if stop is not None:
            raise stop
        return done.result()


async def open_threaded(connector: Callable[[], sqlite3.Connection]) -> ThreadedConnection:
    """Start a thread and have it open its connection with `connector`."""
    connection = ThreadedConnection(connector)
    opening = asyncio.ensure_future(connection)
    try:
        stop = await outlast(opening)
    except BaseException:
        if connection.stopped is not None:
            await connection.stopped  # a thread outlives no loop
        raise
    if stop is not None:
        await connection.close()
        raise stop
    return connection


async def outlast(
    done: asyncio.Future[Any], on_cancel: Callable[[], None] | None = None
) -> asyncio.CancelledError | None:
    """Wait until `done` is done, even if cancelled meanwhile; return the cancellation, to be raised.

    What `done` raises is raised.
    """
    stop: asyncio.CancelledError | None = None
    while not done.done():
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError as error:
            stop = error
            if on_cancel is not None:
                on_cancel()
    return stop
