"""One look at a database as it is: not made, not upgraded, not written to."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from brain.store.ports import Snapshot
from brain.store.sqlite.failures import translate
from brain.store.sqlite.files import refuse_emptied
from brain.store.sqlite.locks import RunLocks
from brain.store.sqlite.migrate import missing_migrations
from brain.store.sqlite.opening import open_reader, refuse_strangers, where
from brain.store.sqlite.snapshot import SqliteSnapshot
from brain.store.sqlite.statements import Statements

__all__ = ["peek"]

T = TypeVar("T")

_MEANWHILE: Final = "Nothing was read."


def peek(path: Path, query: Callable[[Snapshot], T]) -> T | None:
    """Answer `query`; None where there is no database yet, or one that a start would upgrade first.

    Raises StoreError for a file that a start would refuse: not a database of ours, newer, damaged.
    """
    if not path.exists():
        return None
    refuse_emptied(path)
    is_at_rest = not path.with_name(f"{path.name}-wal").exists()
    with closing(open_reader(path, is_at_rest=is_at_rest)) as connection:
        try:
            is_new = refuse_strangers(connection, path)
            if is_new or missing_migrations(connection, where(path)):
                return None
        except sqlite3.Error as error:
            raise translate(error, where(path), meanwhile=_MEANWHILE) from error
        statements = Statements(connection, where(path), _MEANWHILE)
        return query(SqliteSnapshot(statements, RunLocks(path.parent)))
