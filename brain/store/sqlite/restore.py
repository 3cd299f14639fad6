"""Making a backup while brain runs, and putting one back while it does not."""

import shutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from brain.errors import NotFound, StoreBusy, StoreUnusable
from brain.store.locks import LOCKS_FOLDER, LockFile
from brain.store.sqlite import schema
from brain.store.sqlite.archive import NotTheSameError, copy_folder, digest, stamp
from brain.store.sqlite.failures import translate
from brain.store.sqlite.migrate import applied_migrations

__all__ = ["back_up", "restore"]


def back_up(path: Path, target: Path) -> None:
    """Copy the database of `path` and what else brain owns beside it into the new folder `target`.

    Brain may be running: the copy is of one moment. It is opened again, checked and counted. Raises
    StoreError; then there is no `target`.
    """
    if not path.exists():
        raise NotFound(
            f"There is no database {str(path)!r} to copy. Nothing was written.",
            fix="check storage.path; a brain that never ran has nothing to back up",
        )
    try:
        copy_folder(path, target)
    except (OSError, sqlite3.Error, NotTheSameError) as error:
        raise StoreUnusable(
            f"The backup of {str(path)!r} in {str(target)!r} could not be made: {error}. Nothing "
            "was left there.",
            fix="name a folder that does not exist yet, on a disk with room, in a writable place",
        ) from error


def restore(archive: Path, path: Path, *, now: datetime) -> Path | None:
    """Put the backup in the folder `archive` in the place of the database `path`.

    What was there is moved beside the data folder, never deleted; return where, or None if there
    was nothing. Raises StoreError; then everything is as it was.
    """
    source = archive / path.name
    _refuse_unusable(source)
    _refuse_while_in_use(path)
    folder = path.parent
    replaced = folder.with_name(f"{folder.name}-replaced-{stamp(now)}")
    had_any = path.exists()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if had_any:
            copy_folder(path, replaced)
        incoming = path.with_name(path.name + ".incoming")
        _copy_verified(source, incoming)
        for suffix in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        incoming.replace(path)
    except (OSError, sqlite3.Error, NotTheSameError) as error:
        raise StoreUnusable(
            f"The backup {str(archive)!r} could not be put in the place of {str(path)!r}: {error}. "
            "The database is as it was.",
            fix="make room beside the data folder and make its parent folder writable, then try again",
        ) from error
    return replaced if had_any else None


def _refuse_unusable(source: Path) -> None:
    """Raise StoreError if `source` is not a whole database that this brain can read."""
    where = repr(str(source))
    if not source.exists():
        raise NotFound(
            f"There is no {where}: a backup is a folder that holds a database of the same name as "
            "storage.path. Nothing was changed.",
            fix="name the folder that 'brain backup' or an upgrade made",
        )
    try:
        with closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            applied = applied_migrations(connection)
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        raise translate(error, where, "Nothing was changed.") from error
    known = tuple(migration.__name__ for migration in schema.MIGRATIONS)
    if application != schema.APPLICATION_ID or verdict != "ok" or applied != known[: len(applied)]:
        raise StoreUnusable(
            f"The backup {where} is not a whole database of this brain or an older one: SQLite's "
            f"check says {verdict!r}, and it has been through {', '.join(applied) or 'nothing'}. "
            "Nothing was changed.",
            fix="name another backup, or use the version of brain that made this one",
        )


def _refuse_while_in_use(path: Path) -> None:
    for lock in sorted((path.parent / LOCKS_FOLDER).glob("*.lock")):
        if not LockFile(lock).is_free():
            raise StoreBusy(
                f"The database {str(path)!r} is in use (process {LockFile(lock).holder()}). "
                "Nothing was changed.",
                fix="stop brain, then put the backup back",
            )


def _copy_verified(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    target.touch(mode=0o600, exist_ok=False)
    shutil.copyfile(source, target)
    if digest(target) != digest(source):
        raise NotTheSameError(f"the copy of {source.name!r} differs from the original")
