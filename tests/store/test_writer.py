"""How waiting writes share a commit, and what becomes of those that fail."""

import asyncio
import gc
import sqlite3
import threading
import warnings
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NoReturn

import pytest

from brain.activity import Draft, Recorder
from brain.config import Storage
from brain.errors import StoreBusy, StoreError, StoreUnusable
from brain.records import Note
from brain.store import Store, Transaction, open_store
from brain.store.sqlite import readers
from brain.store.sqlite.failures import ENDS_TRANSACTION, translate
from brain.store.sqlite.store import _open
from tests.clocks import FakeClock
from tests.commits import Statements, counted_statements
from tests.store.test_contract import BOX, a_note

FDS = Path("/proc/self/fd")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "home" / "brain.db"


@pytest.fixture
async def traced(database: Path, clock: FakeClock) -> AsyncIterator[tuple[Store, Statements]]:
    with counted_statements() as seen:
        async with open_store(Storage(path=database), clock=clock) as store:
            seen.clear()
            yield store, seen


async def texts(store: Store) -> list[str]:
    notes = await store.read(lambda rows: rows.notes(BOX, may_read_private=True))
    return [note.text for note in notes]


async def test_writes_that_wait_together_share_few_commits(
    traced: tuple[Store, Statements],
) -> None:
    store, seen = traced

    notes = await asyncio.gather(
        *(store.write(lambda tx, n=n: tx.add_note(a_note(f"n{n}"))) for n in range(64))
    )

    assert sorted(note.number for note in notes) == list(range(1, 65))
    assert 1 <= seen.commits <= 4


async def test_a_write_alone_is_one_commit_and_a_read_is_none(
    traced: tuple[Store, Statements],
) -> None:
    store, seen = traced

    await store.write(lambda tx: tx.add_note(a_note("one")))
    await texts(store)

    assert seen.commits == 1


async def test_an_acknowledged_write_is_seen_by_the_next_read_and_by_another_connection(
    traced: tuple[Store, Statements], database: Path
) -> None:
    store, _ = traced

    await store.write(lambda tx: tx.add_note(a_note("one")))

    assert await texts(store) == ["one"]
    with sqlite3.connect(database) as other:
        assert other.execute("SELECT text FROM notes").fetchall() == [("one",)]
    other.close()


async def test_a_disk_that_is_full_for_one_of_a_group_fails_that_one_alone(
    traced: tuple[Store, Statements],
) -> None:
    store, _ = traced
    await store.write(lambda tx: tx._sql.row("PRAGMA max_page_count = 120"))

    results = await asyncio.gather(
        store.write(lambda tx: tx.add_note(a_note("small"))),
        store.write(lambda tx: tx.add_note(a_note("x" * 2_000_000))),
        store.write(lambda tx: tx.add_note(a_note("little"))),
        return_exceptions=True,
    )

    assert isinstance(results[1], StoreUnusable)
    assert isinstance(results[0], Note)
    assert isinstance(results[2], Note)
    assert await texts(store) == ["small", "little"]


async def test_a_callable_that_swallows_the_end_of_its_transaction_keeps_nothing(
    traced: tuple[Store, Statements],
) -> None:
    store, _ = traced
    await store.write(lambda tx: tx._sql.row("PRAGMA max_page_count = 120"))

    def swallows(tx: Transaction) -> str:
        try:
            tx.add_note(a_note("x" * 2_000_000))
        except StoreError:
            with pytest.raises(StoreUnusable):
                tx.add_note(a_note("behind"))
        return "all is well"

    with pytest.raises(StoreUnusable, match="no room left"):
        await store.write(swallows)

    assert await texts(store) == []


@pytest.mark.parametrize(
    "error",
    [KeyError("k"), SystemExit(3), GeneratorExit(), StopIteration("x"), asyncio.CancelledError()],
    ids=lambda error: type(error).__name__,
)
async def test_nothing_that_a_callable_raises_ends_the_writer(
    traced: tuple[Store, Statements], error: BaseException
) -> None:
    store, _ = traced

    def fails(tx: Transaction) -> NoReturn:
        tx.add_note(a_note("lost"))
        raise error

    expected = RuntimeError if isinstance(error, StopIteration) else type(error)
    with pytest.raises(expected):
        await store.write(fails)

    await store.write(lambda tx: tx.add_note(a_note("one")))
    assert await texts(store) == ["one"]


async def test_a_cancelled_write_is_finished_before_its_caller_hears_of_it(
    traced: tuple[Store, Statements],
) -> None:
    store, _ = traced
    has_begun, may_end = threading.Event(), threading.Event()

    def slow(tx: Transaction) -> None:
        has_begun.set()
        may_end.wait(5)
        tx.add_note(a_note("one"))

    task = asyncio.create_task(store.write(slow))
    await asyncio.to_thread(has_begun.wait, 5)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    may_end.set()

    with pytest.raises(asyncio.CancelledError) as caught:
        await task
    assert caught.value.__cause__ is None
    assert await texts(store) == ["one"]


async def test_a_transaction_kept_beyond_its_callable_is_of_no_use(
    traced: tuple[Store, Statements],
) -> None:
    store, _ = traced
    kept = await store.write(lambda tx: tx)

    with pytest.raises(StoreError, match="after the callable"):
        await store.write(lambda _tx: kept.add_note(a_note("one")))
    with pytest.raises(StoreError, match="after the callable"):
        kept.note_count(BOX)


