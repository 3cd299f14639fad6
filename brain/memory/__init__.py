"""What is kept of a talk beyond its turns: notes, rehearsals, sessions and what may be recalled.

Decides which box a note belongs to, whether a text is a note and whether it fits, when a session
ends, and how an old one is quoted. Never decides whether a call is permitted (the gate does), never
removes a note to make room for another, never talks to a model.

Everything that changes a box runs inside one transaction and records itself there:

    box_for(brain_name, memory, channel, conversation) -> Box | None
    rehearsal_box_for(brain_name, memory, channel, conversation) -> Box | None
    judge_note(snapshot, box=, memory=, text=, is_outdated=) -> NoteVerdict       changes nothing
    add_note(tx, recorder, box=, memory=, text=, note_origin=, by=, is_outdated=) -> NoteVerdict
    notes_block(notes) -> str                                                     pure
    forget(tx, recorder, target, by=) -> Forgotten                                  or NotFound
    move_notes(tx, recorder, wanted, memory=, by=) -> tuple[Moved, ...]             or NotFound
    keep_rehearsal(tx, recorder, box=, tool=, arguments=, would=, rules=, by=, held_for=)
    discard_rehearsals(tx, recorder, box=, numbers=, by=) -> tuple[Rehearsal, ...]  or NotFound
    diff_rehearsals(notes, rehearsals, memory) -> BoxDiff                         pure
    box_warnings(report, boxes)   -> tuple[Problem, ...]                          pure
    sight_of(box, sensitivity=, is_operator=) -> Sight                            pure

`by` is a Provenance. The operator's own notes and promotions are calls like any other: a command
asks `brain.tools.Executor.run_as_operator` and `.promote`, which end in `add_note`. Listings are
read from the store (`Snapshot.notes`, `Snapshot.rehearsals`).
"""

from brain.memory.block import notes_block
from brain.memory.box import box_for, rehearsal_box_for
from brain.memory.forgetting import forget, plan_forgetting
from brain.memory.gone import Forgotten, Gone, Kind, Target
from brain.memory.moving import Moved, Wanted, move_notes
from brain.memory.note_text import fold_note, normalise_note, refusal_of
from brain.memory.notes import (
    NoteVerdict,
    Verdict,
    add_note,
    judge_note,
    why_not_stored,
)
from brain.memory.provenance import Provenance
from brain.memory.reach import box_warnings, read_box_warnings
from brain.memory.recall import RECALL_RUNES, Quote, Recalled, quote, recall
from brain.memory.rehearsals import (
    BoxDiff,
    DiffLine,
    diff_rehearsals,
    discard_rehearsals,
    find_rehearsal,
    keep_rehearsal,
    mark_promoted,
)
from brain.memory.sessions import Opened, current_session, cut_session, is_expired
from brain.memory.sight import Sight, sight_of

__all__ = [
    "RECALL_RUNES",
    "BoxDiff",
    "DiffLine",
    "Forgotten",
    "Gone",
    "Kind",
    "Moved",
    "NoteVerdict",
    "Opened",
    "Provenance",
    "Quote",
    "Recalled",
    "Sight",
    "Target",
    "Verdict",
    "Wanted",
    "add_note",
    "box_for",
    "box_warnings",
    "current_session",
    "cut_session",
    "diff_rehearsals",
    "discard_rehearsals",
    "find_rehearsal",
    "fold_note",
    "forget",
    "is_expired",
    "judge_note",
    "keep_rehearsal",
    "mark_promoted",
    "move_notes",
    "normalise_note",
    "notes_block",
    "plan_forgetting",
    "quote",
    "read_box_warnings",
    "recall",
    "refusal_of",
    "rehearsal_box_for",
    "sight_of",
    "why_not_stored",
]
