"""A verified copy of the data folder, made beside it before an upgrade."""

import hashlib
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from errno import EEXIST
from pathlib import Path

from brain.errors import MigrationFailed
from brain.store.backups import Backup
from brain.store.folder import kept_files

__all__ = [
    "NotTheSameError",
    "archive_folder",
    "copy_database",
    "copy_folder",
    "count_rows",
    "digest",
    "stamp",
]


def archive_folder(path: Path, *, before: str, now: datetime) -> Path:
    """Copy what brain owns in the folder of `path` into a new folder beside it; return that one.

    The caller holds the write lock of the database, so that the copy is of one moment. The copy is
    opened again, checked by SQLite and counted table by table; the other files are compared by
    SHA-256. Raises MigrationFailed if any of it fails, leaving nothing behind.
    """
    archive = path.parent.with_name(f"{path.parent.name}-before-{before}-{stamp(now)}")
    try:
        copy_folder(path, archive)
    except (OSError, sqlite3.Error, NotTheSameError) as error:
        raise MigrationFailed(
            f"The database {str(path)!r} has to be upgraded, and no archive of it could be made in "
            f"{str(archive)!r} before: {error}. Without an archive nothing is upgraded: the file "
            "is as it was and nothing was started.",
            fix="make room beside the data folder and make its parent folder writable, then start "
            "again",
        ) from error
    return archive


class NotTheSameError(Exception):
    """The copy is not what was copied."""


def stamp(now: datetime) -> str:
    """Return the moment as names of folders carry it."""
    return now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def copy_folder(path: Path, target: Path) -> Backup:
    """Copy what brain owns in the folder of `path` into `target`, which is made; whole or not at all.

    Raises OSError, sqlite3.Error or NotTheSameError.
    """
    if target.exists():
        raise FileExistsError(EEXIST, "there is something already", str(target))
    partial = target.with_name(target.name + ".partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(mode=0o700)
        rows = copy_database(path, partial / path.name)
        others = _copy_others(path, partial)
        partial.rename(target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return Backup(folder=target, files=(path.name, *others), rows=rows)


def copy_database(source: Path, target: Path) -> dict[str, int]:
    """Copy a database, with what lies in a log beside it, as one file; return its rows by table.

    Raises OSError, sqlite3.Error or NotTheSameError.
    """
    target.touch(mode=0o600, exist_ok=False)
    with (
        closing(
            sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, isolation_level=None)
        ) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.execute("BEGIN")  # one snapshot for the copy and for the counts
        expected = count_rows(original)
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # the archive is one file, whoever opens it
    with closing(sqlite3.connect(f"{target.as_uri()}?mode=ro", uri=True)) as copy:
        (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise NotTheSameError(f"SQLite's check of the copy says {verdict!r}")
        found = count_rows(copy)
    if found != expected:
        raise NotTheSameError(f"the copy holds {found!r} and the original {expected!r}")
    return found


def count_rows(connection: sqlite3.Connection) -> dict[str, int]:
    """Return how many rows each table has."""
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    ).fetchall()
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608 - names from the schema
        for (name,) in tables
    }


def _copy_others(path: Path, target: Path) -> list[str]:
    copied = []
    for name in sorted(kept_files(path) - {path.name}):
        source = path.parent / name
        if source.is_file():
            shutil.copy2(source, target / name)
            if digest(source) != digest(target / name):
                raise NotTheSameError(f"the copy of {name!r} differs from the original")
            copied.append(name)
    return copied


def digest(path: Path) -> bytes:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
