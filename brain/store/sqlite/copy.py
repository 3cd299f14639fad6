"""A copy of the database as it is at one moment, made online and read at leisure.

A long read of the database itself would keep its write-ahead log from being emptied, and pages read
one after the other would be of different moments.
"""

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from brain.errors import NotFound, StoreUnusable
from brain.records import Box, Conversation, Note, Rehearsal, Session, Turn
from brain.store.sqlite.failures import translate
from brain.store.sqlite.migrate import missing_migrations
from brain.store.sqlite.moments import from_stored, to_stored
from brain.store.sqlite.opening import open_reader, refuse_strangers, where
from brain.store.sqlite.snapshot import note_from, rehearsal_from, turn_from

__all__ = ["SqliteCopy", "open_copy"]

_MEANWHILE: Final = "Nothing was read."

_VERSIONS_AT: Final = 18
_CHANGES_AT: Final = 24

_CONVERSATIONS: Final = """SELECT id, channel, conversation FROM conversations c
  WHERE ? OR EXISTS (SELECT 1 FROM turns t WHERE t.conversation_id = c.id
    AND t.brain IN (SELECT value FROM json_each(?)))
  ORDER BY id"""
_SESSIONS: Final = """SELECT number, started_at FROM sessions s
  WHERE conversation_id = ? AND (? OR EXISTS (SELECT 1 FROM turns t
    WHERE t.conversation_id = s.conversation_id AND t.session = s.number
    AND t.brain IN (SELECT value FROM json_each(?))))
  ORDER BY number"""
_TURNS: Final = """SELECT id, conversation_id, session, role, kind, text, at, brain, sensitivity,
  exchange_id, sender, is_tainted, is_cut, effects, truth FROM turns
  WHERE conversation_id = ? AND session = ? AND (sensitivity = 'public' OR ?)
    AND (? OR brain IN (SELECT value FROM json_each(?)))
  ORDER BY id"""
# CROSS JOIN: box by box, so that two indexes give the order and nothing is sorted in memory.
_NOTES: Final = """SELECT b.brain, b.scope, b.channel, b.conversation, n.id, n.number, n.text,
  n.created_at, n.origin, n.sensitivity, n.revision, n.channel, n.sender, n.session, n.turn_id,
  n.is_tainted FROM boxes b CROSS JOIN notes n ON n.box_id = b.id
  WHERE (n.sensitivity = 'public' OR ?) AND (? OR b.brain IN (SELECT value FROM json_each(?)))
  ORDER BY b.brain, b.scope, b.channel, b.conversation, n.number"""
_REHEARSALS: Final = """SELECT b.brain, b.scope, b.channel, b.conversation, r.id, r.number, r.tool,
  r.arguments, r.would, r.created_at, r.expires_at, r.sensitivity, r.revision, r.exchange_id,
  r.channel, r.sender, r.session, r.turn_id, r.held_for
  FROM boxes b CROSS JOIN rehearsals r ON r.box_id = b.id
  WHERE r.expires_at > ? AND (r.sensitivity = 'public' OR ?)
    AND (? OR b.brain IN (SELECT value FROM json_each(?)))
  ORDER BY b.brain, b.scope, b.channel, b.conversation, r.number"""


