"""What is found on disk, and what is said of it."""

import asyncio
import os
import shutil
import sqlite3
import stat
import sys
from asyncio.subprocess import PIPE
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from brain.config import Storage
from brain.errors import BrainError, StoreBusy, StoreUnusable
from brain.store import EventFilter, Store, network_warning, open_store, peek_store
from brain.store.network import file_system_of
from brain.store.sqlite import opening
from brain.store.sqlite.failures import translate
from brain.store.sqlite.schema import MIGRATIONS
from tests.clocks import FakeClock
from tests.store.test_contract import BOX, a_note

IS_POSIX = os.name == "posix"


def mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):04o}"


def set_mode(path: Path, value: int) -> None:
    path.chmod(value)


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


async def open_and_close(path: Path, clock: FakeClock) -> None:
    async with open_store(Storage(path=path), clock=clock) as store:
        await store.write(lambda tx: tx.add_note(a_note("kept")))


async def refused(path: Path, clock: FakeClock) -> BrainError:
    with pytest.raises(BrainError) as caught:
        await open_and_close(path, clock)
    return caught.value


@pytest.mark.skipif(not IS_POSIX, reason="Windows has no such permissions")
async def test_folder_and_files_are_for_their_owner_alone(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "home" / "brain.db"
    umask = os.umask(0)
    try:
        async with open_store(Storage(path=path), clock=clock) as store:
            await store.write(lambda tx: (tx.open_run("run1"), tx.add_note(a_note("x"))))
            found = {entry.name: mode(entry) for entry in path.parent.rglob("*")}
            folder = mode(path.parent)
    finally:
        os.umask(umask)

    assert folder == "0700"
    assert found == {
        "brain.db": "0600",
        "brain.db-shm": "0600",
        "brain.db-wal": "0600",
        "locks": "0700",
        "run-run1.lock": "0600",
    }


@pytest.mark.skipif(not IS_POSIX, reason="Windows has no such permissions")
async def test_permissions_that_someone_loosened_are_mended_and_said(
    tmp_path: Path, clock: FakeClock, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "home" / "brain.db"
    await open_and_close(path, clock)
    path.chmod(0o644)
    path.parent.chmod(0o755)
    (path.parent / "prompt-history").touch()  # a terminal was here

    async with open_store(Storage(path=path), clock=clock):
        assert (mode(path), mode(path.parent)) == ("0600", "0700")

    said = capsys.readouterr()
    assert said.err.count("permissions_mended") == 2
    assert said.out == ""


@pytest.mark.skipif(not IS_POSIX, reason="Windows has no such permissions")
async def test_the_database_of_another_program_keeps_its_permissions(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "theirs" / "library.db"
    path.parent.mkdir(mode=0o755)
    with closing(sqlite3.connect(path)) as theirs:
        theirs.execute("CREATE TABLE books (title TEXT)")
    set_mode(path, 0o664)

    error = await refused(path, clock)

    assert "a database of another program" in error.message
    assert (mode(path), mode(path.parent)) == ("0664", "0755")


@pytest.mark.skipif(not IS_POSIX, reason="Windows has no such permissions")
async def test_a_folder_that_holds_what_is_not_ours_keeps_its_permissions(
    tmp_path: Path, clock: FakeClock
) -> None:
    set_mode(tmp_path, 0o755)
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")

    await open_and_close(tmp_path / "brain.db", clock)

    assert (mode(tmp_path), mode(tmp_path / "brain.db")) == ("0755", "0600")


async def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "brain.db"
    path.write_bytes(b"My thesis, chapter one: " * 400)

    error = await refused(path, clock)

    assert isinstance(error, StoreUnusable)
    assert error.message == (
        f"The file {str(path)!r} is not a database: it begins with b'My thesis, chapt' and brain "
        "expects a database of its own. The file was left as it is and nothing was started."
    )
    assert error.fix == (
        "point storage.path to another file, or put a backup in its place with 'brain restore'"
    )
    assert path.read_bytes() == b"My thesis, chapter one: " * 400


async def test_a_database_of_another_program_is_refused_and_left_as_it_is(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "brain.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()

    error = await refused(path, clock)

    assert isinstance(error, StoreUnusable)
    assert "is a database of another program" in error.message
    assert path.read_bytes() == before


async def test_a_database_of_a_newer_brain_is_refused_by_name(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "brain.db"
    await open_and_close(path, clock)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO migrations (name, at) VALUES ('m900_dreams', 'then')")
        connection.commit()

    error = await refused(path, clock)

    assert isinstance(error, StoreUnusable)
    assert error.message == (
        f"The database {str(path)!r} was written by a newer brain: it has been through "
        f"'m900_dreams' and this one knows no migration after {MIGRATIONS[-1].__name__!r}. Nothing in it "
        "was changed and nothing was started."
    )
    assert "upgrade brain" in error.fix
    assert "brain restore" in error.fix


async def test_a_damaged_database_is_refused_after_an_unclean_stop(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "brain.db"
    async with open_store(Storage(path=path), clock=clock) as store:
        await store.write(lambda tx: tx.open_run("run1"))
        await store.write(lambda tx: [tx.add_note(a_note(f"{n} " * 40)) for n in range(300)])
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'notes'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)

    error = await refused(path, clock)

    assert isinstance(error, StoreUnusable)
    assert "is damaged: brain did not stop as it should" in error.message
    assert "brain restore" in error.fix


async def test_a_file_cut_short_is_refused(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "brain.db"
    await open_and_close(path, clock)
    with path.open("r+b") as file:
        file.truncate(5000)

    error = await refused(path, clock)

    assert isinstance(error, StoreUnusable)
    assert "its content is damaged" in error.message
    assert "nothing was started" in error.message


async def test_an_emptied_file_beside_its_log_is_refused_and_both_are_left_as_they_are(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "brain.db"
    log = tmp_path / "brain.db-wal"
    path.write_bytes(b"")
    log.write_bytes(b"what was stored last")

    error = await refused(path, clock)
    with pytest.raises(StoreUnusable) as peeked:
        peek_store(Storage(path=path), lambda _: None)

    assert isinstance(error, StoreUnusable)
    assert error.message == (
        f"The database {str(path)!r} is empty, and beside it lies 'brain.db-wal' with 20 bytes of a "
        "store that was there: the file was emptied. Both were left as they are and nothing was "
        "started."
    )
    assert peeked.value.message == error.message
    assert (path.read_bytes(), log.read_bytes()) == (b"", b"what was stored last")


async def test_an_empty_file_alone_is_a_new_store(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "brain.db"
    path.write_bytes(b"")
    await open_and_close(path, clock)
    assert path.stat().st_size > 0


async def test_a_table_that_is_missing_is_told_as_damage_and_not_as_a_fault_of_brain(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "brain.db"
    await open_and_close(path, clock)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA foreign_keys = OFF")
        other.execute("DROP TABLE notes")
        other.commit()

    error = await refused(path, clock)

    assert isinstance(error, StoreUnusable)
    assert "it lacks a part that brain made in it (SQLite says: no such table" in error.message
    assert "'brain restore'" in error.fix


def test_a_reader_without_room_for_its_index_is_told_that_there_is_no_room() -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE

    told = translate(error, "'brain.db'", meanwhile="Nothing was read.")

    assert isinstance(told, StoreUnusable)
    assert "there is no room left on its disk" in told.message
    assert told.fix.startswith("free some space")


async def test_a_clean_stop_costs_no_check_and_a_crash_does(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "brain.db"
    seen: list[str] = []
    real = sqlite3.connect

    def traced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection = real(*args, **kwargs)
        connection.set_trace_callback(seen.append)
        return connection

    monkeypatch.setattr(opening.sqlite3, "connect", traced)
    for closes in (True, False):
        async with open_store(Storage(path=path), clock=clock) as store:
            await store.write(lambda tx, closes=closes: tx.open_run(f"run{closes}"))
            if closes:
                await store.write(lambda tx: tx.close_run("runTrue"))
    assert not any("quick_check" in statement for statement in seen)

    async with open_store(Storage(path=path), clock=clock) as store:
        assert any("quick_check" in statement for statement in seen)
        assert await store.read(lambda rows: rows.dead_runs()) == ("runFalse",)


async def test_the_connection_is_set_up_for_durability(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "brain.db"
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "busy_timeout": 5000,
        "temp_store": 2,
    }
    async with open_store(Storage(path=path), clock=clock) as store:
        found = await store.write(
            lambda tx: {name: tx._sql.row(f"PRAGMA {name}")[0] for name in wanted}
        )
    assert found == wanted

    async with open_store(Storage(path=path, synchronous="normal"), clock=clock) as store:
        assert await store.write(lambda tx: tx._sql.row("PRAGMA synchronous")) == (1,)


async def test_a_reader_cannot_write(tmp_path: Path, clock: FakeClock) -> None:
    async with open_store(Storage(path=tmp_path / "brain.db"), clock=clock) as store:
        with pytest.raises(StoreUnusable, match="read-only"):
            await store.read(lambda rows: rows._sql.run("DELETE FROM notes"))


async def test_a_store_without_storage_touches_no_disk(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with open_store(None, clock=clock) as store:
        await store.write(lambda tx: (tx.open_run("run1"), tx.add_note(a_note("gone"))))
        assert await store.read(lambda rows: rows.note_count(BOX)) == 1
        assert names(tmp_path) == []
    async with open_store(None, clock=clock) as store:
        assert await store.read(lambda rows: rows.note_count(BOX)) == 0
    assert names(tmp_path) == []


async def test_a_file_that_was_taken_away_takes_no_more_writes_until_it_is_back(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "home" / "brain.db"
    async with open_store(Storage(path=path), clock=clock) as store:
        await store.write(lambda tx: tx.add_note(a_note("one")))
        path.rename(tmp_path / "away.db")
        with pytest.raises(StoreUnusable, match="can't be found any more") as caught:
            await store.write(lambda tx: tx.add_note(a_note("two")))
        assert "brain restore" in caught.value.fix
        path.write_bytes(b"")
        with pytest.raises(StoreUnusable, match="another file has taken its place"):
            await store.write(lambda tx: tx.add_note(a_note("two")))
        (tmp_path / "away.db").rename(path)
        assert (await store.write(lambda tx: tx.add_note(a_note("two")))).number == 2


async def test_a_database_that_another_program_holds_is_busy_and_then_free(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)
    path = tmp_path / "brain.db"
    async with open_store(Storage(path=path), clock=clock) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreBusy) as caught:
                await store.write(lambda tx: tx.add_note(a_note("one")))
            assert await store.read(lambda rows: rows.note_count(BOX)) == 0
            other.execute("ROLLBACK")
        assert caught.value.message == (
            f"The database {str(path)!r} is held by another process for longer than brain waits "
            "(SQLite says: database is locked). Nothing of this change was stored, and what was "
            "stored before is untouched."
        )
        assert (await store.write(lambda tx: tx.add_note(a_note("one")))).number == 1


READ_ONLY = """
import asyncio, os, sys
from pathlib import Path
from brain.clock import SystemClock
from brain.config import Storage
from brain.errors import BrainError
from brain.store import open_store
import brain.store.sqlite
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
async def main():
    reached = Path(sys.argv[1]).parent
    assert os.access(reached if reached.exists() else reached.parent, os.R_OK | os.X_OK)
    try:
        async with open_store(Storage(path=Path(sys.argv[1])), clock=SystemClock()):
            print("opened")
    except BrainError as error:
        print(type(error).__name__, error.message, error.fix, sep="|")
asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="drops its privileges in the way of Linux")
@pytest.mark.parametrize("what", ["file", "folder", "missing folder"])
async def test_a_read_only_place_is_refused_with_what_to_do(
    tmp_path: Path, clock: FakeClock, what: str
) -> None:
    for folder in (tmp_path, *tmp_path.parents[:3]):  # one more where tests run beside each other
        if folder.name.startswith(("test_", "popen-", "pytest-")):
            set_mode(folder, 0o755)
    path = tmp_path / "home" / "brain.db"
    await open_and_close(path, clock)
    path.parent.chmod(0o777 if what == "file" else 0o555)
    path.chmod(0o444 if what == "file" else 0o666)
    if what == "missing folder":
        path = path.parent / "deeper" / "brain.db"
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", READ_ONLY, str(path), stdout=PIPE, stderr=PIPE
    )
    said, complaints = await child.communicate()

    assert complaints.decode() == ""
    assert said.decode().startswith("StoreUnusable|")
    assert "othing was started" in said.decode()
    assert "writable for the user who runs brain" in said.decode()


async def test_a_full_disk_fails_honestly_and_service_resumes_by_itself(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_store(Storage(path=tmp_path / "brain.db"), clock=clock) as store:
        await store.write(lambda tx: tx.add_note(a_note("before")))
        await store.write(lambda tx: tx._sql.row("PRAGMA max_page_count = 1"))
        for number in (1, 2):
            with pytest.raises(StoreUnusable, match="no room left") as caught:
                await store.write(
                    lambda tx, number=number: tx.add_note(a_note(f"{number} " * 20_000))
                )
            assert "free some space" in caught.value.fix
        notes = await store.read(lambda rows: rows.notes(BOX, may_read_private=True))
        assert [note.text for note in notes] == ["before"]

        with pytest.raises(KeyError):
            await store.write(take_losses_and_fail)
        await store.write(lambda tx: tx._sql.row("PRAGMA max_page_count = 1000000"))
        assert await store.write(lambda tx: tx.take_losses()) == 2
        assert await store.write(lambda tx: tx.take_losses()) == 0


def take_losses_and_fail(tx) -> None:  # noqa: ANN001 - as a lambda would
    assert tx.take_losses() == 2
    raise KeyError("no")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/ada/brain.db", "ext4"),
        ("/mnt/team share/brain.db", "nfs4"),
        ("/mnt/team sharehold/brain.db", "ext4"),
        ("/mnt/team share/local/brain.db", "tmpfs"),
    ],
    ids=["disk", "share", "name alike", "disk inside a share"],
)
def test_the_file_system_of_a_path_is_that_of_the_deepest_mount(path: str, kind: str) -> None:
    mounts = (
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        "30 22 0:40 / /mnt/team\\040share rw - nfs4 nas:/team rw\n"
        "31 30 0:41 / /mnt/team\\040share/local rw - tmpfs tmpfs rw\n"
        "a broken line\n"
    )
    assert file_system_of(PurePosixPath(path), mounts) == kind


def test_a_share_is_warned_about_and_a_disk_is_not(tmp_path: Path) -> None:
    assert network_warning(tmp_path / "brain.db") == ""
    assert "lies on a network file system" in network_warning(Path("//nas/team/brain.db"))


async def test_opening_and_closing_leaves_the_file_as_it_was(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "home" / "brain.db"
    await open_and_close(path, clock)
    before = path.read_bytes()
    async with open_store(Storage(path=path), clock=clock) as store:
        assert await read_nothing(store) == ()
    assert path.read_bytes() == before
    assert names(path.parent) == ["brain.db"]
    shutil.rmtree(path.parent)


async def read_nothing(store: Store) -> tuple[object, ...]:
    return await store.read(lambda rows: rows.events(EventFilter(), limit=5))
