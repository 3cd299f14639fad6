"""Conversations and their sessions as listings: a page of them costs the same however many there are.

What a row of a listing tells is kept beside the row as turns come and go (by triggers of the schema),
and never counted when it is asked for.
"""

from typing import Any, Final

from brain.store.rows import SessionRow, TalkMark, TalkRow
from brain.store.sqlite.moments import from_stored, to_stored
from brain.store.sqlite.statements import Statements

__all__ = ["SqliteListings"]

_TALK: Final = "SELECT id, channel, conversation, sessions, turns, last_at FROM conversations"
_NEVER: Final = 0
_LARGEST: Final = 2**63 - 1


class SqliteListings:
    """Pages of conversations and of sessions, each through an index."""

    _sql: Statements

    def talks(self, *, limit: int, before: TalkMark | None = None) -> tuple[TalkRow, ...]:
        at, after_id = _LARGEST, ""
        if before is not None:
            at = _NEVER if before.last_at is None else to_stored(before.last_at)
            after_id = before.conversation_id
        rows = self._sql.rows(
            f"{_TALK} WHERE last_at <= ? AND (last_at < ? OR id > ?) "
            "ORDER BY last_at DESC, id LIMIT ?",
            (at, at, after_id, max(limit, 0)),
        )
        return tuple(map(_talk, rows))

    def talk(self, conversation_id: str) -> TalkRow | None:
        row = self._sql.row(f"{_TALK} WHERE id = ?", (conversation_id,))
        return None if row is None else _talk(row)

    def sessions(
        self, conversation_id: str, *, limit: int, before: int = _LARGEST
    ) -> tuple[SessionRow, ...]:
        rows = self._sql.rows(
            "SELECT number, started_at, turns FROM sessions "
            "WHERE conversation_id = ? AND number < ? ORDER BY number DESC LIMIT ?",
            (conversation_id, before, max(limit, 0)),
        )
        return tuple(
            SessionRow(number=row[0], started_at=from_stored(row[1]), turns=row[2])
            for row in reversed(rows)
        )


def _talk(row: tuple[Any, ...]) -> TalkRow:
    return TalkRow(
        conversation_id=row[0],
        channel=row[1],
        conversation=row[2],
        sessions=row[3],
        turns=row[4],
        last_at=None if row[5] == _NEVER else from_stored(row[5]),
    )
