"""The feed: a reader is a cursor on the log, and the log is the truth.

Nothing is queued for a reader, so that nothing is dropped: one that is slow lags, and reads on from
where it was. The newest events are read once and held in a tail that all readers share; who is
behind it reads the log itself. A commit of this process wakes the feed, a look every second finds
what other processes wrote.
"""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from sys import maxsize
from typing import Final

from brain.activity.wanted import matcher
from brain.clock import Clock
from brain.errors import StoreError
from brain.store import EventFilter, EventRow, Snapshot, Store

__all__ = ["POLL_SECONDS", "TAIL_EVENTS", "Feed", "FeedItem", "Resync", "open_feed"]

POLL_SECONDS: Final = 1.0
"""How long an event of another process stays unseen at most."""

TAIL_EVENTS: Final = 1000
"""How many of the newest events are held for all readers together: about a megabyte."""

_BATCH: Final = 200
"""How many events one read brings: what a reader that lags holds at most."""

_ALL: Final = EventFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resync:
    """The reader's place in the log is gone; what it shows has to be fetched anew.

    It stood behind `after`. The next event it can get is `first`: what lay between was pruned, or,
    where `first` is not above `after`, an older copy of the log was put in its place.
    """

    after: int
    first: int


FeedItem = EventRow | Resync
"""What a reader gets: events in order of seq, and a `Resync` where the order has a hole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What one read brought, and the seq up to which nothing more is to be had."""

    rows: tuple[EventRow, ...]
    reached: int
    resync: Resync | None = None


class _News:
    """Awaited by who has seen everything; `error` is why the log could not be read.

    A future for each who waits: with a thousand readers an asyncio.Event costs half as much again.
    """

    __slots__ = ("_has_arrived", "_waiting", "error")

    def __init__(self) -> None:
        self.error: StoreError | None = None
        self._has_arrived = False
        self._waiting: set[asyncio.Future[None]] = set()

    async def wait(self) -> None:
        if self._has_arrived:
            return
        arrival = asyncio.get_running_loop().create_future()
        self._waiting.add(arrival)
        try:
            await arrival
        finally:
            self._waiting.discard(arrival)

    def arrive(self, error: StoreError | None) -> None:
        self.error = error
        self._has_arrived = True
        for arrival in self._waiting:
            if not arrival.done():
                arrival.set_result(None)


@dataclass(slots=True)
class _Tail:
    """Every event behind `start`, up to `end`. Before it is begun it covers nothing."""

    start: int = maxsize
    end: int = -1
    rows: list[EventRow] = field(default_factory=list)

    def begin(self, head: int) -> None:
        self.start = self.end = head

    def add(self, rows: tuple[EventRow, ...]) -> None:
        if _seq(rows[0]) != self.end + 1:  # pruned past the end: what was held is no tail of it
            self.rows.clear()
            self.start = _seq(rows[0]) - 1
        self.rows.extend(rows)
        self.end = _seq(rows[-1])
        if len(self.rows) > TAIL_EVENTS + _BATCH:
            self.start = _seq(self.rows[-TAIL_EVENTS]) - 1
            del self.rows[:-TAIL_EVENTS]

    def behind(self, cursor: int) -> list[EventRow]:
        is_gapless = self.end - self.start == len(self.rows)
        first = cursor - self.start if is_gapless else bisect_right(self.rows, cursor, key=_seq)
        return self.rows[first : first + _BATCH]


