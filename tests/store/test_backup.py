import asyncio
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from brain.config import Storage
from brain.errors import NotFound, StoreBusy, StoreUnusable
from brain.store import back_up_store, open_store, restore_store
from tests.clocks import FakeClock
from tests.store.test_contract import BOX, a_note


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(path=tmp_path / "home" / "brain.db")


async def add(storage: Storage, clock: FakeClock, *texts: str) -> None:
    async with open_store(storage, clock=clock) as store:
        await store.write(lambda tx: [tx.add_note(a_note(text)) for text in texts])


async def texts(storage: Storage, clock: FakeClock) -> list[str]:
    async with open_store(storage, clock=clock) as store:
        notes = await store.read(lambda rows: rows.notes(BOX, may_read_private=True))
    return [note.text for note in notes]


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


async def test_a_backup_of_a_running_store_is_whole_and_comes_back(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    async with open_store(storage, clock=clock) as store:
        await store.write(lambda tx: tx.add_note(a_note("one")))
        made = await back_up_store(storage, into=tmp_path / "backup", now=clock.now())
        await store.write(lambda tx: tx.add_note(a_note("two")))
    assert names(tmp_path / "backup") == ["brain.db"]

    done = await restore_store(storage, archive=tmp_path / "backup", now=clock.now())

    replaced = tmp_path / "home-replaced-20260302T090000Z"
    assert (made.folder, made.files, made.rows["notes"]) == (tmp_path / "backup", ("brain.db",), 1)
    assert (done.files, done.rows, done.replaced) == (("brain.db",), made.rows, replaced)
    assert await texts(storage, clock) == ["one"]
    assert await texts(Storage(path=replaced / "brain.db"), clock) == ["one", "two"]


async def test_a_backup_can_be_put_where_nothing_is(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    await add(storage, clock, "one")
    await back_up_store(storage, into=tmp_path / "backup", now=clock.now())
    elsewhere = Storage(path=tmp_path / "new" / "brain.db")

    done = await restore_store(elsewhere, archive=tmp_path / "backup", now=clock.now())

    assert done.replaced is None
    assert await texts(elsewhere, clock) == ["one"]


async def test_a_backup_is_never_written_over_something(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    await add(storage, clock, "one")
    (tmp_path / "backup").mkdir()

    with pytest.raises(StoreUnusable, match="there is something already") as caught:
        await back_up_store(storage, into=tmp_path / "backup", now=clock.now())

    assert "does not exist yet" in caught.value.fix
    assert names(tmp_path) == ["backup", "home"]


async def test_a_store_that_never_was_has_no_backup(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    with pytest.raises(NotFound, match="There is no database"):
        await back_up_store(storage, into=tmp_path / "backup", now=clock.now())
    assert names(tmp_path) == []


async def test_nothing_is_put_back_while_a_process_runs_on_the_store(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    async with open_store(storage, clock=clock) as store:
        await store.write(lambda tx: (tx.open_run("run1"), tx.add_note(a_note("one"))))
        await back_up_store(storage, into=tmp_path / "backup", now=clock.now())
        with pytest.raises(StoreBusy, match="is in use") as caught:
            await restore_store(storage, archive=tmp_path / "backup", now=clock.now())
    assert "stop brain" in caught.value.fix
    assert names(tmp_path) == ["backup", "home"]


async def test_nothing_is_put_back_while_a_store_is_open_for_reading_alone(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    await add(storage, clock, "one")
    await back_up_store(storage, into=tmp_path / "backup", now=clock.now())
    holder = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        HOLDS_OPEN,
        str(storage.path),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert holder.stdout is not None
    assert await holder.stdout.readline() == b"open\n"
    with pytest.raises(StoreBusy, match="is in use"):
        await restore_store(storage, archive=tmp_path / "backup", now=clock.now())
    await holder.communicate(b"")

    await restore_store(storage, archive=tmp_path / "backup", now=clock.now())
    assert await texts(storage, clock) == ["one"]


HOLDS_OPEN = """
import asyncio, sys
from pathlib import Path
from brain.clock import SystemClock
from brain.config import Storage
from brain.store import open_store

async def hold():
    async with open_store(Storage(path=Path(sys.argv[1])), clock=SystemClock()) as store:
        await store.read(lambda rows: rows.event_head())
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(hold())
"""


async def test_everything_that_brain_keeps_in_the_folder_goes_along_and_comes_back(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    await add(storage, clock, "one")
    folder = storage.path.parent
    (folder / "prompt-history").write_text("before", encoding="utf-8")
    (folder / "of-somebody-else").write_text("stays", encoding="utf-8")
    made = await back_up_store(storage, into=None, now=clock.now())
    (folder / "prompt-history").write_text("after", encoding="utf-8")
    (folder / "server.token").write_text("made since", encoding="utf-8")

    done = await restore_store(storage, archive=made.folder, now=clock.now())

    assert made.folder == tmp_path / "home-backup-20260302T090000Z"
    assert made.files == done.files == ("brain.db", "prompt-history")
    assert names(made.folder) == ["brain.db", "prompt-history"]
    assert done.replaced is not None
    assert names(done.replaced) == ["brain.db", "prompt-history", "server.token"]
    assert (done.replaced / "prompt-history").read_text(encoding="utf-8") == "after"
    assert (folder / "prompt-history").read_text(encoding="utf-8") == "before"
    assert (folder / "prompt-history").stat().st_mode & 0o777 == 0o600
    assert names(folder) == [
        "brain.db",
        "locks",
        "of-somebody-else",
        "prompt-history",
        "server.token",
    ]


async def test_a_folder_that_was_copied_by_hand_comes_back_with_the_log_beside_its_database(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    async with open_store(storage, clock=clock) as store:
        await store.write(lambda tx: tx.add_note(a_note("one")))
        shutil.copytree(storage.path.parent, tmp_path / "copied")
    elsewhere = Storage(path=tmp_path / "new" / "brain.db")
    assert "brain.db-wal" in names(tmp_path / "copied")

    done = await restore_store(elsewhere, archive=tmp_path / "copied", now=clock.now())

    assert (done.files, done.rows["notes"]) == (("brain.db",), 1)
    assert await texts(elsewhere, clock) == ["one"]


@pytest.mark.parametrize("state", ["damaged", "no database", "newer"])
async def test_a_store_that_cannot_be_used_any_more_is_replaced_and_kept_as_it_is(
    storage: Storage, clock: FakeClock, tmp_path: Path, state: str
) -> None:
    await add(storage, clock, *(f"{number} " * 500 for number in range(40)))
    await back_up_store(storage, into=tmp_path / "backup", now=clock.now())
    before = await texts(storage, clock)
    spoil(storage.path, state)
    spoilt = bytes_of(storage.path)

    done = await restore_store(storage, archive=tmp_path / "backup", now=clock.now())

    assert await texts(storage, clock) == before
    assert done.replaced is not None
    if state != "newer":  # SQLite folds the log of a whole one in
        assert bytes_of(done.replaced / "brain.db") == spoilt


async def test_where_no_room_is_beside_the_folder_nothing_is_changed(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    await add(storage, clock, "one")
    await back_up_store(storage, into=tmp_path / "backup", now=clock.now())
    await add(storage, clock, "two")
    (tmp_path / "home-replaced-20260302T090000Z").mkdir()

    with pytest.raises(StoreUnusable, match="The database is as it was"):
        await restore_store(storage, archive=tmp_path / "backup", now=clock.now())

    assert await texts(storage, clock) == ["one", "two"]
    assert names(storage.path.parent) == ["brain.db", "locks"]
    assert names(tmp_path) == ["backup", "home", "home-replaced-20260302T090000Z"]


def bytes_of(path: Path) -> bytes:
    return path.read_bytes()


@pytest.mark.parametrize("fault", ["missing", "no database", "damaged", "newer", "a stranger's"])
async def test_a_backup_that_is_none_is_refused_and_the_store_stays(
    storage: Storage, clock: FakeClock, tmp_path: Path, fault: str
) -> None:
    await add(storage, clock, *(f"{number} " * 500 for number in range(40)))
    before = await texts(storage, clock)
    backup = tmp_path / "backup"
    await back_up_store(storage, into=backup, now=clock.now())
    spoil(backup / "brain.db", fault)

    with pytest.raises((NotFound, StoreUnusable)) as caught:
        await restore_store(storage, archive=backup, now=clock.now())

    assert "Nothing was changed" in caught.value.message
    assert caught.value.fix
    assert await texts(storage, clock) == before
    assert names(tmp_path) == ["backup", "home"]


def spoil(path: Path, fault: str) -> None:
    if fault == "missing":
        path.unlink()
    elif fault == "no database":
        path.write_bytes(b"words " * 1000)
    elif fault == "damaged":
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size // 2)
    else:
        statement = {
            "newer": "INSERT INTO migrations (name, at) VALUES ('m900_dreams', 'then')",
            "a stranger's": "PRAGMA application_id = 1",
        }[fault]
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement)
            connection.commit()