class SqliteCopy:
    """One connection to a file without a name; for one thread at a time."""

    def __init__(self, connection: sqlite3.Connection, *, name: str, leftover: Path | None) -> None:
        self._connection = connection
        self._name = name
        self._leftover = leftover

    def conversations(self, brains: tuple[str, ...]) -> Iterator[Conversation]:
        for row in self._rows(_CONVERSATIONS, _choice(brains)):
            yield Conversation(conversation_id=row[0], channel=row[1], conversation=row[2])

    def sessions(self, conversation_id: str, brains: tuple[str, ...]) -> Iterator[Session]:
        for number, started_at in self._rows(_SESSIONS, (conversation_id, *_choice(brains))):
            yield Session(
                conversation_id=conversation_id,
                number=number,
                started_at=from_stored(started_at),
            )

    def turns(
        self, session: Session, brains: tuple[str, ...], *, may_read_private: bool
    ) -> Iterator[Turn]:
        key = (session.conversation_id, session.number)
        return map(turn_from, self._rows(_TURNS, (*key, may_read_private, *_choice(brains))))

    def notes(self, brains: tuple[str, ...], *, may_read_private: bool) -> Iterator[Note]:
        for row in self._rows(_NOTES, (may_read_private, *_choice(brains))):
            yield note_from(_box(row), row[4:])

    def rehearsals(
        self, brains: tuple[str, ...], *, now: datetime, may_read_private: bool
    ) -> Iterator[Rehearsal]:
        asked = (to_stored(now), may_read_private, *_choice(brains))
        for row in self._rows(_REHEARSALS, asked):
            yield rehearsal_from(_box(row), row[4:])

    def close(self) -> None:
        self._connection.close()
        if self._leftover is not None:
            self._leftover.unlink(missing_ok=True)

    def _rows(self, sql: str, parameters: tuple[str | int, ...]) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(sql, parameters)
        except sqlite3.Error as error:
            raise translate(error, self._name, _MEANWHILE) from error


def open_copy(path: Path) -> SqliteCopy:
    """Copy the database of `path`. Raises NotFound, or StoreError for one that can't be used."""
    if not path.exists():
        raise NotFound(
            f"There is no database {str(path)!r} to read. Nothing was written.",
            fix="check storage.path; a brain that never ran has nothing to export",
        )
    try:
        with closing(open_reader(path)) as original:
            refuse_strangers(original, path)
            if missing_migrations(original, where(path)):
                raise StoreUnusable(
                    f"The database {where(path)} is of an older version. Nothing was read.",
                    fix="let this brain upgrade it first: brain notes list",
                )
            copy = _copied(original, path)
    except OSError as error:
        raise StoreUnusable(
            f"No copy of {where(path)} can be made in its folder: {error.strerror}. {_MEANWHILE}",
            fix="make the data folder writable, with room for a second copy of the database",
        ) from error
    except sqlite3.Error as error:
        raise translate(error, where(path), _MEANWHILE) from error
    return copy


def _copied(original: sqlite3.Connection, path: Path) -> SqliteCopy:
    """Copy into a file whose name is gone before anything is in it. Raises OSError or sqlite3.Error."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".copy-")  # 0600
    connection = None
    try:
        connection = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA temp_store = MEMORY")
        leftover = None if _is_unlinked(Path(name)) else Path(name)
        original.backup(connection)
        _leave_wal_mode(descriptor)
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        if connection is not None:
            connection.close()
        Path(name).unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    return SqliteCopy(connection, name=where(path), leftover=leftover)


def _is_unlinked(file: Path) -> bool:
    """Take the name away; False where the system keeps that of an open file (Windows)."""
    with suppress(PermissionError):
        file.unlink()
        return True
    return False


def _leave_wal_mode(descriptor: int) -> None:
    """Have a copy read without a write-ahead log, for which a file needs its name.

    Bytes 18 and 19 of the header say how a database is written and read, 1 is without; bytes 24 to
    27 count its changes, by which a connection knows that what it remembers is outdated
    (sqlite.org/fileformat2.html, 1.3).
    """
    os.lseek(descriptor, _CHANGES_AT, os.SEEK_SET)
    changes = int.from_bytes(os.read(descriptor, 4), "big")
    for at, content in (
        (_VERSIONS_AT, b"\x01\x01"),
        (_CHANGES_AT, ((changes + 1) % 2**32).to_bytes(4, "big")),
    ):
        os.lseek(descriptor, at, os.SEEK_SET)
        os.write(descriptor, content)


def _box(row: tuple[Any, ...]) -> Box:
    return Box(brain=row[0], scope=row[1], channel=row[2], conversation=row[3])


def _choice(brains: tuple[str, ...]) -> tuple[bool, str]:
    """Return whether all brains are meant, and those that are."""
    return not brains, json.dumps(brains)
