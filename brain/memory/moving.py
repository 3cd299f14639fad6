"""Notes taken over into another box, or made public: the operator's own act, whole or not at all."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from brain.activity import Draft, Facts, Recorder
from brain.config import Memory
from brain.errors import BrainError, NotFound
from brain.memory.notes import judge_note
from brain.memory.provenance import Provenance, draft_event
from brain.records import Box, Note, Scope, Sensitivity
from brain.store import Transaction

__all__ = ["Moved", "Wanted", "move_notes"]

_ALL = 2**31
_TOLD = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which notes are meant, and where to.

    `scope` is that of the boxes they are in; None means either.
    `channel` and `conversation` narrow boxes of scope conversation, and name the box into which
    notes of scope brain go where `to_scope` is conversation. Empty `numbers` are all notes.
    """

    from_brain: str
    to_brain: str
    to_scope: Scope
    scope: Scope | None = None
    channel: str = ""
    conversation: str = ""
    numbers: tuple[int, ...] = ()
    is_to_public: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A note as it was and as it is."""

    before: Note
    after: Note


def move_notes(
    tx: Transaction, recorder: Recorder, wanted: Wanted, *, memory: Memory, by: Provenance
) -> tuple[Moved, ...]:
    """Move all that is wanted under the rules of the target, `memory`, and record each note.

    A note keeps its id and gets the next number of its new box; private stays private unless
    `is_to_public`. Raises NotFound where nothing is meant, BrainError where one can't go over: then
    none is moved.
    """
    moved: list[Moved] = []
    refused: list[str] = []
    for note, to in _meant(tx, wanted):
        why = ""
        if to != note.box:
            verdict = judge_note(tx, box=to, memory=memory, text=note.text)
            why = verdict.reason
        if why:
            refused.append(f"note {note.number} of {_named(note.box)}: {why}")
            continue
        sensitivity: Sensitivity = "public" if wanted.is_to_public else note.sensitivity
        after = tx.move_note(note, to, sensitivity)
        moved.append(Moved(before=note, after=after))
    if refused:
        raise _refusal(refused)
    if not moved:
        raise NotFound(
            "no note is meant by that; nothing was moved",
            fix="brain check names notes that are out of reach, brain notes list those within",
        )
    for each in moved:
        _record(tx, recorder, each, by)
    return tuple(moved)


def _meant(tx: Transaction, wanted: Wanted) -> Iterator[tuple[Note, Box]]:
    sources = [box for box, _ in tx.boxes() if _is_source(box, wanted)]
    if wanted.numbers and len(sources) > 1:
        raise BrainError(
            "the numbers may be of several boxes; nothing was moved",
            fix="say which: --channel NAME --conversation NAME",
        )
    for box in sources:
        notes = tx.notes(box, may_read_private=True, limit=_ALL)
        missing = set(wanted.numbers) - {note.number for note in notes}
        if missing:
            raise NotFound(
                f"there is no note {min(missing)} in {_named(box)}; nothing was moved",
                fix="brain notes list shows the notes with their numbers",
            )
        to = _target(box, wanted)
        for note in notes:
            is_meant = not wanted.numbers or note.number in wanted.numbers
            is_change = to != box or (wanted.is_to_public and note.sensitivity == "private")
            if is_meant and is_change:
                yield note, to


def _is_source(box: Box, wanted: Wanted) -> bool:
    if box.brain != wanted.from_brain:
        return False
    if wanted.scope is not None and box.scope != wanted.scope:
        return False
    if box.scope == "brain":
        return True
    return wanted.channel in ("", box.channel) and wanted.conversation in ("", box.conversation)


def _target(box: Box, wanted: Wanted) -> Box:
    if wanted.to_scope == "brain":
        return Box(brain=wanted.to_brain, scope="brain")
    channel, conversation = box.channel, box.conversation
    if box.scope == "brain":
        channel, conversation = wanted.channel, wanted.conversation
        if not channel or not conversation:
            raise BrainError(
                f"the notes of {_named(box)} would belong to a conversation, and none is named; "
                "nothing was moved",
                fix="say which: --channel NAME --conversation NAME",
            )
    return Box(
        brain=wanted.to_brain, scope="conversation", channel=channel, conversation=conversation
    )


def _refusal(refused: list[str]) -> BrainError:
    told = "".join(f"\n  {line}" for line in refused[:_TOLD])
    more = f"\n  and {len(refused) - _TOLD} more" if len(refused) > _TOLD else ""
    return BrainError(
        f"notes go over all or none, and these can't; nothing was moved{told}{more}",
        fix="make room in the other box, drop what is there twice, or move some by their numbers",
    )


def _record(tx: Transaction, recorder: Recorder, moved: Moved, by: Provenance) -> None:
    before, after = moved.before, moved.after
    is_moved = before.box != after.box
    if is_moved:
        draft = draft_event(
            by,
            "note_dropped",
            outcome="moved",
            ref=before.note_id,
            facts=Facts(sensitivity=before.sensitivity),
            counts={"notes": tx.note_count(before.box)},
        )
        recorder.append(tx, _at(tx, draft, before.box))
    draft = draft_event(
        by,
        "note_stored",
        outcome="moved" if is_moved else "made_public",
        ref=after.note_id,
        facts=Facts(sensitivity=after.sensitivity),
        counts={"notes": tx.note_count(after.box)},
    )
    recorder.append(tx, _at(tx, draft, after.box))


def _at(tx: Transaction, draft: Draft, box: Box) -> Draft:
    talk = tx.conversation_id(box.channel, box.conversation) if box.conversation else None
    return replace(draft, brain=box.brain, channel=box.channel or None, conversation=talk)


def _named(box: Box) -> str:
    where = f", {box.channel} / {box.conversation}" if box.scope == "conversation" else ""
    return f"brain {box.brain!r}{where}"
