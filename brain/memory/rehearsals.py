"""Calls that were shadowed, kept for the operator to judge: keep, promote, discard, compare."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from brain.activity import Recorder
from brain.config import Memory, Rehearsals
from brain.errors import NotFound
from brain.memory.block import tokens_with
from brain.memory.note_text import fold_note, normalise_note, refusal_of
from brain.memory.notes import NOTE_TOOL, Verdict
from brain.memory.provenance import Provenance, draft_event
from brain.records import Box, JSONValue, Note, Rehearsal
from brain.store import NewRehearsal, Transaction

__all__ = [
    "BoxDiff",
    "DiffLine",
    "diff_rehearsals",
    "discard_rehearsals",
    "find_rehearsal",
    "keep_rehearsal",
    "mark_promoted",
]


_BEFORE_ALL: Final = datetime(1970, 1, 1, tzinfo=UTC)


def keep_rehearsal(
    tx: Transaction,
    recorder: Recorder,
    *,
    box: Box,
    tool: str,
    arguments: Mapping[str, JSONValue],
    would: str,
    rules: Rehearsals,
    by: Provenance,
    held_for: str = "",
) -> Rehearsal:
    """Keep a would-be call and record it, and what was pushed out to make room."""
    for old, why in _going(tx, box, rules):
        gone = draft_event(
            by, "rehearsal_dropped", tool=old.tool, outcome=why, ref=old.rehearsal_id
        )
        recorder.append(tx, gone)
    kept = tx.keep_rehearsal(
        NewRehearsal(
            box=box,
            tool=tool,
            arguments=arguments,
            would=would,
            keep_days=rules.keep_days,
            sensitivity=by.sensitivity,
            revision=by.revision,
            exchange_id=by.exchange_id,
            channel=by.channel,
            sender=by.sender,
            session=by.session,
            turn_id=by.turn_id,
            held_for=held_for,
        ),
        at_most=rules.max,
    )
    outcome = "held" if held_for else "rehearsed"
    draft = draft_event(by, "rehearsal_kept", tool=tool, outcome=outcome, ref=kept.rehearsal_id)
    recorder.append(tx, draft)
    return kept


def _going(
    tx: Transaction, box: Box, rules: Rehearsals
) -> Iterator[tuple[Rehearsal, Literal["expired", "pushed_out"]]]:
    """Yield what keeping one more takes away: those whose time is over, and the oldest too many."""
    lasting = []
    for rehearsal in tx.rehearsals(box, now=_BEFORE_ALL):
        if rehearsal.expires_at <= tx.now:
            yield rehearsal, "expired"
        else:
            lasting.append(rehearsal)
    for rehearsal in lasting[: max(0, len(lasting) + 1 - rules.max)]:
        yield rehearsal, "pushed_out"


def find_rehearsal(tx: Transaction, *, box: Box, number: int) -> Rehearsal:
    """Return a rehearsal that has not expired. Raises NotFound."""
    kept = tx.rehearsal(box, number, now=tx.now)
    if kept is None:
        raise NotFound(
            f"there is no rehearsal {number} here; nothing was changed",
            fix="/notes rehearsals shows them with their numbers",
        )
    return kept


def mark_promoted(
    tx: Transaction, recorder: Recorder, *, rehearsal: Rehearsal, by: Provenance
) -> None:
    """Take away a rehearsal whose change was just made in `tx`, and record it."""
    tx.drop_rehearsals(rehearsal.box, (rehearsal.number,))
    draft = draft_event(by, "rehearsal_promoted", tool=rehearsal.tool, ref=rehearsal.rehearsal_id)
    recorder.append(tx, draft)


def discard_rehearsals(
    tx: Transaction, recorder: Recorder, *, box: Box, numbers: Sequence[int], by: Provenance
) -> tuple[Rehearsal, ...]:
    """Remove the rehearsals of these numbers and record each; all of them, or NotFound and none."""
    wanted = tuple(dict.fromkeys(numbers))
    found = tuple(find_rehearsal(tx, box=box, number=number) for number in wanted)
    tx.drop_rehearsals(box, wanted)
    for kept in found:
        draft = draft_event(
            by, "rehearsal_dropped", tool=kept.tool, outcome="discarded", ref=kept.rehearsal_id
        )
        recorder.append(tx, draft)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line of a comparison: a note that is there, or what a rehearsal would become.

    `number` is the note's for `kept`, the rehearsal's otherwise.
    """

    state: Literal["kept"] | Verdict
    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxDiff:
    """A box as it is, beside the box as it would be were every rehearsal of a note promoted.

    `would_be` begins with the notes that are there. `refused` says why the others would not be
    stored. `other_tools` counts rehearsals of other tools, which touch no note.
    """

    as_it_is: tuple[DiffLine, ...]
    would_be: tuple[DiffLine, ...]
    refused: tuple[DiffLine, ...]
    other_tools: int
    max_notes: int


def diff_rehearsals(
    notes: Sequence[Note], rehearsals: Sequence[Rehearsal], memory: Memory
) -> BoxDiff:
    """Compare a box with itself after its rehearsals were promoted, oldest first. Pure."""
    as_it_is = tuple(DiffLine(state="kept", number=note.number, text=note.text) for note in notes)
    folded = {fold_note(note.text) for note in notes}
    would_be = list(as_it_is)
    refused: list[DiffLine] = []
    of_notes = [rehearsal for rehearsal in rehearsals if rehearsal.tool == NOTE_TOOL]
    for rehearsal in of_notes:
        text = normalise_note(_note_argument(rehearsal))
        state = _verdict(text, folded=folded, box=would_be, memory=memory)
        line = DiffLine(state=state, number=rehearsal.number, text=text)
        if state == "stored":
            would_be.append(line)
            folded.add(fold_note(text))
        else:
            refused.append(line)
    return BoxDiff(
        as_it_is=as_it_is,
        would_be=tuple(would_be),
        refused=tuple(refused),
        other_tools=len(rehearsals) - len(of_notes),
        max_notes=memory.max_notes,
    )


def _note_argument(rehearsal: Rehearsal) -> str:
    note = rehearsal.arguments.get("note", "")
    return note if isinstance(note, str) else ""


def _verdict(text: str, *, folded: set[str], box: Sequence[DiffLine], memory: Memory) -> Verdict:
    refusal = refusal_of(text, max_runes=memory.max_note_runes)
    if refusal is not None:
        return refusal
    if fold_note(text) in folded:
        return "duplicate"
    if len(box) >= memory.max_notes:
        return "full"
    fits = tokens_with(((line.number, line.text) for line in box), text) <= memory.budget_tokens
    return "stored" if fits else "no_room"
