"""Every question a reader can ask, each answered through an index."""

import json
from datetime import datetime
from typing import Any, Final

from brain.records import Box, Conversation, Note, Receipt, Rehearsal, Session, Turn
from brain.store.rows import ModelBreak
from brain.store.sqlite.effects import effects_from
from brain.store.sqlite.forgettings import SqliteForgettings
from brain.store.sqlite.listings import SqliteListings
from brain.store.sqlite.locks import RunLocks
from brain.store.sqlite.mail import SqliteMailReads
from brain.store.sqlite.moments import from_stored, to_stored
from brain.store.sqlite.receipts import receipt_from
from brain.store.sqlite.record import SqliteRecordReads
from brain.store.sqlite.statements import Statements

__all__ = [
    "NOTE_COLUMNS",
    "REHEARSAL_COLUMNS",
    "TURN_COLUMNS",
    "SqliteSnapshot",
    "note_from",
    "rehearsal_from",
    "turn_from",
]

_LARGEST_NUMBER: Final = 2**63 - 1

TURN_COLUMNS: Final = """id, conversation_id, session, role, kind, text, at, brain, sensitivity,
  exchange_id, sender, is_tainted, is_cut, effects, truth"""
NOTE_COLUMNS: Final = """n.id, n.number, n.text, n.created_at, n.origin, n.sensitivity, n.revision,
  n.channel, n.sender, n.session, n.turn_id, n.is_tainted"""
REHEARSAL_COLUMNS: Final = """r.id, r.number, r.tool, r.arguments, r.would, r.created_at,
  r.expires_at, r.sensitivity, r.revision, r.exchange_id, r.channel, r.sender, r.session,
  r.turn_id, r.held_for"""

_TURNS: Final = f"""SELECT {TURN_COLUMNS} FROM turns
  WHERE conversation_id = ? AND session = ? AND (sensitivity = 'public' OR ?)"""  # noqa: S608 - a constant
_IN_BOX: Final = "brain = ? AND scope = ? AND b.channel = ? AND b.conversation = ?"
_NOTES: Final = f"""SELECT {NOTE_COLUMNS}
  FROM boxes b JOIN notes n ON n.box_id = b.id WHERE {_IN_BOX}"""  # noqa: S608 - a constant
_REHEARSALS: Final = f"""SELECT {REHEARSAL_COLUMNS}
  FROM boxes b JOIN rehearsals r ON r.box_id = b.id WHERE {_IN_BOX} AND r.expires_at > ?"""  # noqa: S608 - a constant


