"""`/notes`: the box and its rehearsals, shown, emptied and added to by people."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from brain.activity import Journal, Recorder
from brain.commands.answer import (
    Answer,
    Ask,
    Call,
    Errand,
    Plan,
    Step,
    Work,
    not_permitted,
    whole_number,
)
from brain.commands.boxes import name_of, only_operator, told, why_notes_are_off, with_box
from brain.commands.forms import Command, Form, usage
from brain.commands.parse import after_first_word, words_of
from brain.commands.rehearsals import plan_discard, plan_promote, plan_rehearsals
from brain.config import Memory
from brain.counts import counted
from brain.errors import NotFound
from brain.memory import Sight, Target, forget
from brain.records import Box, ToolCall
from brain.store import Snapshot, Transaction
from brain.tools import CallContext

__all__ = ["NOTES"]

PAGE: Final = 20

_BYTES: Final = (
    "The rows are gone; now brain cleans its files of the bytes and searches each one for them: "
    "'brain forget receipt' shows what was found."
)
_NOT_SHOWN_TO_MODEL: Final = (
    "The assistant does not see them here: memory_note is denied to it (/tools says why)."
)
_TRANSCRIPT: Final = (
    "The transcript is not touched: what was said stays in the talk ('brain forget' takes it too)."
)

_FORMS: Final = (
    Form(
        syntax="/notes [PAGE]",
        who="anyone",
        summary="the notes, oldest first, with their numbers, their count and the cap",
    ),
    Form(syntax="/notes add TEXT", who="operator", summary="store a note of your own"),
    Form(syntax="/notes drop N", who="operator", summary="forget one note"),
    Form(syntax="/notes clear", who="operator", summary="empty the box, rehearsals included"),
    Form(syntax="/notes rehearsals", who="operator", summary="the calls that were only rehearsed"),
    Form(syntax="/notes promote N", who="operator", summary="store a rehearsal"),
    Form(syntax="/notes discard N", who="operator", summary="drop a rehearsal"),
)


def _plan_notes(ask: Ask) -> Step:
    match [word.casefold() for word in words_of(ask.rest)]:
        case []:
            return _plan_list(ask, page=1)
        case [word] if page := whole_number(word):
            return _plan_list(ask, page=page)
        case [verb] if verb in _ALONE:
            return only_operator(ask, *_ALONE[verb])
        case ["add", _, *_]:
            return only_operator(ask, "add a note", _plan_add)
        case [verb, word] if verb in _NUMBERED and (number := whole_number(word)):
            what, plan = _NUMBERED[verb]
            return only_operator(ask, what, lambda asked: plan(asked, number))
        case _:
            return usage(_FORMS)


def _plan_list(ask: Ask, *, page: int) -> Step:
    def plan(box: Box, memory: Memory) -> Step:
        sight = ask.context.sight_of(box)
        if not sight.notes:
            return not_permitted("see notes that all conversations of a brain share")
        return Work(
            run=partial(_list, ask=ask, box=box, sight=sight, cap=memory.max_notes, page=page)
        )

    return with_box(ask, plan)


def _list(
    tx: Transaction, _: Recorder, *, ask: Ask, box: Box, sight: Sight, cap: int, page: int
) -> Answer:
    count = tx.note_count(box)
    pages = max(1, -(-count // PAGE))
    if page > pages:
        text = (
            f"There is no page {page}: the notes of {name_of(box)} fill {counted(pages, 'page')}."
        )
        return Answer(text=text, outcome="nothing")
    offset = (page - 1) * PAGE
    notes = tx.notes(box, may_read_private=sight.private, offset=offset, limit=PAGE)
    lines = [f"Notes of {name_of(box)}: {count} of {cap}."]
    lines += [f"{note.number}. {note.text}" for note in notes]
    if len(notes) < min(PAGE, count - offset):
        lines.append("Notes from a time when this brain was private are not shown here.")
    if count and not _ride_in_prompts(ask):
        lines.append(_NOT_SHOWN_TO_MODEL)
    if pages > 1:
        following = f" /notes {page + 1} shows the next." if page < pages else ""
        lines.append(f"Page {page} of {pages}.{following}")
    waiting = len(tx.rehearsals(box, now=tx.now)) if sight.rehearsals else 0
    if waiting:
        lines.append(f"{counted(waiting, 'rehearsal')} to judge: /notes rehearsals")
    return Answer(text="\n".join(lines))


def _ride_in_prompts(ask: Ask) -> bool:
    """Tell whether the model is shown the notes here: only where it might keep one."""
    decision = ask.executor.decisions(ask.context.call_context(origin="model")).get("memory_note")
    return decision is not None and decision.effect != "deny"


def _plan_clear(ask: Ask) -> Step:
    return with_box(ask, lambda box, _: Work(run=partial(_clear, ask=ask, box=box)))


def _clear(tx: Transaction, recorder: Recorder, *, ask: Ask, box: Box) -> Answer:
    target = Target(kind="box", box=box)
    gone = forget(tx, recorder, target, by=ask.context.by_operator())
    notes, rehearsals = (gone.counts.get(name, 0) for name in ("notes", "rehearsals"))
    cleared = f"Cleared {counted(notes, 'note')} and {counted(rehearsals, 'rehearsal')}"
    bytes_too = f"{_BYTES} " if gone.forgetting_id else ""
    return Answer(
        text=f"{cleared} of {name_of(box)} (scope {box.scope}). {bytes_too}{_TRANSCRIPT}",
        has_forgotten=bool(gone.forgetting_id),
    )


def _plan_drop(ask: Ask, number: int) -> Step:
    return with_box(ask, lambda box, _: Work(run=partial(_drop, ask=ask, box=box, number=number)))


def _drop(tx: Transaction, recorder: Recorder, *, ask: Ask, box: Box, number: int) -> Answer:
    try:
        target = Target(kind="note", box=box, number=number)
        forget(tx, recorder, target, by=ask.context.by_operator())
    except NotFound:
        return Answer(
            text=f"There is no note {number} in {name_of(box)}. Nothing was changed.",
            outcome="nothing",
        )
    return Answer(
        text=f"Dropped note {number} of {name_of(box)}. {_BYTES} {_TRANSCRIPT}", has_forgotten=True
    )


def _plan_add(ask: Ask) -> Step:
    def plan(box: Box, _: Memory) -> Step:
        return Errand(look=partial(_look, ask=ask, box=box))

    return with_box(ask, plan)


def _look(snapshot: Snapshot, *, ask: Ask, box: Box) -> Call:
    context = ask.context.call_context(origin="operator", generation=snapshot.generation(box))
    return partial(_add, ask=ask, context=context)


async def _add(journal: Journal, *, ask: Ask, context: CallContext) -> Answer:
    text = after_first_word(ask.rest)
    call = ToolCall(id=context.exchange_id, name="memory_note", arguments={"note": text})
    return told(await ask.executor.run_as_operator(call, context, journal))


_ALONE: Final[Mapping[str, tuple[str, Plan]]] = {
    "clear": ("empty the box", _plan_clear),
    "rehearsals": ("see rehearsals", plan_rehearsals),
}
_NUMBERED: Final[Mapping[str, tuple[str, Callable[[Ask, int], Step]]]] = {
    "drop": ("drop a note", _plan_drop),
    "promote": ("promote a rehearsal", plan_promote),
    "discard": ("discard a rehearsal", plan_discard),
}
"""What stands after `/notes`, what it is for in words, and its plan. All are the operator's."""

NOTES: Final = Command(
    name="notes",
    forms=_FORMS,
    plan=_plan_notes,
    why_off=why_notes_are_off,
    is_about_talk=lambda ask: ask.context.rehearsal_box is None,
)
