"""Making a backup while brain runs, and putting one back while it does not."""

import os
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

from brain.errors import NotFound, StoreBusy, StoreUnusable
from brain.store.backups import Backup, Restored
from brain.store.folder import BESIDE, FORGETTING_KEY, INCOMING, kept_files, owned_files
from brain.store.locks import LOCKS_FOLDER, LockFile, hold_restore
from brain.store.sqlite import schema
from brain.store.sqlite.archive import NotTheSameError, copy_database, copy_folder, digest, stamp
from brain.store.sqlite.failures import translate
from brain.store.sqlite.migrate import applied_migrations

__all__ = ["back_up", "restore"]

_ALONE_SECONDS: Final = 2.0
"""How long a command that is about to end is waited for."""


def back_up(path: Path, target: Path | None, *, now: datetime) -> Backup:
    """Copy the database of `path` and what else brain keeps beside it into the new folder `target`.

    None is a folder beside the data folder. Brain may be running: the copy is of one moment. It is
    opened again, checked and counted. Raises StoreError; then there is no `target`.
    """
    if not path.exists():
        raise NotFound(
            f"There is no database {str(path)!r} to copy. Nothing was written.",
            fix="check storage.path; a brain that never ran has nothing to back up",
        )
    folder = path.parent
    target = target or folder.with_name(f"{folder.name}-backup-{stamp(now)}")
    try:
        return copy_folder(path, target.absolute())
    except (OSError, sqlite3.Error, NotTheSameError) as error:
        raise StoreUnusable(
            f"The backup of {str(path)!r} in {str(target)!r} could not be made: {error}. Nothing "
            "was left there.",
            fix="name a folder that does not exist yet, on a disk with room, in a writable place",
        ) from error


def restore(archive: Path, path: Path, *, now: datetime) -> Restored:
    """Put the backup in the folder `archive` in the place of the database `path`.

    What was there, whole or damaged, is kept beside the data folder, never deleted; a file that the
    backup does not hold stays. Raises StoreError; then everything is as it was, or whole where the
    message says.
    """
    archive = archive.absolute()
    _refuse_unusable(archive / path.name)
    _refuse_while_in_use(path)
    with hold_restore(path.parent) as is_ours:
        if not is_ours:
            raise _in_use(path, "")
        return _put_back(archive, path, now)


def _put_back(archive: Path, path: Path, now: datetime) -> Restored:
    folder = path.parent
    names = sorted(name for name in kept_files(path) if (archive / name).is_file())
    aside = folder.with_name(f"{folder.name}-replaced-{stamp(now)}")
    is_aside = False
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        rows = _copy_in(archive, path, names)
        is_aside = _keep_aside(path, aside)
        for suffix in BESIDE:  # what lies beside belongs to the database that was there
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        for name in sorted(names, key=lambda each: each != path.name):
            (folder / (name + INCOMING)).replace(folder / name)
    except (OSError, sqlite3.Error, NotTheSameError) as error:
        kept = (
            f"What was there is whole in {str(aside)!r}."
            if is_aside
            else "The database is as it was."
        )
        for name in names:
            (folder / (name + INCOMING)).unlink(missing_ok=True)
        raise StoreUnusable(
            f"The backup {str(archive)!r} could not be put in the place of {str(path)!r}: {error}. "
            f"{kept}",
            fix="make room beside the data folder and make its parent folder writable, then try again",
        ) from error
    return Restored(files=tuple(names), rows=rows, replaced=aside if is_aside else None)


def _copy_in(archive: Path, path: Path, names: Sequence[str]) -> Mapping[str, int]:
    """Copy each file beside its place; return the rows of the database by table."""
    incoming = {name: path.with_name(name + INCOMING) for name in names}
    for each in incoming.values():
        each.unlink(missing_ok=True)  # of a restore that was killed
    for name in names:
        if name != path.name:
            _copy_verified(archive / name, incoming[name])
    return copy_database(archive / path.name, incoming[path.name])


def _keep_aside(path: Path, aside: Path) -> bool:
    """Give the files of the data folder a second name in the new folder `aside`; False if there are none.

    Where that can't be they are copied. They are taken as they are: a damaged database as well.
    """
    names = owned_files(path) - {
        FORGETTING_KEY
    }  # kept nowhere but beside the jobs that wait for it
    there = [name for name in sorted(names) if (path.parent / name).is_file()]
    there = [name for name in there if not name.endswith(INCOMING)]
    if not there:
        return False
    if aside.exists():
        raise FileExistsError(f"there is {str(aside)!r} already")
    partial = aside.with_name(aside.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(mode=0o700)
        for name in there:
            _link_or_copy(path.parent / name, partial / name)
        partial.rename(aside)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return True


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except OSError:  # another disk, or one that knows no second names
        _copy_verified(source, target)


def _refuse_unusable(source: Path) -> None:
    """Raise StoreError if `source` is no whole database that this brain can read."""
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
            raise _in_use(path, f" (process {LockFile(lock).holder()})")
    if path.exists() and not _is_alone(path):
        raise _in_use(path, "")


def _in_use(path: Path, holder: str) -> StoreBusy:
    return StoreBusy(
        f"The database {str(path)!r} is in use{holder}. Nothing was changed.",
        fix="stop brain, and each command that follows the record, then put the backup back",
    )


def _is_alone(path: Path) -> bool:
    """Tell whether no other process has the database open.

    SQLite folds the write-ahead log in and gives it up only for whoever has the file alone. Of a
    file that it can't read nothing can be said: it may be what the restore is for.
    """
    try:
        with closing(
            sqlite3.connect(
                f"{path.as_uri()}?mode=rw", uri=True, timeout=_ALONE_SECONDS, isolation_level=None
            )
        ) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application != schema.APPLICATION_ID:
                return True
            (journal,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.Error as error:
        return error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return bool(journal == "delete")


def _copy_verified(source: Path, target: Path) -> None:
    target.touch(mode=0o600, exist_ok=False)
    shutil.copyfile(source, target)
    with target.open("rb+") as file:
        os.fsync(file.fileno())
    if digest(target) != digest(source):
        raise NotTheSameError(f"the copy of {source.name!r} differs from the original")