class SqliteSnapshot(SqliteListings, SqliteMailReads, SqliteForgettings, SqliteRecordReads):
    """Rows as they were when the read began. Usable only inside the callable it was given to."""

    def __init__(self, statements: Statements, locks: RunLocks) -> None:
        self._sql = statements
        self._locks = locks

    def conversation_id(self, channel: str, conversation: str) -> str | None:
        row = self._sql.row(
            "SELECT id FROM conversations WHERE channel = ? AND conversation = ?",
            (channel, conversation),
        )
        return None if row is None else str(row[0])

    def active_session(self, conversation_id: str) -> Session | None:
        row = self._sql.row(
            "SELECT number, started_at FROM sessions WHERE conversation_id = ? "
            "ORDER BY number DESC LIMIT 1",
            (conversation_id,),
        )
        return None if row is None else _session(conversation_id, row)

    def newest_turn_at(self, conversation_id: str, session: int) -> datetime | None:
        row = self._sql.row(
            "SELECT at FROM turns WHERE conversation_id = ? AND session = ? "
            "ORDER BY id DESC LIMIT 1",
            (conversation_id, session),
        )
        return None if row is None else from_stored(row[0])

    def has_dialogue(self, conversation_id: str, session: int) -> bool:
        row = self._sql.row(
            "SELECT 1 FROM turns WHERE conversation_id = ? AND session = ? "
            "AND role <> 'system' ORDER BY id LIMIT 1",
            (conversation_id, session),
        )
        return row is not None

    def newest_dialogue_before(
        self, conversation_id: str, session: int, *, look_back: int
    ) -> Session | None:
        row = self._sql.row(
            "SELECT number, started_at FROM sessions s "
            "WHERE conversation_id = ? AND number < ? AND number >= ? AND EXISTS ("
            "SELECT 1 FROM turns t WHERE t.conversation_id = s.conversation_id "
            "AND t.session = s.number AND t.role <> 'system' AND t.kind = 'said') "
            "ORDER BY number DESC LIMIT 1",
            (conversation_id, session, session - look_back),
        )
        return None if row is None else _session(conversation_id, row)

    def turns(
        self,
        conversation_id: str,
        session: int,
        *,
        limit: int,
        may_read_private: bool,
        first_turn_id: int = 0,
        before_turn_id: int = _LARGEST_NUMBER,
    ) -> tuple[Turn, ...]:
        between = (first_turn_id, min(before_turn_id, _LARGEST_NUMBER))
        rows = self._sql.rows(
            f"{_TURNS} AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?",
            (conversation_id, session, may_read_private, *between, max(limit, 0)),
        )
        return tuple(turn_from(row) for row in reversed(rows))

    def turns_from(
        self, conversation_id: str, session: int, *, first_turn_id: int, may_read_private: bool
    ) -> tuple[Turn, ...]:
        rows = self._sql.rows(
            f"{_TURNS} AND id >= ? ORDER BY id",
            (conversation_id, session, may_read_private, first_turn_id),
        )
        return tuple(turn_from(row) for row in rows)

    def exchange_starts(self, conversation_id: str, session: int, *, limit: int) -> tuple[int, ...]:
        rows = self._sql.rows(
            "SELECT id FROM turns WHERE conversation_id = ? AND session = ? "
            "AND role = 'user' AND kind = 'said' ORDER BY id DESC LIMIT ?",
            (conversation_id, session, max(limit, 0)),
        )
        return tuple(row[0] for row in reversed(rows))

    def window_start(self, conversation_id: str, session: int) -> int:
        row = self._sql.row(
            "SELECT window_start FROM sessions WHERE conversation_id = ? AND number = ?",
            (conversation_id, session),
        )
        return 0 if row is None else int(row[0])

    def notes(
        self, box: Box, *, may_read_private: bool, offset: int = 0, limit: int = 1000
    ) -> tuple[Note, ...]:
        rows = self._sql.rows(
            f"{_NOTES} AND (n.sensitivity = 'public' OR ?) ORDER BY n.number LIMIT ? OFFSET ?",
            (*_key(box), may_read_private, max(limit, 0), max(offset, 0)),
        )
        return tuple(note_from(box, row) for row in rows)

    def note(self, box: Box, number: int, *, may_read_private: bool) -> Note | None:
        if not 0 < number <= _LARGEST_NUMBER:
            return None
        row = self._sql.row(
            f"{_NOTES} AND (n.sensitivity = 'public' OR ?) AND n.number = ?",
            (*_key(box), may_read_private, number),
        )
        return None if row is None else note_from(box, row)

    def note_like(self, box: Box, folded: str) -> Note | None:
        row = self._sql.row(f"{_NOTES} AND n.folded = ?", (*_key(box), folded))
        return None if row is None else note_from(box, row)

    def note_count(self, box: Box) -> int:
        row = self._sql.row(
            "SELECT count(*) FROM boxes b JOIN notes n ON n.box_id = b.id "  # noqa: S608 - constants
            f"WHERE {_IN_BOX}",
            _key(box),
        )
        return 0 if row is None else int(row[0])

    def boxes(self) -> tuple[tuple[Box, int], ...]:
        rows = self._sql.rows(
            "SELECT b.brain, b.scope, b.channel, b.conversation, count(*) "
            "FROM boxes b JOIN notes n ON n.box_id = b.id GROUP BY b.id "
            "ORDER BY b.brain, b.scope, b.channel, b.conversation"
        )
        return tuple(
            (Box(brain=brain, scope=scope, channel=channel, conversation=conversation), count)
            for brain, scope, channel, conversation, count in rows
        )

    def generation(self, box: Box) -> int:
        row = self._sql.row(
            f"SELECT generation FROM boxes b WHERE {_IN_BOX}",  # noqa: S608 - a constant
            _key(box),
        )
        return 0 if row is None else int(row[0])

    def rehearsals(
        self, box: Box, *, now: datetime, offset: int = 0, limit: int = 1000
    ) -> tuple[Rehearsal, ...]:
        rows = self._sql.rows(
            f"{_REHEARSALS} ORDER BY r.number LIMIT ? OFFSET ?",
            (*_key(box), to_stored(now), max(limit, 0), max(offset, 0)),
        )
        return tuple(rehearsal_from(box, row) for row in rows)

    def rehearsal(self, box: Box, number: int, *, now: datetime) -> Rehearsal | None:
        if not 0 < number <= _LARGEST_NUMBER:
            return None
        row = self._sql.row(f"{_REHEARSALS} AND r.number = ?", (*_key(box), to_stored(now), number))
        return None if row is None else rehearsal_from(box, row)

    def has_note(self, note_id: str) -> bool:
        return self._sql.row("SELECT 1 FROM notes WHERE id = ?", (note_id,)) is not None

    def has_rehearsal(self, rehearsal_id: str) -> bool:
        return self._sql.row("SELECT 1 FROM rehearsals WHERE id = ?", (rehearsal_id,)) is not None

    def conversation(self, conversation_id: str) -> Conversation | None:
        row = self._sql.row(
            "SELECT channel, conversation FROM conversations WHERE id = ?", (conversation_id,)
        )
        if row is None:
            return None
        return Conversation(conversation_id=conversation_id, channel=row[0], conversation=row[1])

    def session(self, conversation_id: str, number: int) -> Session | None:
        row = self._sql.row(
            "SELECT number, started_at FROM sessions WHERE conversation_id = ? AND number = ?",
            (conversation_id, number),
        )
        return None if row is None else _session(conversation_id, row)

    def turn_after(
        self, conversation_id: str, session: int, turn_id: int, *, may_read_private: bool
    ) -> Turn | None:
        row = self._sql.row(
            f"{_TURNS} AND id > ? ORDER BY id LIMIT 1",
            (conversation_id, session, may_read_private, turn_id),
        )
        return None if row is None else turn_from(row)

    def has_turn(self, turn_id: int) -> bool:
        return self._sql.row("SELECT 1 FROM turns WHERE id = ?", (turn_id,)) is not None

    def never_had_turns(self) -> bool:
        return self._sql.row("SELECT 1 FROM sqlite_sequence WHERE name = 'turns'") is None

    def receipt(self, conversation_id: str) -> Receipt | None:
        row = self._sql.row(
            "SELECT receipt FROM receipts WHERE conversation_id = ?", (conversation_id,)
        )
        return None if row is None else receipt_from(row[0])

    def model_breaks(self) -> tuple[ModelBreak, ...]:
        rows = self._sql.rows("SELECT model, at, reason FROM model_breaks ORDER BY model")
        return tuple(
            ModelBreak(model=model, at=from_stored(at), reason=reason) for model, at, reason in rows
        )


