"""`memory_note`: keeps one short fact in the note box of the talk."""

from brain.activity import Recorder
from brain.config import Memory, ToolAttributes
from brain.errors import ToolFailed
from brain.memory import NoteVerdict, add_note, judge_note
from brain.records import Effect, NoteOrigin, ToolSpec
from brain.store import Transaction
from brain.tools.context import CallContext, is_outdated, provenance_of
from brain.tools.ports import Arguments, ToolOutcome

__all__ = ["MemoryNote"]


class MemoryNote:
    """Stores a note under the cap, or says why not. Nothing is ever removed to make room."""

    spec = ToolSpec(
        name="memory_note",
        description=(
            "Remember one short fact for later conversations. Use it when the user asks you to "
            "remember or note something."
        ),
        parameters={
            "type": "object",
            "properties": {
                "note": {"type": "string", "description": "The fact, as one short sentence."}
            },
            "required": ["note"],
            "additionalProperties": False,
        },
    )
    attributes = ToolAttributes()

    def __init__(self, *, recorder: Recorder) -> None:
        self._recorder = recorder

    def apply(self, tx: Transaction, arguments: Arguments, context: CallContext) -> ToolOutcome:
        verdict = add_note(
            tx,
            self._recorder,
            box=context.box,
            memory=_memory_of(context),
            text=str(arguments["note"]),
            note_origin=_origin_of(context),
            by=provenance_of(context),
            is_outdated=is_outdated(tx, context),
            promoted_from=context.promoted_from,
        )
        return _outcome(verdict)

    def rehearse(self, tx: Transaction, arguments: Arguments, context: CallContext) -> str:
        return judge_note(
            tx,
            box=context.box,
            memory=_memory_of(context),
            text=str(arguments["note"]),
            is_outdated=is_outdated(tx, context),
        ).code


def _memory_of(context: CallContext) -> Memory:
    if context.memory is None:
        raise ToolFailed("there is no note box here")
    return context.memory


def _origin_of(context: CallContext) -> NoteOrigin:
    if context.promoted_from is not None:
        return "promoted"
    return "operator" if context.origin == "operator" else "model"


def _outcome(verdict: NoteVerdict) -> ToolOutcome:
    counts = {"notes": verdict.count}
    if verdict.code == "stored" and verdict.note is not None:
        return ToolOutcome(
            text=f"Stored as note {verdict.number}.",
            code="stored",
            effect=Effect(kind="saved", number=verdict.number),
            ref=verdict.note.note_id,
            counts=counts,
        )
    if verdict.code == "duplicate":
        return ToolOutcome(
            text=f"Not stored again: note {verdict.number} says the same already.",
            code="duplicate",
            effect=Effect(kind="duplicate", number=verdict.number),
            counts=counts,
        )
    return ToolOutcome(
        text=f"Not stored: {verdict.reason}.",
        code=verdict.code,
        is_error=True,
        effect=Effect(kind="refused", reason=verdict.why, fix=verdict.fix),
    )
