"""The one place where an error of SQLite becomes an error of brain."""

import sqlite3
from typing import Final

from brain.errors import StoreBusy, StoreError, StoreUnusable

__all__ = ["ENDS_TRANSACTION", "NOTHING_STORED", "ends_transaction", "primary_code", "translate"]

ENDS_TRANSACTION: Final = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PERM, sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
})  # fmt: skip
"""Results after which nothing of the running transaction may be kept: the fault is the machine's."""

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
NOTHING_STORED: Final = (
    "Nothing of this change was stored, and what was stored before is untouched."
)

_UNUSABLE: Final = {
    sqlite3.SQLITE_FULL: (
        "there is no room left on its disk",
        "free some space on that disk and try again; a brain that runs on goes on by itself",
    ),
    sqlite3.SQLITE_READONLY: (
        "the file or its folder is read-only for this user",
        "make the file and its folder writable for the user who runs brain",
    ),
    sqlite3.SQLITE_PERM: (
        "this user may not use it",
        "make the file and its folder writable for the user who runs brain",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "it can't be opened",
        "check that the folder exists, is not full and is writable for the user who runs brain",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "its content is damaged",
        "stop brain, keep a copy of the file, and put a backup in its place with 'brain restore'",
    ),
    sqlite3.SQLITE_NOTADB: (
        "it is not a database",
        "point storage.path to another file, or put a backup in its place with 'brain restore'",
    ),
    sqlite3.SQLITE_IOERR: (
        "the system failed to read or write it",
        "check the disk and its free space and try again; a brain that runs on goes on by itself",
    ),
    sqlite3.SQLITE_INTERRUPT: (
        "the work on it was stopped because it took too long",
        "ask for less at once, or try again when the machine is less busy",
    ),
    sqlite3.SQLITE_NOMEM: (
        "the machine has no memory left for it",
        "free some memory and try again",
    ),
    sqlite3.SQLITE_NOLFS: (
        "the disk takes no file as large as it has become",
        "move the data folder to a file system that takes large files",
    ),
}


_NO_ROOM: Final = frozenset({sqlite3.SQLITE_IOERR_SHMSIZE})
"""What a reader gets where there is no room for the index of the write-ahead log."""

_LACKS_PART: Final = ("no such table", "no such column", "no such index")


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code of `error`; 1 where the error carries none."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return sqlite3.SQLITE_FULL if code in _NO_ROOM else code & 0xFF


def ends_transaction(error: sqlite3.Error) -> bool:
    """Tell whether `error` is the machine's, so that the whole transaction has to be given up."""
    return primary_code(error) in ENDS_TRANSACTION


def translate(error: sqlite3.Error, where: str, meanwhile: str = NOTHING_STORED) -> StoreError:
    """Return what `error` means to people. `where` names the database, `meanwhile` what came of it."""
    code = primary_code(error)
    if code in _BUSY:
        return StoreBusy(
            f"The database {where} is held by another process for longer than brain waits "
            f"(SQLite says: {error}). {meanwhile}",
            fix="close the other program that has the file open, or try again in a moment",
        )
    if code in _UNUSABLE:
        found, fix = _UNUSABLE[code]
        return StoreUnusable(
            f"The database {where} can't be used: {found} (SQLite says: {error}). {meanwhile}",
            fix=fix,
        )
    if str(error).startswith(_LACKS_PART):
        return StoreUnusable(
            f"The database {where} can't be used: it lacks a part that brain made in it (SQLite says: "
            f"{error}), so it was damaged or changed by another program. {meanwhile}",
            fix="stop brain, keep a copy of the file, and put a backup in its place with "
            "'brain restore'",
        )
    return StoreError(
        f"The database {where} refused a statement (SQLite says: {error}). {meanwhile}",
        fix="this is a fault of brain: please report it with this sentence",
    )
