"""The one place that stores and refuses notes, each with its event.

Everything here runs inside one transaction of the store: the count and the insert, the change and
its event. The tool of the model, the operator's commands and a promotion all end here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from brain.activity import Recorder
from brain.config import Memory
from brain.memory.block import tokens_with
from brain.memory.note_text import Refusal, fold_note, normalise_note, refusal_of
from brain.memory.provenance import Provenance, draft_event
from brain.records import Box, Note, NoteOrigin, Rehearsal
from brain.store import NewNote, Snapshot, Transaction

__all__ = [
    "NoteVerdict",
    "Verdict",
    "add_note",
    "judge_note",
    "why_not_stored",
]

NOTE_TOOL = "memory_note"

Verdict = Literal["stored", "duplicate", "full", "no_room", "no_conversation", "outdated"] | Refusal
"""`no_room`: with this note the box would not fit into its part of a prompt.
`outdated`: notes or the talk were forgotten after the prompt was composed that led to this note."""

_REASONS: Final[Mapping[Verdict, str]] = {
    "stored": "",
    "duplicate": "note {number} says the same",
    "full": "the box is full ({count} of {max_notes})",
    "no_room": "the notes would take {block_tokens} tokens of a prompt and may take {budget_tokens}",
    "no_conversation": "notes belong to a conversation here, and this message has none",
    "outdated": "something was forgotten while this answer was being made",
    "empty": "the note is empty",
    "too_long": "the note has {runes} characters, {max_note_runes} are allowed",
    "characters": "the note holds control or hidden characters",
    "template_token": "the note holds a control token of a model",
}


_FIXES: Final[Mapping[Verdict, str]] = {
    "full": "/notes clear empties it",
    "no_room": "/notes drop N makes room",
}

_TOO_LONG_ALONE: Final = (
    "the note would take {tokens} tokens of a prompt and notes may take {budget_tokens}, "
    "a shorter one fits"
)


_WHY_NOT: Final[Mapping[str, str]] = {
    "duplicate": "a note says the same",
    "full": "the box is full",
    "no_room": "the notes would not fit their part of a prompt",
    "no_conversation": "it belongs to no conversation",
    "outdated": "something was forgotten meanwhile",
    "empty": "it is empty",
    "too_long": "it is too long",
    "characters": "it holds control or hidden characters",
    "template_token": "it holds a control token of a model",
}


def why_not_stored(verdict: str) -> str:
    """Return why a note of this verdict would not be stored, in words; empty where it would be."""
    return "" if verdict == "stored" else _WHY_NOT.get(verdict, verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteVerdict:
    """What becomes of a text that wants to be a note.

    `text` is normalised. `note` is the one that was stored, or the one that says the same. `count`
    is how many notes the box holds afterwards. `block_tokens` is what its notes block would cost
    with the note, where it came to that.
    """

    code: Verdict
    text: str
    max_notes: int
    max_note_runes: int
    budget_tokens: int
    note: Note | None = None
    count: int = 0
    block_tokens: int = 0

    @property
    def number(self) -> int:
        return self.note.number if self.note else 0

    @property
    def fix(self) -> str:
        """The operator's command that makes room for it, empty where none does."""
        return "" if self._is_too_long_alone else _FIXES.get(self.code, "")

    @property
    def reason(self) -> str:
        """Why it was not stored, and the command that makes room for it, for the operator."""
        return f"{self.why}, {self.fix}" if self.fix else self.why

    @property
    def _is_too_long_alone(self) -> bool:
        return self.code == "no_room" and not self.count

    @property
    def why(self) -> str:
        """Why it was not stored, for people: it ends the effects line `not saved: …`."""
        if self._is_too_long_alone:
            return _TOO_LONG_ALONE.format(
                tokens=self.block_tokens, budget_tokens=self.budget_tokens
            )
        return _REASONS[self.code].format(
            number=self.number,
            count=self.count,
            max_notes=self.max_notes,
            runes=len(self.text),
            max_note_runes=self.max_note_runes,
            block_tokens=self.block_tokens,
            budget_tokens=self.budget_tokens,
        )


def judge_note(
    snapshot: Snapshot, *, box: Box | None, memory: Memory, text: str, is_outdated: bool = False
) -> NoteVerdict:
    """Return what would become of `text` now, changing nothing.

    `is_outdated`: something was forgotten since the prompt was composed that led to this text.
    """
    normalised = normalise_note(text)

    def verdict(
        code: Verdict, *, note: Note | None = None, count: int = 0, block_tokens: int = 0
    ) -> NoteVerdict:
        return NoteVerdict(
            code=code,
            text=normalised,
            max_notes=memory.max_notes,
            max_note_runes=memory.max_note_runes,
            budget_tokens=memory.budget_tokens,
            note=note,
            count=count,
            block_tokens=block_tokens,
        )

    if box is None:
        return verdict("no_conversation")
    refusal = refusal_of(normalised, max_runes=memory.max_note_runes)
    if refusal is not None:
        return verdict(refusal)
    if is_outdated:
        return verdict("outdated")
    count = snapshot.note_count(box)
    same = snapshot.note_like(box, fold_note(normalised))
    if same is not None:
        return verdict("duplicate", note=same, count=count)
    if count >= memory.max_notes:
        return verdict("full", count=count)
    block_tokens = _tokens_with(snapshot, box, normalised)
    fits = block_tokens <= memory.budget_tokens
    return verdict(
        "stored" if fits else "no_room",
        count=count + 1 if fits else count,
        block_tokens=block_tokens,
    )


def _tokens_with(snapshot: Snapshot, box: Box, text: str) -> int:
    notes = snapshot.notes(box, may_read_private=True)
    return tokens_with(((note.number, note.text) for note in notes), text)


def add_note(
    tx: Transaction,
    recorder: Recorder,
    *,
    box: Box | None,
    memory: Memory,
    text: str,
    note_origin: NoteOrigin,
    by: Provenance,
    is_outdated: bool = False,
    promoted_from: Rehearsal | None = None,
) -> NoteVerdict:
    """Store `text` under the cap, or refuse it; record which. A refusal is no exception.

    The row of a promoted note says where its rehearsal came from, its events who promoted it.
    """
    verdict = judge_note(tx, box=box, memory=memory, text=text, is_outdated=is_outdated)
    if verdict.code != "stored" or box is None:
        refused = draft_event(
            by,
            "note_refused",
            tool=NOTE_TOOL,
            outcome=verdict.code,
            ref=verdict.note.note_id if verdict.note else None,
        )
        recorder.append(tx, refused)
        return verdict
    note = tx.add_note(_new_note(verdict, box, note_origin, by, promoted_from))
    stored = draft_event(
        by,
        "note_stored",
        tool=NOTE_TOOL,
        outcome=note_origin,
        ref=note.note_id,
        counts={"notes": verdict.count},
    )
    recorder.append(tx, stored)
    return replace(verdict, note=note)


def _new_note(
    verdict: NoteVerdict,
    box: Box,
    note_origin: NoteOrigin,
    by: Provenance,
    promoted_from: Rehearsal | None,
) -> NewNote:
    source = promoted_from or by
    is_private = "private" in (source.sensitivity, by.sensitivity)
    return NewNote(
        box=box,
        text=verdict.text,
        folded=fold_note(verdict.text),
        origin=note_origin,
        sensitivity="private" if is_private else "public",
        revision=by.revision,
        channel=source.channel,
        sender=source.sender,
        session=source.session,
        turn_id=source.turn_id,
        is_tainted=by.is_tainted,
    )