class Feed:
    """Follows the log for any number of readers. Opened by `open_feed`, on the store's event loop."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._tail = _Tail()
        self._news = _News()
        self._signal = asyncio.Event()
        self._reads: dict[tuple[int, EventFilter], asyncio.Task[_Found]] = {}
        self._readers = 0
        self._is_over = False

    async def follow(
        self, *, after: int, wanted: EventFilter = _ALL
    ) -> AsyncGenerator[FeedItem, None]:
        """Yield each event behind seq `after` that `wanted` describes, and wait for more.

        `after` is the last seq that the reader knows, 0 for none. Ends when the feed is closed.
        Raises StoreError where the log can't be read; go on behind the last event, nothing is lost.
        A reader that leaves early closes the iterator (`contextlib.aclosing`).
        """
        async with aclosing(self.batches(after=after, wanted=wanted)) as batches:
            async for batch in batches:
                for item in batch:
                    yield item

    async def batches(
        self, *, after: int, wanted: EventFilter = _ALL
    ) -> AsyncGenerator[Sequence[FeedItem], None]:
        """Yield what `follow` does, all that is to be had at a time together; never nothing."""
        cursor, is_known = max(after, wanted.after), False
        is_wanted = matcher(wanted) if wanted != _ALL else None
        self._readers += 1
        self._signal.set()
        try:
            while not self._is_over:
                news, tail = self._news, self._tail
                if tail.start <= cursor and (is_known or cursor <= tail.end):
                    rows = tail.behind(cursor)
                    cursor = _seq(rows[-1]) if rows else cursor
                    batch: Sequence[FeedItem] = rows
                    if is_wanted is not None:
                        batch = [row for row in rows if is_wanted(row)]
                else:
                    found = await self._read(cursor, wanted)
                    cursor, is_known = found.reached, True
                    batch = found.rows if found.resync is None else (found.resync, *found.rows)
                if batch:
                    yield batch
                if cursor >= self._tail.end:
                    await news.wait()
                    if news.error is not None:
                        raise news.error
        finally:
            self._readers -= 1

    def wake(self) -> None:
        """Have the feed look for new events; what the store calls after each commit."""
        self._signal.set()

    async def run(self) -> None:
        """Read what is new once for all readers, at each signal. Ends only when cancelled."""
        try:
            while True:
                await self._signal.wait()
                self._signal.clear()
                if not self._readers:
                    self._tail = _Tail()  # memory for nobody, and soon far behind
                    continue
                try:
                    await self._read_on(self._tail)
                except StoreError as error:
                    self._tell(error)
        finally:
            self._is_over = True
            self._tell()

    async def poll(self) -> None:
        """Give the signal every second, for what other processes write. Ends only when cancelled."""
        while True:
            await self._clock.sleep(POLL_SECONDS)
            self.wake()

    async def end_reads(self) -> None:
        """Call off the reads that nobody waits for any more."""
        reads = tuple(self._reads.values())
        for read in reads:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)

    async def _read_on(self, tail: _Tail) -> None:
        if tail.end < 0:
            head, _ = await self._store.read(lambda rows: rows.event_head())
            tail.begin(head)
            self._tell()
        is_more = True
        while is_more:
            rows = await self._store.read(partial(_batch_behind, tail.end))
            if rows:
                tail.add(rows)
                self._tell()
            is_more = len(rows) == _BATCH

    async def _read(self, cursor: int, wanted: EventFilter) -> _Found:
        """Read the log itself. Who asks for the same while that goes on shares the answer."""
        key = cursor, wanted
        read = self._reads.get(key)
        if read is None:
            read = asyncio.create_task(self._store.read(lambda rows: _find(rows, cursor, wanted)))
            self._reads[key] = read
            read.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(read)

    def _forget(self, key: tuple[int, EventFilter], read: asyncio.Task[_Found]) -> None:
        del self._reads[key]
        if not read.cancelled():
            read.exception()  # looked at, in case that nobody waits any more

    def _tell(self, error: StoreError | None = None) -> None:
        news, self._news = self._news, _News()
        news.arrive(error)


@asynccontextmanager
async def open_feed(store: Store, *, clock: Clock) -> AsyncIterator[Feed]:
    """Open the feed of `store`; at the end its readers end as well."""
    feed = Feed(store, clock)
    stop_hearing = store.on_commit(feed.wake)
    tasks = asyncio.create_task(feed.run()), asyncio.create_task(feed.poll())
    try:
        yield feed
    finally:
        stop_hearing()
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        await feed.end_reads()
        for end in ends:
            if not isinstance(end, asyncio.CancelledError) and isinstance(end, BaseException):
                raise end


def _batch_behind(seq: int, rows: Snapshot) -> tuple[EventRow, ...]:
    return rows.events(EventFilter(after=seq), limit=_BATCH)


def _find(rows: Snapshot, cursor: int, wanted: EventFilter) -> _Found:
    """Return the next events behind `cursor`, in one snapshot with both ends of the log."""
    head, _ = rows.event_head()
    oldest = rows.events(_ALL, limit=1)
    floor = _seq(oldest[0]) - 1 if oldest else head
    place = head if cursor > head else max(cursor, floor)
    found = rows.events(replace(wanted, after=place), limit=_BATCH)
    return _Found(
        rows=found,
        reached=_seq(found[-1]) if len(found) == _BATCH else head,
        resync=None if place == cursor else Resync(after=cursor, first=place + 1),
    )


def _seq(row: EventRow) -> int:
    seq = row["seq"]
    return seq if isinstance(seq, int) else 0