async def test_the_moment_is_read_once_per_write(
    traced: tuple[Store, Statements], clock: FakeClock
) -> None:
    store, _ = traced

    def change(tx: Transaction) -> bool:
        before = tx.now
        clock.advance(3)
        return before == tx.now == tx.add_note(a_note("one")).created_at

    assert await store.write(change)


async def test_a_clock_that_jumps_back_breaks_nothing(
    traced: tuple[Store, Statements], clock: FakeClock
) -> None:
    store, _ = traced
    recorder = Recorder(run_id="run1", revision="r1")
    first = await store.write(lambda tx: recorder.append(tx, Draft(type="runtime_started")))
    clock.jump(clock.now().replace(year=2001))
    second = await store.write(lambda tx: recorder.append(tx, Draft(type="runtime_stopped")))

    assert (second["seq"], second["prev"]) == (2, first["hash"])
    assert str(second["at"]) < str(first["at"])


async def test_a_read_that_takes_too_long_is_cut_and_its_reader_is_of_use_again(
    traced: tuple[Store, Statements], clock: FakeClock
) -> None:
    store, _ = traced
    has_begun = threading.Event()
    endless = (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    )

    def query(rows: object) -> object:
        has_begun.set()
        return rows._sql.row(endless)

    task = asyncio.create_task(store.read(query))
    await asyncio.to_thread(has_begun.wait, 5)
    clock.advance(readers.READ_SECONDS + 1)

    with pytest.raises(StoreUnusable, match="it took too long"):
        await task
    assert await texts(store) == []


async def test_a_cancelled_read_is_cut_short(traced: tuple[Store, Statements]) -> None:
    store, _ = traced
    has_begun = threading.Event()

    def query(rows: object) -> object:
        has_begun.set()
        return rows._sql.row(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        )

    task = asyncio.create_task(store.read(query))
    await asyncio.to_thread(has_begun.wait, 5)
    async with asyncio.timeout(5):
        while not task.done():
            task.cancel()
            await asyncio.sleep(0)
    assert task.cancelled()
    assert await texts(store) == []


async def test_more_reads_than_readers_all_get_their_turn(
    traced: tuple[Store, Statements],
) -> None:
    store, _ = traced
    await store.write(lambda tx: tx.add_note(a_note("one")))

    assert await asyncio.gather(*(texts(store) for _ in range(20))) == [["one"]] * 20


async def test_a_closed_store_says_so_and_what_was_queued_is_kept(
    database: Path, clock: FakeClock
) -> None:
    async with open_store(Storage(path=database), clock=clock) as store:
        queued = [
            asyncio.create_task(store.write(lambda tx, n=n: tx.add_note(a_note(f"n{n}"))))
            for n in range(500)
        ]
        await asyncio.sleep(0)
        await store.close()
        await store.close()
        numbers = [note.number for note in await asyncio.gather(*queued)]
        with pytest.raises(StoreError, match="after it was closed"):
            await store.write(lambda tx: tx.now)
        with pytest.raises(StoreError, match="after it was closed"):
            await store.read(lambda rows: rows.boxes())

    assert numbers == list(range(1, 501))


async def test_fifty_openings_leave_no_thread_and_no_descriptor(
    tmp_path: Path, clock: FakeClock
) -> None:
    async def once() -> None:
        async with open_store(Storage(path=tmp_path / "home" / "brain.db"), clock=clock) as store:
            await store.write(lambda tx: tx.open_run("run1"))
            await store.write(lambda tx: tx.close_run("run1"))
            await store.write(lambda tx: tx._sql.run("DELETE FROM runs"))
            await asyncio.gather(*(texts(store) for _ in range(4)))

    def descriptors() -> int:
        return len(list(FDS.iterdir())) if FDS.exists() else 0

    await once()
    before = threading.active_count(), descriptors()
    for _ in range(50):
        await once()

    assert (threading.active_count(), descriptors()) == before


async def test_a_store_that_is_dropped_unclosed_is_warned_about(
    database: Path, clock: FakeClock
) -> None:
    store = await _open(Storage(path=database), clock)
    await store.write(lambda tx: tx.add_note(a_note("kept")))

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        del store
        gc.collect()
        said = [(warning.category, str(warning.message)) for warning in caught]
        caught.clear()  # a warning holds what it is about
        gc.collect()

    assert said[0][0] is ResourceWarning
    assert "was dropped unclosed; open it with 'async with open_store(...)'" in said[0][1]
    async with open_store(Storage(path=database), clock=clock) as again:
        assert await texts(again) == ["kept"]


def every_code() -> list[int]:
    names = [name for name in dir(sqlite3) if name.startswith("SQLITE_")]
    made = {}
    for name in names:
        value = getattr(sqlite3, name)
        if isinstance(value, int) and 0 < value < 27:
            made[value] = name
    return sorted(made)


@pytest.mark.parametrize("code", every_code())
def test_every_error_of_sqlite_becomes_one_of_ours_with_a_remedy(code: int) -> None:
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = code

    ours = translate(error, "'/x/brain.db'")

    assert isinstance(ours, StoreError)
    assert "'/x/brain.db'" in ours.message
    assert "as SQLite says it" in ours.message
    assert ours.message.endswith("what was stored before is untouched.")
    assert ours.fix
    assert (code in ENDS_TRANSACTION) == isinstance(ours, StoreBusy | StoreUnusable)


def test_every_kind_of_exception_of_sqlite_is_translated() -> None:
    kinds = [
        kind
        for kind in vars(sqlite3).values()
        if isinstance(kind, type) and issubclass(kind, sqlite3.Error)
    ]

    assert len(kinds) == 9
    assert all(isinstance(translate(kind("x"), "y"), StoreError) for kind in kinds)
