"""A shadowed call, inside its transaction: what would have happened, kept with its events."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from brain.activity import Draft, Recorder
from brain.config import Rehearsals
from brain.errors import UsageError
from brain.memory import keep_rehearsal, rehearsal_box_for
from brain.records import Box, Rehearsal
from brain.store import Transaction
from brain.tools.context import CallContext, is_outdated, provenance_of
from brain.tools.court import Kinds

__all__ = ["Rehearsed", "refuse_what_stays_rehearsed", "rehearse"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """What became of a shadowed call.

    `kept` is None where there is nowhere to keep it, and where it is outdated: its box was cleared
    after the prompt was composed, and what was cleared must not come back as a rehearsal.
    """

    kept: Rehearsal | None
    is_outdated: bool = False


def rehearse(
    tx: Transaction,
    recorder: Recorder,
    *,
    kinds: Kinds,
    name: str,
    arguments: Mapping[str, Any],
    context: CallContext,
    shadowed: Draft,
    held_for: str,
) -> Rehearsed:
    """Let the tool `name` say what would have happened, keep it, and record `shadowed` with its outcome."""
    if is_outdated(tx, context):
        recorder.append(tx, replace(shadowed, outcome="error", codes=("outdated",)))
        return Rehearsed(kept=None, is_outdated=True)
    codes: tuple[str, ...] | None = None
    if (storing := kinds.storing.get(name)) is not None:
        would = storing.rehearse(tx, arguments, context)
        codes = (would,)
    else:
        other = kinds.outside.get(name) or kinds.answering[name]
        would = other.rehearse(arguments)
    kept = _keep(tx, recorder, name, arguments, would, context, held_for)
    ref = kept.rehearsal_id if kept is not None else None
    recorder.append(tx, replace(shadowed, outcome="ok", codes=codes, ref=ref))
    return Rehearsed(kept=kept)


def refuse_what_stays_rehearsed(rehearsal: Rehearsal, box: Box | None, *, is_storing: bool) -> None:
    """Raise UsageError for a rehearsal that can't be promoted into `box`, or makes no row of ours."""
    if not is_storing:
        raise UsageError(
            f"rehearsal {rehearsal.number} is of {rehearsal.tool}, which stores nothing here; "
            "it can't be promoted",
            fix="grant the tool with mode allow, and ask the assistant again",
        )
    if rehearsal.box != box:
        raise UsageError(
            f"rehearsal {rehearsal.number} belongs to another box of notes; nothing was stored",
            fix="promote it in the conversation it came from",
        )


def _keep(
    tx: Transaction,
    recorder: Recorder,
    name: str,
    arguments: Mapping[str, Any],
    would: str,
    context: CallContext,
    held_for: str,
) -> Rehearsal | None:
    box = rehearsal_box_for(context.brain, context.memory, context.channel, context.conversation)
    if box is None:
        return None
    return keep_rehearsal(
        tx,
        recorder,
        box=box,
        tool=name,
        arguments=arguments,
        would=would,
        rules=context.memory.rehearsals if context.memory is not None else Rehearsals(),
        by=provenance_of(context),
        held_for=held_for,
    )
