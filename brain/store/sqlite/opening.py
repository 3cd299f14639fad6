"""Opening the file: made, known as ours, checked where that is due, brought to this version."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

from brain.clock import Clock
from brain.config import Storage
from brain.errors import StoreUnusable
from brain.store.sqlite.failures import translate
from brain.store.sqlite.files import prepare
from brain.store.sqlite.locks import RunLocks
from brain.store.sqlite.migrate import applied_migrations, upgrade
from brain.store.sqlite.schema import APPLICATION_ID

__all__ = ["BUSY_SECONDS", "guard", "open_reader", "open_writer", "refuse_strangers", "where"]

BUSY_SECONDS: Final = 5.0
"""How long a connection waits for another process: longer than any commit of ours takes."""

_STATEMENTS: Final = 256
"""How many prepared statements a connection keeps: more than brain has."""

_WAL_BYTES: Final = 64 * 1024 * 1024
"""To what size the write-ahead log is cut after a checkpoint."""


_NOT_STARTED: Final = "Nothing in it was changed and nothing was started."


def where(path: Path | None) -> str:
    """Return how messages name the database."""
    return "in memory" if path is None else repr(str(path))


def open_reader(path: Path, *, is_at_rest: bool = False) -> sqlite3.Connection:
    """Open `path` for reading alone. Raises StoreError.

    `is_at_rest`: nobody has it open, so that nothing needs to be laid beside it to read it.
    """
    try:
        connection = _connect(path, "ro&immutable=1" if is_at_rest else "ro")
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
    except sqlite3.Error as error:
        raise translate(error, where(path), meanwhile="Nothing was read.") from error
    return connection


def open_writer(storage: Storage | None, clock: Clock, locks: RunLocks) -> sqlite3.Connection:
    """Open the database for writing: made where there is none, checked and upgraded. Raises StoreError."""
    path = None if storage is None else storage.path
    if path is None:
        connection = sqlite3.connect(
            ":memory:", isolation_level=None, cached_statements=_STATEMENTS
        )
    else:
        prepare(path)
        connection = _connected(path)
    try:
        _make_ready(connection, storage, clock, locks)
    except sqlite3.Error as error:
        connection.close()
        raise translate(error, where(path), meanwhile=_NOT_STARTED) from error
    except BaseException:
        connection.close()
        raise
    return connection


def guard(path: Path | None) -> Callable[[], None]:
    """Return a check that raises StoreUnusable once `path` is no longer the file that was opened.

    SQLite itself would go on writing into a file that has lost its name.
    """
    if path is None:
        return lambda: None

    def look() -> os.stat_result:
        try:
            return path.stat()
        except OSError as error:
            raise _gone(path, f"it can't be found any more ({error.strerror})") from error

    opened = look()

    def check() -> None:
        if not os.path.samestat(look(), opened):
            raise _gone(path, "another file has taken its place")

    return check


def _gone(path: Path, found: str) -> StoreUnusable:
    return StoreUnusable(
        f"The database {where(path)} was taken away while it was in use: {found}. "
        "Nothing of this change was stored.",
        fix="stop brain, put the file back (or a backup, with 'brain restore') and start again",
    )


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_SECONDS,
        cached_statements=_STATEMENTS,
    )


def _connected(path: Path) -> sqlite3.Connection:
    try:
        return _connect(path, "rw")
    except sqlite3.Error as error:
        raise translate(error, where(path), meanwhile=_NOT_STARTED) from error


def _make_ready(
    connection: sqlite3.Connection, storage: Storage | None, clock: Clock, locks: RunLocks
) -> None:
    path = None if storage is None else storage.path
    is_new = refuse_strangers(connection, path)
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA secure_delete = ON")
    if storage is not None:
        if not is_new:
            _check_after_unclean_stop(connection, storage.path, locks)
        _use_wal(connection, storage)
    if is_new:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    upgrade(connection, path=path, where=where(path), now=clock.now())
    connection.execute("PRAGMA foreign_keys = ON")


def _use_wal(connection: sqlite3.Connection, storage: Storage) -> None:
    (journal,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if journal != "wal":
        raise StoreUnusable(
            f"The database {where(storage.path)} can't keep a write-ahead log: SQLite says that its "
            f"journal is {journal!r} and brain expects 'wal'. Nothing was started.",
            fix="move storage.path to a disk of this machine, not one on the network",
        )
    level = "FULL" if storage.synchronous == "full" else "NORMAL"
    connection.execute(f"PRAGMA synchronous = {level}")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")


def refuse_strangers(connection: sqlite3.Connection, path: Path | None) -> bool:
    """Raise StoreUnusable for a database that is not ours, untouched; tell whether it is empty."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables == 0:
        return True
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise StoreUnusable(
            f"The file {where(path)} is a database of another program. Nothing in it was changed and "
            "nothing was started.",
            fix="point storage.path to another file",
        )
    return False


def _check_after_unclean_stop(connection: sqlite3.Connection, path: Path, locks: RunLocks) -> None:
    """Have SQLite check the file if a run of it ended without closing: a crash or a power cut."""
    if not applied_migrations(connection):
        return
    rows = connection.execute("SELECT id FROM runs WHERE closed_at IS NULL").fetchall()
    if all(locks.is_held(run_id) for (run_id,) in rows):
        return
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise StoreUnusable(
            f"The database {where(path)} is damaged: brain did not stop as it should, and SQLite's "
            f"check of the file says {verdict!r} where 'ok' is expected. Nothing was changed and "
            "nothing was started.",
            fix="keep a copy of the file and put a backup in its place with 'brain restore'",
        )
