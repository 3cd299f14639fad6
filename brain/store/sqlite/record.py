"""Questions to the record, and to the runs that write it."""

from collections.abc import Sequence
from typing import Final

from brain.store.rows import EventFilter, EventRow, MessageState
from brain.store.sqlite.events import event_from, event_query
from brain.store.sqlite.locks import RunLocks
from brain.store.sqlite.statements import Statements

__all__ = ["FIRST_PREV", "SqliteRecordReads"]

FIRST_PREV: Final = "0" * 64
"""What stands for the hash before the first event."""

_OF_MESSAGES: Final = (
    "type IN ('message_received', 'message_dropped', 'reply_sent', 'exchange_failed', "
    "'exchange_cancelled')"
)
"""In the words of the index that finds them by their exchange: in others it is not used."""


class SqliteRecordReads:
    """Every question about events and runs."""

    _sql: Statements
    _locks: RunLocks

    def event_head(self) -> tuple[int, str]:
        row = self._sql.row("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")
        return (0, FIRST_PREV) if row is None else (row[0], row[1])

    def events(
        self, wanted: EventFilter, *, limit: int, newest: bool = False
    ) -> tuple[EventRow, ...]:
        sql, parameters = event_query(wanted, limit=max(limit, 0), newest=newest)
        rows = self._sql.rows(sql, parameters)
        return tuple(event_from(row) for row in (reversed(rows) if newest else rows))

    def open_runs(self) -> tuple[str, ...]:
        rows = self._sql.rows("SELECT id FROM runs WHERE closed_at IS NULL ORDER BY id")
        return tuple(row[0] for row in rows)

    def dead_runs(self) -> tuple[str, ...]:
        return tuple(run_id for run_id in self.open_runs() if not self._locks.is_held(run_id))

    def undecided_calls(self, dead_runs: Sequence[str]) -> tuple[EventRow, ...]:
        """Calls of one exchange run one after the other: what ends a call of a tool comes after it.

        A call that was refused for its arguments has an end without a decision; it comes before.
        """
        found: list[EventRow] = []
        for run_id in dead_runs:
            rows = self._sql.rows(
                "SELECT seq, exchange, tool FROM events WHERE run = ? AND type = 'tool_decided' "
                "ORDER BY seq",
                (run_id,),
            )
            for seq, exchange, tool in rows:
                if not self._has_end(seq, exchange, tool):
                    found.extend(self.events(EventFilter(after=seq - 1), limit=1))
        return tuple(found)

    def _has_end(self, seq: int, exchange: str | None, tool: str | None) -> bool:
        row = self._sql.row(
            "SELECT 1 FROM events WHERE exchange IS ? "
            "AND type IN ('tool_decided', 'tool_used', 'tool_interrupted') "
            "AND type <> 'tool_decided' AND tool IS ? AND seq > ? LIMIT 1",
            (exchange, tool, seq),
        )
        return row is not None

    def unended_messages(self, runs: Sequence[str]) -> tuple[EventRow, ...]:
        found: list[EventRow] = []
        for run_id in runs:
            rows = self._sql.rows(
                "SELECT seq FROM events r WHERE run = ? AND type = 'message_received' "  # noqa: S608 - a constant
                "AND NOT EXISTS (SELECT 1 FROM events WHERE exchange = r.exchange "
                f"AND {_OF_MESSAGES} AND type <> 'message_received' AND seq > r.seq) ORDER BY seq",
                (run_id,),
            )
            for (seq,) in rows:
                found.extend(self.events(EventFilter(after=seq - 1), limit=1))
        return tuple(found)

    def message_state(self, exchange_id: str) -> MessageState | None:
        row = self._sql.row(
            f"SELECT type, coalesce(outcome, '') FROM events WHERE exchange = ? AND {_OF_MESSAGES} "  # noqa: S608 - a constant
            "ORDER BY seq DESC LIMIT 1",
            (exchange_id,),
        )
        return None if row is None else MessageState(type=row[0], outcome=row[1])
