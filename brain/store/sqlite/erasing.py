"""Rows that go for good, and the job that cleans the file behind them."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from brain.ids import new_id
from brain.records import Box, Conversation, JSONValue, Note, Rehearsal, Turn
from brain.store.erasing import BoxChoice, Forgetting, Mail, MailChoice, TurnChoice
from brain.store.fingerprints import fingerprints_of, is_too_short
from brain.store.sqlite.arrivals import SqliteArrivals
from brain.store.sqlite.keys import FingerprintKey
from brain.store.sqlite.moments import to_stored
from brain.store.sqlite.snapshot import (
    NOTE_COLUMNS,
    REHEARSAL_COLUMNS,
    TURN_COLUMNS,
    note_from,
    rehearsal_from,
    turn_from,
)

__all__ = ["SqliteErasing"]

_KEPT_RECEIPTS: Final = 100
"""How many forgettings are remembered, the newest of them."""

_QUOTES: Final = (
    "kind = 'recalled' AND EXISTS (SELECT 1 FROM json_each(?) "
    "WHERE text LIKE '[Recalled from session ' || value || ', %')"
)

Clause = tuple[str, tuple[str | int, ...]]


class SqliteErasing(SqliteArrivals):
    """What a transaction removes so that nothing of it is left."""

    _key: FingerprintKey
    _now: datetime

    def erase_turns(self, choice: TurnChoice) -> tuple[Turn, ...]:
        where, bound = _joined(_turn_clauses(choice))
        rows = self._sql.rows(f"DELETE FROM turns WHERE {where} RETURNING {TURN_COLUMNS}", bound)  # noqa: S608 - clauses of our own, values bound
        return tuple(sorted(map(turn_from, rows), key=lambda turn: turn.turn_id))

    def erase_session(self, conversation_id: str, number: int) -> None:
        self._sql.run(
            "DELETE FROM sessions WHERE conversation_id = ? AND number = ?",
            (conversation_id, number),
        )

    def erase_conversation(self, conversation_id: str) -> Conversation | None:
        found = self.conversation(conversation_id)
        for statement in (
            "DELETE FROM receipts WHERE conversation_id = ?",
            "DELETE FROM sessions WHERE conversation_id = ?",
            "DELETE FROM conversations WHERE id = ?",
        ):
            self._sql.run(statement, (conversation_id,))
        return found

    def erase_receipt(self, conversation_id: str, exchange_ids: Sequence[str]) -> bool:
        done = self._sql.run(
            "DELETE FROM receipts WHERE conversation_id = ? AND json_extract(receipt, "
            "'$.exchange_id') IN (SELECT value FROM json_each(?))",
            (conversation_id, json.dumps(exchange_ids)),
        )
        return done.rowcount > 0

    def erase_notes(self, choice: BoxChoice) -> tuple[Note, ...]:
        rows = self._erase_of_box("notes", "n", NOTE_COLUMNS, choice)
        return tuple(note_from(_box(row), row[4:]) for row in rows)

    def erase_rehearsals(self, choice: BoxChoice) -> tuple[Rehearsal, ...]:
        rows = self._erase_of_box("rehearsals", "r", REHEARSAL_COLUMNS, choice)
        return tuple(rehearsal_from(_box(row), row[4:]) for row in rows)

    def _erase_of_box(
        self, table: str, short: str, columns: str, choice: BoxChoice
    ) -> list[tuple[Any, ...]]:
        where, bound = _joined(_box_clauses(choice, short))
        rows = self._sql.rows(
            f"SELECT b.brain, b.scope, b.channel, b.conversation, {columns} "  # noqa: S608 - names of our own, values bound
            f"FROM {table} {short} JOIN boxes b ON b.id = {short}.box_id WHERE {where} "
            f"ORDER BY b.id, {short}.number",
            bound,
        )
        self._sql.run(
            f"DELETE FROM {table} WHERE id IN (SELECT value FROM json_each(?))",  # noqa: S608 - a name of our own
            (json.dumps([row[4] for row in rows]),),
        )
        return rows

    def erase_mail(self, choice: MailChoice) -> Mail:
        where, bound = _joined(_mail_clauses(choice, "exchange_id"))
        texts = self._sql.rows(f"DELETE FROM accepted WHERE {where} RETURNING text", bound)  # noqa: S608 - clauses of our own, values bound
        bodies: list[tuple[Any, ...]] = []
        if not choice.has_begun:
            where, bound = _joined(_mail_clauses(choice, "delivery_id"))
            bodies = self._sql.rows(f"DELETE FROM outbox WHERE {where} RETURNING body", bound)  # noqa: S608 - clauses of our own, values bound
        return Mail(texts=tuple(row[0] for row in texts), bodies=tuple(row[0] for row in bodies))

    def all_mail(self) -> tuple[tuple[str, str], ...]:
        rows = self._sql.rows(
            "SELECT channel, conversation FROM accepted "
            "UNION SELECT channel, conversation FROM outbox"
        )
        return tuple((row[0], row[1]) for row in rows)

    def erase_boxes(self, channel: str, conversation: str) -> None:
        self._sql.run(
            "DELETE FROM boxes WHERE scope = 'conversation' AND channel = ? AND conversation = ?",
            (channel, conversation),
        )

    def erase_actor(self, channel: str, sender: str) -> bool:
        done = self._sql.run(
            "DELETE FROM actors WHERE channel = ? AND sender = ?", (channel, sender)
        )
        return done.rowcount > 0

    def erase_seen(self, channel: str, sender: str) -> int:
        return self._sql.run(
            "DELETE FROM seen_messages WHERE channel = ? AND sender = ?", (channel, sender)
        ).rowcount

    def silent_senders(self, talk: Conversation, senders: Iterable[str]) -> tuple[str, ...]:
        rows = self._sql.rows(
            "SELECT sender FROM actors a WHERE channel = ? "
            "AND (id IN (SELECT actor FROM events WHERE conversation = ?) "
            "OR sender IN (SELECT value FROM json_each(?))) "
            "AND NOT EXISTS (SELECT 1 FROM turns t JOIN conversations c ON c.id = t.conversation_id "
            "WHERE c.channel = a.channel AND t.sender = a.sender) "
            "AND NOT EXISTS (SELECT 1 FROM accepted m "
            "WHERE m.channel = a.channel AND m.sender = a.sender) "
            "AND NOT EXISTS (SELECT 1 FROM outbox o "
            "WHERE o.channel = a.channel AND o.sender = a.sender) ORDER BY sender",
            (talk.channel, talk.conversation_id, json.dumps(sorted(set(senders)))),
        )
        return tuple(row[0] for row in rows)

    def erase_names(self) -> tuple[int, int]:
        return (
            self._sql.run("DELETE FROM actors").rowcount,
            self._sql.run("DELETE FROM seen_messages").rowcount,
        )

    def advance_box(self, box: Box) -> None:
        self._sql.run(
            "UPDATE boxes SET generation = generation + 1 WHERE id = ?", (self._box_id(box),)
        )

    def advance_talk(self, conversation_id: str) -> None:
        self._sql.run(
            "UPDATE conversations SET generation = generation + 1 WHERE id = ?", (conversation_id,)
        )

    def all_conversations(self) -> tuple[Conversation, ...]:
        rows = self._sql.rows("SELECT id, channel, conversation FROM conversations ORDER BY id")
        return tuple(
            Conversation(conversation_id=row[0], channel=row[1], conversation=row[2])
            for row in rows
        )

    def notes_from_turns(self, turn_ids: Sequence[int]) -> int:
        row = self._sql.row(
            "SELECT count(*) FROM notes WHERE turn_id IN (SELECT value FROM json_each(?))",
            (json.dumps(turn_ids),),
        )
        return 0 if row is None else int(row[0])

    def all_boxes(self) -> tuple[Box, ...]:
        rows = self._sql.rows(
            "SELECT brain, scope, channel, conversation FROM boxes "
            "ORDER BY brain, scope, channel, conversation"
        )
        return tuple(map(_box, rows))

    def open_forgetting(
        self,
        *,
        kind: str,
        texts: Iterable[str],
        counts: Mapping[str, int],
        has_transcript: bool,
    ) -> Forgetting:
        wanted = tuple(dict.fromkeys(texts))
        key = self._key.make()
        made = Forgetting(
            forgetting_id=new_id(),
            at=self._now,
            kind=kind,
            counts=counts,
            has_transcript=has_transcript,
            too_short=sum(map(is_too_short, wanted)),
            fingerprints=fingerprints_of(wanted, key),
        )
        self._sql.run(
            "INSERT INTO forgettings (id, at, kind, counts, has_transcript, too_short, "
            "fingerprints, key_mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                made.forgetting_id,
                to_stored(self._now),
                kind,
                json.dumps(dict(counts)),
                has_transcript,
                made.too_short,
                made.fingerprints,
                _mark(key),
            ),
        )
        self._sql.run(
            "DELETE FROM forgettings WHERE done_at IS NOT NULL AND seq <= "
            "(SELECT max(seq) FROM forgettings) - ?",
            (_KEPT_RECEIPTS,),
        )
        return made

    def forgetting_key(self, forgetting_id: str) -> bytes | None:
        row = self._sql.row("SELECT key_mark FROM forgettings WHERE id = ?", (forgetting_id,))
        key = self._key.read()
        return key if row is not None and key is not None and row[0] == _mark(key) else None

    def end_forgetting(self, forgetting_id: str, receipt: Mapping[str, JSONValue]) -> bool:
        done = self._sql.run(
            "UPDATE forgettings SET done_at = ?, receipt = ?, fingerprints = NULL, "
            "key_mark = NULL WHERE id = ? AND done_at IS NULL",
            (to_stored(self._now), json.dumps(receipt), forgetting_id),
        )
        return done.rowcount > 0

    def drop_forgetting_key(self) -> None:
        if not self._sql.row("SELECT 1 FROM forgettings WHERE done_at IS NULL LIMIT 1"):
            self._key.drop()


def _turn_clauses(choice: TurnChoice) -> Iterable[Clause]:
    if choice.conversation_id is not None:
        yield "conversation_id = ?", (choice.conversation_id,)
    if choice.session is not None:
        yield "session = ?", (choice.session,)
    if choice.turn_id is not None:
        yield "id = ?", (choice.turn_id,)
    if choice.exchange_ids is not None:
        yield (
            "exchange_id IN (SELECT value FROM json_each(?))",
            (json.dumps(choice.exchange_ids),),
        )
    if choice.quoted is not None:  # the header of a recalled block is the runtime's own
        yield _QUOTES, (json.dumps(choice.quoted),)
    if choice.channel is not None:
        yield (
            "conversation_id IN (SELECT id FROM conversations WHERE channel = ?)",
            (choice.channel,),
        )
    if choice.sender is not None:
        yield "sender = ?", (choice.sender,)
    if choice.brain is not None:
        yield "brain = ?", (choice.brain,)
    if choice.holding is not None:
        yield "instr(text, ?) > 0", (choice.holding,)


def _mail_clauses(choice: MailChoice, exchange: str) -> Iterable[Clause]:
    """Yield what chooses; the reply of an exchange is delivered under its id."""
    for column in ("channel", "conversation", "sender"):
        if (value := getattr(choice, column)) is not None:
            yield f"{column} = ?", (value,)
    if choice.exchange_ids is not None:
        ids = json.dumps(choice.exchange_ids)
        yield f"{exchange} IN (SELECT value FROM json_each(?))", (ids,)  # noqa: S608 - a column of our own
    if choice.has_begun:
        yield "has_begun = 1", ()


def _box_clauses(choice: BoxChoice, short: str) -> Iterable[Clause]:
    if choice.conversation is not None:
        yield "b.scope = 'conversation' AND b.conversation = ?", (choice.conversation,)
        yield "b.channel = ?", _named(choice.channel)
    if choice.sender is not None:
        yield f"{short}.sender = ?", (choice.sender,)
        yield f"{short}.channel = ?", _named(choice.channel)
    if choice.exchange_ids is not None:
        yield (
            "exchange_id IN (SELECT value FROM json_each(?))",
            (json.dumps(choice.exchange_ids),),
        )


def _named(channel: str | None) -> tuple[str]:
    """Return the channel of a name, which is none by itself."""
    if channel is None:
        raise ValueError("a conversation and a sender are named with their channel")
    return (channel,)


def _joined(clauses: Iterable[Clause]) -> Clause:
    """Return all clauses as one. Raises ValueError for none: nobody means every row by it."""
    parts = tuple(clauses)
    if not parts:
        raise ValueError("a choice without any field means no row; name what is meant")
    where = " AND ".join(f"({text})" for text, _ in parts)
    return where, tuple(value for _, bound in parts for value in bound)


def _box(row: tuple[Any, ...]) -> Box:
    return Box(brain=row[0], scope=row[1], channel=row[2], conversation=row[3])


def _mark(key: bytes) -> bytes:
    """Return what tells whether a key is the one that something was hashed with."""
    return hashlib.blake2b(key, digest_size=8, person=b"brain mark").digest()
