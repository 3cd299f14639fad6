import sqlite3
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
        await back_up_store(storage, into=tmp_path / "backup")
        await store.write(lambda tx: tx.add_note(a_note("two")))
    assert names(tmp_path / "backup") == ["brain.db"]

    replaced = await restore_store(storage, archive=tmp_path / "backup", now=clock.now())

    assert replaced == tmp_path / "home-replaced-20260302T090000Z"
    assert await texts(storage, clock) == ["one"]
    assert await texts(Storage(path=replaced / "brain.db"), clock) == ["one", "two"]


async def test_a_backup_can_be_put_where_nothing_is(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    await add(storage, clock, "one")
    await back_up_store(storage, into=tmp_path / "backup")
    elsewhere = Storage(path=tmp_path / "new" / "brain.db")

    assert await restore_store(elsewhere, archive=tmp_path / "backup", now=clock.now()) is None
    assert await texts(elsewhere, clock) == ["one"]


async def test_a_backup_is_never_written_over_something(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    await add(storage, clock, "one")
    (tmp_path / "backup").mkdir()

    with pytest.raises(StoreUnusable, match="there is something already") as caught:
        await back_up_store(storage, into=tmp_path / "backup")

    assert "does not exist yet" in caught.value.fix
    assert names(tmp_path) == ["backup", "home"]


async def test_a_store_that_never_was_has_no_backup(storage: Storage, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no database"):
        await back_up_store(storage, into=tmp_path / "backup")
    assert names(tmp_path) == []


async def test_nothing_is_put_back_while_a_process_runs_on_the_store(
    storage: Storage, clock: FakeClock, tmp_path: Path
) -> None:
    async with open_store(storage, clock=clock) as store:
        await store.write(lambda tx: (tx.open_run("run1"), tx.add_note(a_note("one"))))
        await back_up_store(storage, into=tmp_path / "backup")
        with pytest.raises(StoreBusy, match="is in use") as caught:
            await restore_store(storage, archive=tmp_path / "backup", now=clock.now())
    assert "stop brain" in caught.value.fix
    assert names(tmp_path) == ["backup", "home"]


@pytest.mark.parametrize("fault", ["missing", "no database", "damaged", "newer", "a stranger's"])
async def test_a_backup_that_is_none_is_refused_and_the_store_stays(
    storage: Storage, clock: FakeClock, tmp_path: Path, fault: str
) -> None:
    await add(storage, clock, *(f"{number} " * 500 for number in range(40)))
    before = await texts(storage, clock)
    backup = tmp_path / "backup"
    await back_up_store(storage, into=backup)
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
