"""The feed against real stores: what readers get, what it costs, and what is left behind."""

import asyncio
import random
import tracemalloc
from collections.abc import Callable
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.activity import (
    Draft,
    Feed,
    FeedItem,
    Recorder,
    Resync,
    open_feed,
    prune_events,
)
from brain.config import Storage
from brain.errors import StoreBusy
from brain.store import EventFilter, EventRow, Snapshot, Store, Transaction, open_store
from tests.clocks import FakeClock

T = TypeVar("T")

SMALL = Draft(type="message_received", brain="home", channel="console")
LIMIT_SECONDS = 60


class CountedReads:
    """A store that counts what it is asked, and is busy when told to be."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reads = 0
        self.is_busy = False

    async def write(self, change: Callable[[Transaction], T]) -> T:
        return await self._store.write(change)

    async def read(self, query: Callable[[Snapshot], T]) -> T:
        self.reads += 1
        if self.is_busy:
            raise StoreBusy("another process holds it")
        return await self._store.read(query)

    def on_commit(self, wake: Callable[[], None]) -> Callable[[], None]:
        return self._store.on_commit(wake)

    async def close(self) -> None:
        await self._store.close()


async def add(store: Store, recorder: Recorder, count: int, draft: Draft = SMALL) -> None:
    """Record `count` events in one commit."""
    await store.write(lambda tx: [recorder.append(tx, draft) for _ in range(count)])


async def take(feed: Feed, count: int, *, after: int, **wanted: str) -> list[FeedItem]:
    """Return the next `count` items."""
    async with asyncio.timeout(LIMIT_SECONDS):
        async with aclosing(feed.follow(after=after, wanted=EventFilter(**wanted))) as items:
            taken: list[FeedItem] = []
            async for item in items:
                taken.append(item)
                if len(taken) == count:
                    break
    return taken


def seqs(items: list[FeedItem]) -> list[object]:
    return [item if isinstance(item, Resync) else item["seq"] for item in items]


async def test_a_reader_gets_what_was_there_and_what_comes_in_order(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    await add(store, recorder, 3)
    async with open_feed(store, clock=clock) as feed:
        reading = asyncio.create_task(take(feed, 5, after=1))
        await add(store, recorder, 2)
        await add(store, recorder, 2)

        assert seqs(await reading) == [2, 3, 4, 5, 6]


async def test_a_reader_gets_each_row_as_the_log_has_it(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    async with open_feed(store, clock=clock) as feed:
        reading = asyncio.create_task(take(feed, 2, after=0))
        await add(store, recorder, 1)
        await add(store, recorder, 1)
        live = await reading
        again = await take(feed, 2, after=0)

    assert live == again
    assert live == list(await store.read(lambda rows: rows.events(EventFilter(), limit=9)))


async def test_a_hundred_live_readers_cost_no_more_reads_than_one_for_each_wake_up(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    counted = CountedReads(store)
    heard: asyncio.Queue[object] = asyncio.Queue()

    async def listen(feed: Feed) -> None:
        async for item in feed.follow(after=0):
            heard.put_nowait(item)

    async def all_heard() -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            for _ in range(100):
                await heard.get()

    async with open_feed(counted, clock=clock) as feed, asyncio.TaskGroup() as group:
        listening = [group.create_task(listen(feed)) for _ in range(100)]
        await add(store, recorder, 1)
        await all_heard()
        assert counted.reads <= 6  # the readers' shared one, and the feed's own beginning
        before = counted.reads
        for _ in range(5):
            await add(store, recorder, 1)
            await all_heard()
        assert counted.reads <= before + 10  # a row may be found just before its wake-up
        for task in listening:
            task.cancel()


EVENTS = 1500


async def test_with_stalled_and_returning_readers_nothing_is_lost_and_memory_stays_flat(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    chance = random.Random(7)  # noqa: S311 - a test that is the same each time
    released = asyncio.Event()
    total = 2 * EVENTS

    async def read(feed: Feed, *, stalls: bool = False, returns: bool = False) -> int:
        """Follow to the end and return the last seq; fail at the first hole."""
        last = 0
        while last < total:
            leaves_at = last + chance.randrange(1, 400) if returns else total
            async with aclosing(feed.follow(after=last)) as items:
                async for item in items:
                    assert not isinstance(item, Resync)
                    assert item["seq"] == last + 1
                    last += 1
                    if stalls and last == 10:
                        await released.wait()
                    if last >= min(leaves_at, total):
                        break
        return last

    async with asyncio.timeout(LIMIT_SECONDS), open_feed(store, clock=clock) as feed:
        readers = [
            *(asyncio.create_task(read(feed)) for _ in range(85)),
            *(asyncio.create_task(read(feed, stalls=True)) for _ in range(5)),
            *(asyncio.create_task(read(feed, returns=True)) for _ in range(10)),
        ]
        tracemalloc.start()
        try:
            held = []
            for _ in range(2):
                for _ in range(EVENTS // 10):
                    await add(store, recorder, 10)
                held.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
        released.set()

        assert await asyncio.gather(*readers) == [total] * 100
        assert held[1] < held[0] + 500_000


async def test_who_stood_in_what_was_pruned_is_told_once_and_goes_on(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    await add(store, recorder, 6)
    clock.advance(timedelta(days=40).total_seconds())
    await add(store, recorder, 2)
    await prune_events(store, recorder, keep_days=30, now=clock.now())

    async with open_feed(store, clock=clock) as feed:
        assert seqs(await take(feed, 4, after=2)) == [Resync(after=2, first=7), 7, 8, 9]
        assert seqs(await take(feed, 4, after=0)) == [Resync(after=0, first=7), 7, 8, 9]
        assert seqs(await take(feed, 3, after=6)) == [7, 8, 9]


async def test_a_stalled_reader_that_a_prune_overtook_is_told_once(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    async with (
        open_feed(store, clock=clock) as feed,
        aclosing(feed.follow(after=0)) as items,
    ):
        await add(store, recorder, 1)
        first = await anext(items)
        for _ in range(25):
            await add(store, recorder, 200)
        clock.advance(timedelta(days=40).total_seconds())
        await add(store, recorder, 1)
        await prune_events(store, recorder, keep_days=30, now=clock.now())
        rest = [await anext(items) for _ in range(2)]

    assert seqs([first]) == [1]
    assert isinstance(rest[0], Resync)
    assert rest[0].after <= 201
    assert seqs(rest[1:]) == [rest[0].first] == [5002]


async def test_who_knows_events_that_the_log_no_longer_has_is_told(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    await add(store, recorder, 3)

    async with open_feed(store, clock=clock) as feed:
        reading = asyncio.create_task(take(feed, 2, after=9))
        await asyncio.sleep(0)
        told = await take(feed, 1, after=9)
        await add(store, recorder, 1)

        assert seqs(told) == [Resync(after=9, first=4)]
        assert seqs(await reading) == [Resync(after=9, first=4), 4]


async def test_what_another_process_wrote_shows_within_a_second(
    database: Path, store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    await add(store, recorder, 1)
    async with (
        open_store(Storage(path=database), clock=clock) as other,
        open_feed(store, clock=clock) as feed,
        aclosing(feed.follow(after=0)) as items,
    ):
        assert seqs([await anext(items)]) == [1]
        reading = asyncio.create_task(anext(items))
        await add(other, recorder, 1)
        ((next_look, _),) = clock._sleepers
        clock.advance(1)
        async with asyncio.timeout(5):
            assert seqs([await reading]) == [2]

    assert next_look == 1001.0, "it looks once a second"


async def test_readers_that_are_cancelled_leave_nothing_behind(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    before = asyncio.all_tasks()
    await add(store, recorder, 2)
    async with open_feed(store, clock=clock) as feed:
        with_feed = asyncio.all_tasks()
        readers = [asyncio.create_task(take(feed, 9, after=0)) for _ in range(20)]
        await asyncio.sleep(0)
        for reader in readers[:10]:
            reader.cancel()
        assert seqs(await take(feed, 2, after=0)) == [1, 2]
        for reader in readers[10:]:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        assert seqs(await take(feed, 1, after=1)) == [2]
        assert asyncio.all_tasks() == with_feed

    assert all(reader.cancelled() for reader in readers)
    assert asyncio.all_tasks() == before


async def test_readers_end_when_the_feed_is_closed(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    await add(store, recorder, 2)
    async with open_feed(store, clock=clock) as feed:
        reading = asyncio.create_task(take(feed, 9, after=0))
        await take(feed, 2, after=0)

    assert seqs(await reading) == [1, 2]


async def test_a_log_that_cannot_be_read_is_an_error_of_the_reader_and_the_feed_lives_on(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    counted = CountedReads(store)
    await add(store, recorder, 1)
    async with open_feed(counted, clock=clock) as feed:
        async with aclosing(feed.follow(after=0)) as items:
            assert seqs([await anext(items)]) == [1]
            counted.is_busy = True  # before the reader looks: a read under way might still see all
            reading = asyncio.create_task(anext(items))
            await add(store, recorder, 1)
            with pytest.raises(StoreBusy, match="another process holds it"):
                await reading
        counted.is_busy = False

        assert seqs(await take(feed, 1, after=1)) == [2]


TYPES = ("message_received", "tool_used", "tool_denied", "reply_sent")
BRAINS = ("home", "work")
TOOLS = ("calc", "memory_note")


def drafts() -> st.SearchStrategy[list[Draft]]:
    one = st.builds(
        Draft,
        type=st.sampled_from(TYPES),
        brain=st.sampled_from((None, *BRAINS)),
        tool=st.sampled_from((None, *TOOLS)),
        mode=st.sampled_from((None, "allow", "deny")),
        conversation=st.sampled_from((None, "a" * 32)),
    )
    return st.lists(one, min_size=1, max_size=12)


def filters() -> st.SearchStrategy[EventFilter]:
    start = FakeClock().now()
    return st.builds(
        EventFilter,
        types=st.lists(st.sampled_from(TYPES), unique=True, max_size=2).map(tuple),
        brain=st.sampled_from(("", *BRAINS)),
        tool=st.sampled_from(("", *TOOLS)),
        mode=st.sampled_from(("", "deny")),
        conversation=st.sampled_from(("", "a" * 32)),
        tools_only=st.booleans(),
        since=st.one_of(
            st.none(), st.integers(0, 12).map(lambda late: start + timedelta(seconds=late))
        ),
        after=st.integers(0, 12),
    )


@settings(max_examples=60, deadline=None)
@given(told=drafts(), wanted=filters(), at=st.integers(0, 12), is_live=st.booleans())
def test_from_any_place_a_reader_gets_what_the_log_says_of_its_filter(
    told: list[Draft], wanted: EventFilter, at: int, *, is_live: bool
) -> None:
    after = min(at, len(told))
    expected, got = asyncio.run(_follow_to_the_end(told, wanted, after, is_live=is_live))

    assert got == expected


async def _follow_to_the_end(
    told: list[Draft], wanted: EventFilter, after: int, *, is_live: bool
) -> tuple[list[EventRow], list[FeedItem]]:
    """Return what the log says of a filter, and what a reader got that began before or after it."""
    clock, recorder = FakeClock(), Recorder(run_id="run1", revision="r1")
    got: list[FeedItem] = []
    async with open_store(None, clock=clock) as store, open_feed(store, clock=clock) as feed:

        async def read() -> None:
            got.extend([item async for item in feed.follow(after=after, wanted=wanted)])

        async def write(some: list[Draft]) -> None:
            for draft in some:
                await store.write(lambda tx, draft=draft: recorder.append(tx, draft))  # type: ignore[misc]
                clock.advance(1)

        await write(told[: max(after, wanted.after)] if is_live else told)
        reading = asyncio.create_task(read())
        witness = asyncio.create_task(take(feed, len(told), after=0))
        await asyncio.sleep(0)
        await write(told[max(after, wanted.after) :] if is_live else [])
        await witness  # the feed has come to the end
        await asyncio.sleep(0)
        behind = EventFilter(
            **{
                name: getattr(wanted, name)
                for name in (
                    "types",
                    "brain",
                    "tool",
                    "mode",
                    "conversation",
                    "tools_only",
                    "since",
                )
            },
            after=max(after, wanted.after),
        )
        expected = await store.read(lambda rows: rows.events(behind, limit=99))
    await reading
    return list(expected), [item for item in got if not isinstance(item, Resync)]
