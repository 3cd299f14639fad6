"""`/notes rehearsals`, `promote`, `discard`: the operator judges what was only rehearsed."""

import json
from collections.abc import Iterator, Sequence
from functools import partial

from brain.activity import Journal, Recorder
from brain.commands.answer import (
    Answer,
    Ask,
    Call,
    Errand,
    Step,
    Work,
    date_text,
    shown,
)
from brain.commands.boxes import name_of, told
from brain.errors import NotFound, UsageError
from brain.memory import diff_rehearsals, discard_rehearsals, why_not_stored
from brain.records import Box, Rehearsal
from brain.store import Snapshot, Transaction
from brain.tools import CallContext

__all__ = ["plan_discard", "plan_promote", "plan_rehearsals"]


def plan_rehearsals(ask: Ask) -> Step:
    box = ask.context.rehearsal_box
    return _none() if box is None else Work(run=partial(_list, ask=ask, box=box))


def plan_discard(ask: Ask, number: int) -> Step:
    box = ask.context.rehearsal_box
    if box is None:
        return _none()
    return Work(run=partial(_discard, ask=ask, box=box, number=number))


def plan_promote(ask: Ask, number: int) -> Step:
    box = ask.context.rehearsal_box
    if box is None:
        return _none()

    def look(snapshot: Snapshot) -> Answer | Call:
        kept = snapshot.rehearsal(box, number, now=ask.now)
        if kept is None:
            return _no_such(box, number)
        context = ask.context.call_context(origin="operator", generation=snapshot.generation(box))
        return partial(_promote, ask=ask, kept=kept, context=context)

    return Errand(look=look)


async def _promote(journal: Journal, *, ask: Ask, kept: Rehearsal, context: CallContext) -> Answer:
    try:
        return told(await ask.executor.promote(kept, context, journal))
    except NotFound:
        return _no_such(kept.box, kept.number)
    except UsageError as error:
        return Answer(text=error.told(is_operator=True), outcome="refused")


def _none() -> Answer:
    return Answer(text="This talk has no conversation, so it has no rehearsals.", outcome="nothing")


def _no_such(box: Box, number: int) -> Answer:
    return Answer(
        text=f"There is no rehearsal {number} in {name_of(box)}. Nothing was changed.",
        outcome="nothing",
    )


def _list(tx: Transaction, _: Recorder, *, ask: Ask, box: Box) -> Answer:
    kept = tx.rehearsals(box, now=tx.now)
    lines = [f"Rehearsals of {name_of(box)}: {len(kept)}."]
    lines += [_line(rehearsal, ask) for rehearsal in kept]
    lines += _if_promoted(tx, ask, box, kept)
    if kept:
        lines.append("/notes promote N stores one, /notes discard N drops one.")
    return Answer(text="\n".join(lines))


def _if_promoted(
    tx: Transaction, ask: Ask, box: Box, rehearsals: Sequence[Rehearsal]
) -> Iterator[str]:
    """Tell what the box would be now, were all of them promoted in this order."""
    memory = ask.context.memory
    if memory is None or all(each.tool != "memory_note" for each in rehearsals):
        return
    found = diff_rehearsals(tx.notes(box, may_read_private=True), rehearsals, memory)
    counts = f"{len(found.as_it_is)} of {found.max_notes} now, {len(found.would_be)} then"
    refused = ", ".join(f"{line.number} ({why_not_stored(line.state)})" for line in found.refused)
    yield f"If all were promoted: notes {counts}" + (f"; refused: {refused}." if refused else ".")


def _line(kept: Rehearsal, ask: Ask) -> str:
    """One rehearsal on one line. Its text was never checked as a note, so it is shown inert."""
    note = kept.arguments.get("note")
    asked = note if isinstance(note, str) else json.dumps(kept.arguments, ensure_ascii=False)
    why_not = why_not_stored(kept.would)
    would = f"would not be stored: {why_not}" if why_not else "would be stored"
    if kept.tool != "memory_note":
        would = f"would be: {kept.would}"
    held = f"; held: {shown(kept.held_for)}" if kept.held_for else ""
    until = date_text(kept.expires_at, ask.zone)
    return f"{kept.number}. {kept.tool}: {shown(asked)} ({would}{held}; kept until {until})"


def _discard(tx: Transaction, recorder: Recorder, *, ask: Ask, box: Box, number: int) -> Answer:
    try:
        discard_rehearsals(tx, recorder, box=box, numbers=(number,), by=ask.context.by_operator())
    except NotFound:
        return _no_such(box, number)
    return Answer(text=f"Discarded rehearsal {number} of {name_of(box)}.")
