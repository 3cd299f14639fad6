"""Forgettings as rows of the database, and back."""

import json
from typing import Any, Final

from brain.store.erasing import Forgetting
from brain.store.sqlite.moments import from_stored
from brain.store.sqlite.statements import Statements

__all__ = ["SqliteForgettings"]

_FORGETTINGS: Final = (
    "SELECT id, at, kind, counts, has_transcript, too_short, fingerprints, done_at, receipt "
    "FROM forgettings"
)


class SqliteForgettings:
    """What can be read of forgettings."""

    _sql: Statements

    def talk_generation(self, conversation_id: str) -> int | None:
        row = self._sql.row("SELECT generation FROM conversations WHERE id = ?", (conversation_id,))
        return None if row is None else int(row[0])

    def actor_id(self, channel: str, sender: str) -> str | None:
        row = self._sql.row(
            "SELECT id FROM actors WHERE channel = ? AND sender = ?", (channel, sender)
        )
        return None if row is None else str(row[0])

    def forgetting(self, forgetting_id: str) -> Forgetting | None:
        row = self._sql.row(f"{_FORGETTINGS} WHERE id = ?", (forgetting_id,))
        return None if row is None else _forgetting(row)

    def newest_forgetting(self) -> Forgetting | None:
        row = self._sql.row(f"{_FORGETTINGS} ORDER BY seq DESC LIMIT 1")
        return None if row is None else _forgetting(row)

    def waiting_forgettings(self) -> tuple[Forgetting, ...]:
        rows = self._sql.rows(f"{_FORGETTINGS} WHERE done_at IS NULL ORDER BY seq")
        return tuple(_forgetting(row) for row in rows)


def _forgetting(row: tuple[Any, ...]) -> Forgetting:
    return Forgetting(
        forgetting_id=row[0],
        at=from_stored(row[1]),
        kind=row[2],
        counts=json.loads(row[3]),
        has_transcript=bool(row[4]),
        too_short=row[5],
        fingerprints=row[6] or b"",
        done_at=None if row[7] is None else from_stored(row[7]),
        receipt=None if row[8] is None else json.loads(row[8]),
    )