def _key(box: Box) -> tuple[str, str, str, str]:
    return box.brain, box.scope, box.channel, box.conversation


def _session(conversation_id: str, row: tuple[Any, ...]) -> Session:
    return Session(conversation_id=conversation_id, number=row[0], started_at=from_stored(row[1]))


def turn_from(row: tuple[Any, ...]) -> Turn:
    return Turn(
        turn_id=row[0],
        conversation_id=row[1],
        session=row[2],
        role=row[3],
        kind=row[4],
        text=row[5],
        at=from_stored(row[6]),
        brain=row[7],
        sensitivity=row[8],
        exchange_id=row[9],
        sender=row[10],
        is_tainted=bool(row[11]),
        is_cut=bool(row[12]),
        effects=effects_from(row[13]),
        truth=row[14],
    )


def note_from(box: Box, row: tuple[Any, ...]) -> Note:
    return Note(
        note_id=row[0],
        number=row[1],
        box=box,
        text=row[2],
        created_at=from_stored(row[3]),
        origin=row[4],
        sensitivity=row[5],
        revision=row[6],
        channel=row[7],
        sender=row[8],
        session=row[9],
        turn_id=row[10],
        is_tainted=bool(row[11]),
    )


def rehearsal_from(box: Box, row: tuple[Any, ...]) -> Rehearsal:
    return Rehearsal(
        rehearsal_id=row[0],
        number=row[1],
        box=box,
        tool=row[2],
        arguments=json.loads(row[3]),
        would=row[4],
        created_at=from_stored(row[5]),
        expires_at=from_stored(row[6]),
        sensitivity=row[7],
        revision=row[8],
        exchange_id=row[9],
        channel=row[10],
        sender=row[11],
        session=row[12],
        turn_id=row[13],
        held_for=row[14],
    )
