"""One write, with everything it has to read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from brain.ids import new_id
from brain.records import Box, Note, Receipt, Rehearsal, Session
from brain.store.rows import EventRow, NewNote, NewRehearsal, NewTurn, Seen, SeenState
from brain.store.sqlite.effects import effects_text
from brain.store.sqlite.erasing import SqliteErasing
from brain.store.sqlite.events import INSERT_EVENT, event_values
from brain.store.sqlite.keys import FingerprintKey
from brain.store.sqlite.locks import RunLocks
from brain.store.sqlite.mail import SqliteMailWrites
from brain.store.sqlite.moments import to_stored, whole_milliseconds
from brain.store.sqlite.receipts import receipt_text
from brain.store.sqlite.snapshot import TURN_COLUMNS, turn_from
from brain.store.sqlite.statements import Statements

__all__ = ["Losses", "SqliteTransaction"]

_SEEN_DAYS: Final = 30
"""How long a message id is remembered: longer than any sender repeats a message."""

_SEEN_PRUNED: Final = 8
"""How many forgotten ids one write removes at most, so that no write pays for many."""


@dataclass(slots=True, kw_only=True)
class Losses:
    """How many writes the database did not take, until a committed one has told of them."""

    count: int = 0
    is_taken: bool = False


class SqliteTransaction(SqliteErasing, SqliteMailWrites):
    """Usable only inside the callable it was given to."""

    def __init__(
        self,
        statements: Statements,
        locks: RunLocks,
        losses: Losses,
        key: FingerprintKey,
        now: datetime,
    ) -> None:
        super().__init__(statements, locks)
        self._losses = losses
        self._key = key
        self._now = whole_milliseconds(now)
        self._head: tuple[int, str] | None = None

    @property
    def now(self) -> datetime:
        return self._now

    def take_losses(self) -> int:
        if self._losses.is_taken:
            return 0
        self._losses.is_taken = True
        return self._losses.count

    def open_conversation(self, channel: str, conversation: str) -> str:
        known = self.conversation_id(channel, conversation)
        if known is not None:
            return known
        made = new_id()
        self._sql.run(
            "INSERT INTO conversations (id, channel, conversation) VALUES (?, ?, ?)",
            (made, channel, conversation),
        )
        return made

    def open_actor(self, channel: str, sender: str) -> str:
        known = self.actor_id(channel, sender)
        if known is not None:
            return known
        made = new_id()
        self._sql.run(
            "INSERT INTO actors (id, channel, sender) VALUES (?, ?, ?)", (made, channel, sender)
        )
        return made

    def start_session(self, conversation_id: str) -> Session:
        newest = self.active_session(conversation_id)
        session = Session(
            conversation_id=conversation_id,
            number=1 if newest is None else newest.number + 1,
            started_at=self._now,
        )
        self._sql.run(
            "INSERT INTO sessions (conversation_id, number, started_at) VALUES (?, ?, ?)",
            (conversation_id, session.number, to_stored(self._now)),
        )
        return session

    def seen(self, channel: str, message_id: str) -> Seen | None:
        row = self._sql.row(
            "SELECT state, turn_id FROM seen_messages WHERE channel = ? AND message_id = ?",
            (channel, message_id),
        )
        if row is None:
            return None
        turn = self._sql.row(f"SELECT {TURN_COLUMNS} FROM turns WHERE id = ?", (row[1],))  # noqa: S608 - a constant
        return Seen(state=row[0], turn=None if turn is None else turn_from(turn))

    def mark_seen(
        self,
        channel: str,
        message_id: str,
        state: SeenState,
        *,
        sender: str,
        turn_id: int = 0,
    ) -> None:
        now = to_stored(self._now)
        forgotten = to_stored(self._now - timedelta(days=_SEEN_DAYS))
        self._sql.run(
            "DELETE FROM seen_messages WHERE (channel, message_id) IN ("
            "SELECT channel, message_id FROM seen_messages WHERE at < ? ORDER BY at LIMIT ?)",
            (forgotten, _SEEN_PRUNED),
        )
        self._sql.run(
            "INSERT INTO seen_messages (channel, message_id, at, state, turn_id, sender) "
            "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state, "
            "turn_id = max(turn_id, excluded.turn_id)",
            (channel, message_id, now, state, turn_id, sender),
        )

    def add_turn(self, turn: NewTurn) -> int:
        added = self._sql.run(
            "INSERT INTO turns (conversation_id, session, role, kind, text, at, brain, "
            "sensitivity, exchange_id, sender, is_tainted, is_cut, effects, truth) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                turn.conversation_id,
                turn.session,
                turn.role,
                turn.kind,
                turn.text,
                to_stored(self._now),
                turn.brain,
                turn.sensitivity,
                turn.exchange_id,
                turn.sender,
                turn.is_tainted,
                turn.is_cut,
                effects_text(turn.effects),
                turn.truth,
            ),
        )
        return int(added.lastrowid or 0)

    def move_window(self, conversation_id: str, session: int, first_turn_id: int) -> None:
        self._sql.run(
            "UPDATE sessions SET window_start = ? WHERE conversation_id = ? AND number = ?",
            (first_turn_id, conversation_id, session),
        )

    def add_note(self, note: NewNote) -> Note:
        added = Note(
            note_id=new_id(),
            number=0,  # the box gives it
            box=note.box,
            text=note.text,
            created_at=self._now,
            origin=note.origin,
            sensitivity=note.sensitivity,
            revision=note.revision,
            channel=note.channel,
            sender=note.sender,
            session=note.session,
            turn_id=note.turn_id,
            is_tainted=note.is_tainted,
        )
        return self.import_note(added, folded=note.folded)

    def drop_note(self, box: Box, number: int) -> Note | None:
        dropped = self.note(box, number, may_read_private=True)
        if dropped is not None:
            self._sql.run("DELETE FROM notes WHERE id = ?", (dropped.note_id,))
        return dropped

    def clear_box(self, box: Box) -> tuple[int, int]:
        box_id = self._box_id(box)
        notes = self._sql.run("DELETE FROM notes WHERE box_id = ?", (box_id,)).rowcount
        rehearsals = self._sql.run("DELETE FROM rehearsals WHERE box_id = ?", (box_id,)).rowcount
        self._sql.run(
            "UPDATE boxes SET generation = generation + 1, next_note = 1, next_rehearsal = 1 "
            "WHERE id = ?",
            (box_id,),
        )
        return notes, rehearsals

    def keep_rehearsal(self, rehearsal: NewRehearsal, *, at_most: int) -> Rehearsal:
        if at_most < 1:
            raise ValueError(f"at_most is {at_most}: a rehearsal is kept among at least 1")
        box_id, number = self._give_number(rehearsal.box, "next_rehearsal")
        kept = Rehearsal(
            rehearsal_id=new_id(),
            number=number,
            box=rehearsal.box,
            tool=rehearsal.tool,
            arguments=rehearsal.arguments,
            would=rehearsal.would,
            created_at=self._now,
            expires_at=self._now + timedelta(days=rehearsal.keep_days),
            sensitivity=rehearsal.sensitivity,
            revision=rehearsal.revision,
            exchange_id=rehearsal.exchange_id,
            channel=rehearsal.channel,
            sender=rehearsal.sender,
            session=rehearsal.session,
            turn_id=rehearsal.turn_id,
            held_for=rehearsal.held_for,
        )
        self._sql.run(
            "DELETE FROM rehearsals WHERE box_id = ? AND expires_at <= ?",
            (box_id, to_stored(self._now)),
        )
        self._insert_rehearsal(box_id, kept)
        self._sql.run(
            "DELETE FROM rehearsals WHERE box_id = ? AND number <= ("
            "SELECT number FROM rehearsals WHERE box_id = ? "
            "ORDER BY number DESC LIMIT 1 OFFSET ?)",
            (box_id, box_id, at_most),
        )
        return kept

    def drop_rehearsals(self, box: Box, numbers: Sequence[int]) -> int:
        dropped = 0
        for number in dict.fromkeys(numbers):
            found = self.rehearsal(box, number, now=self._now)
            if found is not None:
                self._sql.run("DELETE FROM rehearsals WHERE id = ?", (found.rehearsal_id,))
                dropped += 1
        return dropped

    def keep_receipt(self, conversation_id: str, receipt: Receipt) -> None:
        self._sql.run(
            "INSERT INTO receipts (conversation_id, receipt) VALUES (?, ?) "
            "ON CONFLICT (conversation_id) DO UPDATE SET receipt = excluded.receipt",
            (conversation_id, receipt_text(receipt)),
        )

    def event_head(self) -> tuple[int, str]:
        if self._head is None:
            self._head = super().event_head()
        return self._head

    def append_event(self, row: EventRow) -> None:
        seq, head = self.event_head()
        if row["seq"] != seq + 1 or row["prev"] != head:
            raise ValueError(
                f"an event with seq {row['seq']!r} and prev {row['prev']!r} does not follow the "
                f"newest one, seq {seq} with hash {head!r}; nothing was appended"
            )
        self._sql.run(INSERT_EVENT, event_values(row))
        self._head = (seq + 1, str(row["hash"]))

    def drop_events(self, *, through: int) -> int:
        return self._sql.run(
            "DELETE FROM events WHERE seq <= ? AND seq < (SELECT max(seq) FROM events)", (through,)
        ).rowcount

    def break_model(self, model: str, reason: str) -> None:
        self._sql.run(
            "INSERT INTO model_breaks (model, at, reason) VALUES (?, ?, ?) "
            "ON CONFLICT (model) DO UPDATE SET at = excluded.at, reason = excluded.reason",
            (model, to_stored(self._now), reason),
        )

    def release_model(self, model: str) -> bool:
        return self._sql.run("DELETE FROM model_breaks WHERE model = ?", (model,)).rowcount > 0

    def open_run(self, run_id: str) -> None:
        self._locks.hold(run_id)
        self._sql.run(
            "INSERT INTO runs (id, opened_at) VALUES (?, ?)", (run_id, to_stored(self._now))
        )

    def close_run(self, run_id: str) -> None:
        self._sql.run(
            "UPDATE runs SET closed_at = ? WHERE id = ? AND closed_at IS NULL",
            (to_stored(self._now), run_id),
        )
        self._locks.forget(run_id)
