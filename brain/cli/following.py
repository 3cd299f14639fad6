"""The record as it grows: each event as it is stored, by this process or another."""

import asyncio
import errno
import os
import select
import sys
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from brain.activity import Resync, open_feed
from brain.cli.talk import warn
from brain.clock import Clock
from brain.config import Storage
from brain.errors import StoreUnusable
from brain.store import EventFilter, EventRow, Snapshot, open_store

__all__ = ["follow_events"]

_LOOK_SECONDS = 1.0
"""How often it is looked whether the store is made, and whether anybody still reads."""


async def follow_events(
    storage: Storage,
    wanted: EventFilter,
    *,
    limit: int,
    clock: Clock,
    show: Callable[[EventRow | Resync], None],
) -> None:
    """Show the newest `limit` events and then each new one, until it is called off.

    A store that is not made yet is waited for. Raises StoreError, also once another file has taken
    the place of the store, and BrokenPipeError once whoever read stdout has left.
    """
    leaving = asyncio.create_task(_watch(storage.path, clock))
    showing = asyncio.create_task(_show(storage, wanted, limit=limit, clock=clock, show=show))
    try:
        await asyncio.wait((leaving, showing), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (leaving, showing):
            task.cancel()
        ends = await asyncio.gather(leaving, showing, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception):
            raise end


async def _show(
    storage: Storage,
    wanted: EventFilter,
    *,
    limit: int,
    clock: Clock,
    show: Callable[[EventRow | Resync], None],
) -> None:
    if not storage.path.exists():
        warn("nothing is on record yet; waiting for the first run")
        while not storage.path.exists():
            await clock.sleep(_LOOK_SECONDS)

    def newest(rows: Snapshot) -> tuple[tuple[EventRow, ...], int]:
        head, _ = rows.event_head()
        return rows.events(wanted, limit=limit, newest=True), head

    async with open_store(storage, clock=clock) as store, open_feed(store, clock=clock) as feed:
        events, head = await store.read(newest)
        for event in events:
            show(event)
        async with aclosing(feed.follow(after=head, wanted=wanted)) as items:
            async for item in items:
                show(item)


async def _watch(path: Path, clock: Clock) -> None:
    """Raise what ends the following while no event comes: nobody reads, or nobody writes there."""
    first = _file_at(path)
    while True:
        await clock.sleep(_LOOK_SECONDS)
        if _is_closed(sys.stdout.fileno()):
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
        there = _file_at(path)
        first = first or there
        if there != first:
            raise StoreUnusable(
                f"The database {str(path)!r} was taken away, or another file has taken its place: "
                "what is stored now is not seen here any more.",
                fix="give the command again",
            )


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return what tells one file from another, or None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


if sys.platform == "win32":

    def _is_closed(_descriptor: int) -> bool:
        """Windows tells at the next write."""
        return False
else:

    def _is_closed(descriptor: int) -> bool:
        watch = select.poll()
        watch.register(descriptor, 0)
        return any(state & (select.POLLERR | select.POLLHUP) for _, state in watch.poll(0))
