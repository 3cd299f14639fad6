"""Rows of notes, rehearsals and talks as they are put into the database, new or from another store."""

import json
from dataclasses import replace

from brain.records import Box, Conversation, Note, Rehearsal, Sensitivity, Session, Turn
from brain.store.sqlite.moments import to_stored
from brain.store.sqlite.snapshot import SqliteSnapshot

__all__ = ["SqliteArrivals"]


class SqliteArrivals(SqliteSnapshot):
    """What a transaction inserts under ids that are given."""

    def import_note(self, note: Note, *, folded: str) -> Note:
        box_id, number = self._give_number(note.box, "next_note", at_least=note.number)
        self._sql.run(
            "INSERT INTO notes (id, box_id, number, text, folded, created_at, origin, "
            "sensitivity, revision, channel, sender, session, turn_id, is_tainted) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                note.note_id,
                box_id,
                number,
                note.text,
                folded,
                to_stored(note.created_at),
                note.origin,
                note.sensitivity,
                note.revision,
                note.channel,
                note.sender,
                note.session,
                note.turn_id,
                note.is_tainted,
            ),
        )
        return replace(note, number=number)

    def move_note(self, note: Note, to: Box, sensitivity: Sensitivity) -> Note:
        box_id, number = self._box_id(note.box), note.number
        if to != note.box:
            box_id, number = self._give_number(to, "next_note")
        self._sql.run(
            "UPDATE notes SET box_id = ?, number = ?, sensitivity = ? WHERE id = ?",
            (box_id, number, sensitivity, note.note_id),
        )
        return replace(note, box=to, number=number, sensitivity=sensitivity)

    def import_rehearsal(self, rehearsal: Rehearsal) -> Rehearsal:
        box_id, number = self._give_number(
            rehearsal.box, "next_rehearsal", at_least=rehearsal.number
        )
        kept = replace(rehearsal, number=number)
        self._insert_rehearsal(box_id, kept)
        return kept

    def import_conversation(self, conversation: Conversation) -> None:
        self._sql.run(
            "INSERT INTO conversations (id, channel, conversation) VALUES (?, ?, ?)",
            (conversation.conversation_id, conversation.channel, conversation.conversation),
        )

    def import_session(self, session: Session) -> None:
        self._sql.run(
            "INSERT INTO sessions (conversation_id, number, started_at) VALUES (?, ?, ?)",
            (session.conversation_id, session.number, to_stored(session.started_at)),
        )

    def import_turn(self, turn: Turn, *, keeps_id: bool) -> int:
        added = self._sql.run(
            "INSERT INTO turns (id, conversation_id, session, role, kind, text, at, brain, "
            "sensitivity, exchange_id, sender, is_tainted, is_cut) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                turn.turn_id if keeps_id else None,
                turn.conversation_id,
                turn.session,
                turn.role,
                turn.kind,
                turn.text,
                to_stored(turn.at),
                turn.brain,
                turn.sensitivity,
                turn.exchange_id,
                turn.sender,
                turn.is_tainted,
                turn.is_cut,
            ),
        )
        return int(added.lastrowid or 0)

    def _insert_rehearsal(self, box_id: int, kept: Rehearsal) -> None:
        self._sql.run(
            "INSERT INTO rehearsals (id, box_id, number, tool, arguments, would, created_at, "
            "expires_at, sensitivity, revision, exchange_id, channel, sender, session, turn_id, "
            "held_for) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                kept.rehearsal_id,
                box_id,
                kept.number,
                kept.tool,
                json.dumps(kept.arguments, ensure_ascii=False),
                kept.would,
                to_stored(kept.created_at),
                to_stored(kept.expires_at),
                kept.sensitivity,
                kept.revision,
                kept.exchange_id,
                kept.channel,
                kept.sender,
                kept.session,
                kept.turn_id,
                kept.held_for,
            ),
        )

    def _box_id(self, box: Box) -> int:
        key = (box.brain, box.scope, box.channel, box.conversation)
        self._sql.run(
            "INSERT INTO boxes (brain, scope, channel, conversation) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            key,
        )
        row = self._sql.row(
            "SELECT id FROM boxes WHERE brain = ? AND scope = ? AND channel = ? "
            "AND conversation = ?",
            key,
        )
        if row is None:
            raise LookupError(f"the box {key!r} was inserted and is not there")
        return int(row[0])

    def _give_number(self, box: Box, counter: str, *, at_least: int = 0) -> tuple[int, int]:
        """Return the id of the box and the number that `counter` gives, `at_least` or a later one."""
        box_id = self._box_id(box)
        rows = self._sql.rows(
            f"UPDATE boxes SET {counter} = max({counter}, ?) + 1 WHERE id = ? "  # noqa: S608 - a column of our own
            f"RETURNING {counter} - 1",
            (at_least, box_id),
        )
        return box_id, int(rows[0][0])
