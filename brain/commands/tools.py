"""`/tools`: what each tool may do here, why, and what the last calls came to."""

from functools import partial
from typing import Final

from brain.activity import Recorder, decision_words, line
from brain.commands.answer import Answer, Ask, Step, Work, shown
from brain.commands.forms import Command, Form, usage
from brain.commands.parse import words_of
from brain.gate import Decision
from brain.store import EventFilter, Transaction

__all__ = ["TOOLS"]

_FORMS: Final = (
    Form(
        syntax="/tools",
        who="anyone",
        summary="what each tool may do here and why, and the last calls",
    ),
)

_NO_PLACE: Final = "not offered, its notes are of a conversation and this message names none"
_LAST: Final = 10
_TOOL_EVENTS: Final = (
    "call_set_aside",
    "tool_decided",
    "tool_used",
    "tool_shadowed",
    "tool_denied",
    "tool_interrupted",
)


def _plan_tools(ask: Ask) -> Step:
    if words_of(ask.rest):
        return usage(_FORMS)
    if ask.is_apart or not ask.has_store:  # there is no place for what taint would hold
        return Answer(text=_decided(ask, is_tainted=False))
    return Work(run=partial(_with_events, ask=ask))


def _decided(ask: Ask, *, is_tainted: bool) -> str:
    context = ask.context
    where = f"Tools of {context.brain.name!r} on channel {context.channel.name!r}"
    if context.brain.agent is None:
        return f"{where}: none, since this brain has no agent."
    call = context.call_context(origin="model", is_tainted=is_tainted)
    taint = ", where text from outside is in the prompt" if is_tainted else ""
    lines = [f"{where}, with {_model(ask)}{taint}:"]
    for name, decision in ask.executor.decisions(call).items():
        has_place = ask.executor.has_place(name, call)
        lines.append(_decision_line(name, decision) if has_place else f"- {name}: {_NO_PLACE}")
    return "\n".join(lines)


def _model(ask: Ask) -> str:
    name = ask.context.model or "a model"
    match ask.context.is_local:
        case True:
            return f"{name} (proved local)"
        case False:
            return f"{name} (not proved local)"
        case None:
            return f"{name} (not proved yet, so taken for not local)"


def _decision_line(name: str, decision: Decision) -> str:
    told = decision_words(decision.effect, decision.rule, has_shield=decision.shield)
    return f"- {name}: {told}"


def _with_events(tx: Transaction, _: Recorder, *, ask: Ask) -> Answer:
    decided = _decided(ask, is_tainted=ask.context.is_tainted(tx))
    wanted = EventFilter(
        types=_TOOL_EVENTS,
        brain=ask.context.brain.name,
        conversation=ask.context.conversation_id,
    )
    rows = tx.events(wanted, limit=_LAST, newest=True)
    if not rows:
        return Answer(text=f"{decided}\nNo tool was called in this conversation yet.")
    lines = "\n".join(shown(line(row), at_most=400) for row in rows)
    return Answer(text=f"{decided}\nThe last calls in this conversation, by event:\n{lines}")


TOOLS: Final = Command(name="tools", forms=_FORMS, plan=_plan_tools)
