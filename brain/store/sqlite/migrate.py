"""Bringing a database to the schema of this program, once, whole, and never backwards."""

import sqlite3
from datetime import datetime
from pathlib import Path

from brain.clock import to_rfc3339
from brain.errors import MigrationFailed, StoreError, StoreUnusable
from brain.store.sqlite import schema
from brain.store.sqlite.archive import archive_folder

__all__ = ["applied_migrations", "missing_migrations", "upgrade"]


def applied_migrations(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the names of the migrations that this database has been through, in their order."""
    has_any = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
    if has_any is None:
        return ()
    rows = connection.execute("SELECT name FROM migrations ORDER BY position").fetchall()
    return tuple(name for (name,) in rows)


def upgrade(
    connection: sqlite3.Connection, *, path: Path | None, where: str, now: datetime
) -> None:
    """Run the missing migrations in one transaction; an existing file is archived before the first.

    Raises StoreUnusable for a database of a newer version, MigrationFailed if a step failed: the
    file is then as it was.
    """
    if not missing_migrations(connection, where):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        missing = missing_migrations(connection, where)  # another process may have been here first
        archive: Path | None = None
        if missing and path is not None and applied_migrations(connection):
            archive = archive_folder(path, before=missing[0].__name__, now=now)
        for migration in missing:
            _run(connection, migration, where, archive, now)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def missing_migrations(connection: sqlite3.Connection, where: str) -> tuple[schema.Migration, ...]:
    """Return the steps that this database still has to go through. Raises StoreUnusable for a newer one."""
    applied = applied_migrations(connection)
    known = tuple(migration.__name__ for migration in schema.MIGRATIONS)
    if applied != known[: len(applied)]:
        newer = next(name for name in applied if name not in known)
        raise StoreUnusable(
            f"The database {where} was written by a newer brain: it has been through {newer!r} and "
            f"this one knows no migration after {known[-1]!r}. Nothing in it was changed and "
            "nothing was started.",
            fix="upgrade brain, or put the archive that the newer one made back with 'brain restore'",
        )
    return schema.MIGRATIONS[len(applied) :]


def _run(
    connection: sqlite3.Connection,
    migration: schema.Migration,
    where: str,
    archive: Path | None,
    now: datetime,
) -> None:
    try:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations ("
            "position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, at TEXT NOT NULL) STRICT"
        )
        migration(connection)
        connection.execute(
            "INSERT INTO migrations (name, at) VALUES (?, ?)", (migration.__name__, to_rfc3339(now))
        )
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    except (sqlite3.Error, StoreError) as error:
        raise _failed(migration, where, archive, str(error)) from error
    if broken is not None:
        raise _failed(migration, where, archive, f"rows of {broken[0]!r} lost what they refer to")


def _failed(
    migration: schema.Migration, where: str, archive: Path | None, found: str
) -> MigrationFailed:
    kept = "" if archive is None else f" An archive from before is in {str(archive)!r}."
    return MigrationFailed(
        f"The database {where} could not be upgraded: the step {migration.__name__!r} ended with "
        f"{found!r}. The file is as it was and nothing was started.{kept}",
        fix="go on with the version of brain that you had, and report this sentence",
    )
