"""Rows of what waits: accepted messages and undelivered replies."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from brain.store.mail import Accepted, Delivery, Waiting
from brain.store.sqlite.moments import from_stored, to_stored
from brain.store.sqlite.statements import Statements

__all__ = ["SqliteMailReads", "SqliteMailWrites"]

_ACCEPTED: Final = (
    "SELECT exchange_id, channel, conversation, sender, message_id, text, at, has_begun "
    "FROM accepted"
)
_DELIVERIES: Final = (
    "SELECT delivery_id, channel, conversation, sender, body, at, due_at, expires_at, "
    "tries, failure, given_up_at FROM outbox"
)


class SqliteMailReads:
    """Every question about what waits."""

    _sql: Statements

    def accepted(self, *, limit: int) -> tuple[Accepted, ...]:
        rows = self._sql.rows(f"{_ACCEPTED} ORDER BY seq LIMIT ?", (limit,))
        return tuple(_accepted(row) for row in rows)

    def is_accepted(self, exchange_id: str) -> bool:
        row = self._sql.row("SELECT 1 FROM accepted WHERE exchange_id = ?", (exchange_id,))
        return row is not None

    def accepted_in(self, channel: str, conversation: str) -> int:
        row = self._sql.row(
            "SELECT COUNT(*) FROM accepted WHERE channel = ? AND conversation = ?",
            (channel, conversation),
        )
        return 0 if row is None else int(row[0])

    def next_deliveries(self, channel: str, *, limit: int) -> tuple[Delivery, ...]:
        rows = self._sql.rows(
            f"{_DELIVERIES} WHERE seq IN (SELECT min(seq) FROM outbox "  # noqa: S608 - a constant
            "WHERE channel = ? AND given_up_at IS NULL GROUP BY conversation) "
            "ORDER BY due_at, seq LIMIT ?",
            (channel, limit),
        )
        return tuple(_delivery(row) for row in rows)

    def deliveries(self, *, limit: int) -> tuple[Delivery, ...]:
        rows = self._sql.rows(f"{_DELIVERIES} ORDER BY seq LIMIT ?", (limit,))
        return tuple(_delivery(row) for row in rows)

    def waiting(self) -> tuple[Waiting, ...]:
        messages = dict(self._sql.rows("SELECT channel, COUNT(*) FROM accepted GROUP BY channel"))
        replies = {
            channel: (total - given_up, given_up)
            for channel, total, given_up in self._sql.rows(
                "SELECT channel, COUNT(*), COUNT(given_up_at) FROM outbox GROUP BY channel"
            )
        }
        return tuple(
            Waiting(
                channel=channel,
                unanswered=messages.get(channel, 0),
                undelivered=replies.get(channel, (0, 0))[0],
                given_up=replies.get(channel, (0, 0))[1],
            )
            for channel in sorted({*messages, *replies})
        )


class SqliteMailWrites:
    """Every change of what waits."""

    _sql: Statements
    _now: datetime

    def accept(self, message: Accepted) -> None:
        self._sql.run(
            "INSERT INTO accepted (exchange_id, channel, conversation, sender, message_id, text, "
            "at, has_begun) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                message.exchange_id,
                message.channel,
                message.conversation,
                message.sender,
                message.message_id,
                message.text,
                to_stored(message.at),
                message.has_begun,
            ),
        )

    def begin_accepted(self, exchange_id: str) -> None:
        self._sql.run("UPDATE accepted SET has_begun = 1 WHERE exchange_id = ?", (exchange_id,))

    def end_accepted(self, exchange_id: str) -> bool:
        done = self._sql.run("DELETE FROM accepted WHERE exchange_id = ?", (exchange_id,))
        return done.rowcount > 0

    def add_delivery(self, delivery: Delivery) -> None:
        self._sql.run(
            "INSERT INTO outbox (delivery_id, channel, conversation, sender, body, at, due_at, "
            "expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                delivery.delivery_id,
                delivery.channel,
                delivery.conversation,
                delivery.sender,
                delivery.body,
                to_stored(delivery.at),
                to_stored(delivery.due_at),
                to_stored(delivery.expires_at),
            ),
        )

    def end_delivery(self, delivery_id: str) -> bool:
        done = self._sql.run("DELETE FROM outbox WHERE delivery_id = ?", (delivery_id,))
        return done.rowcount > 0

    def put_off(self, delivery_id: str, *, failure: str, due_at: datetime) -> bool:
        done = self._sql.run(
            "UPDATE outbox SET tries = tries + 1, failure = ?, due_at = ? WHERE delivery_id = ?",
            (failure, to_stored(due_at), delivery_id),
        )
        return done.rowcount > 0

    def give_up(self, delivery_id: str, *, failure: str) -> bool:
        done = self._sql.run(
            "UPDATE outbox SET tries = tries + 1, failure = ?, given_up_at = ? "
            "WHERE delivery_id = ?",
            (failure, to_stored(self._now), delivery_id),
        )
        return done.rowcount > 0

    def oldest_given_up(self, channel: str, *, beyond: int) -> Sequence[Delivery]:
        rows = self._sql.rows(
            f"{_DELIVERIES} WHERE channel = ? AND given_up_at IS NOT NULL "
            "ORDER BY given_up_at DESC, seq DESC LIMIT -1 OFFSET ?",
            (channel, beyond),
        )
        return [_delivery(row) for row in rows]

    def take_up_again(self, delivery_id: str, *, expires_at: datetime) -> bool:
        done = self._sql.run(
            "UPDATE outbox SET due_at = ?, expires_at = ?, given_up_at = NULL "
            "WHERE delivery_id = ?",
            (to_stored(self._now), to_stored(expires_at), delivery_id),
        )
        return done.rowcount > 0


def _accepted(row: tuple[Any, ...]) -> Accepted:
    return Accepted(
        exchange_id=row[0],
        channel=row[1],
        conversation=row[2],
        sender=row[3],
        message_id=row[4],
        text=row[5],
        at=from_stored(row[6]),
        has_begun=bool(row[7]),
    )


def _delivery(row: tuple[Any, ...]) -> Delivery:
    return Delivery(
        delivery_id=row[0],
        channel=row[1],
        conversation=row[2],
        sender=row[3],
        body=row[4],
        at=from_stored(row[5]),
        due_at=from_stored(row[6]),
        expires_at=from_stored(row[7]),
        tries=row[8],
        failure=row[9],
        given_up_at=None if row[10] is None else from_stored(row[10]),
    )
