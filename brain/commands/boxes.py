"""What the commands on a box share: whose it is, whether it is there, and who may touch it."""

from collections.abc import Callable

from brain.activity import RULES
from brain.commands.answer import Answer, Ask, Step, not_permitted
from brain.config import Memory
from brain.records import Box
from brain.tools import OperatorCall

__all__ = ["name_of", "only_operator", "told", "why_notes_are_off", "with_box"]


def why_notes_are_off(ask: Ask) -> str:
    """Return what would turn notes on, or an empty text where they are on."""
    if ask.context.memory is None:
        return (
            f"Notes are off: brain {ask.context.brain.name!r} has no agent.memory. To turn them "
            'on, add "memory": {"scope": "conversation"} to its agent, list the tool memory_note, '
            "grant it, and have a storage block."
        )
    if not ask.has_store:
        return "Notes are off: the config has no storage block."
    return ""


def with_box(ask: Ask, plan: Callable[[Box, Memory], Step]) -> Step:
    """Go on with the note box of the talk, or answer why there is none."""
    memory, box = ask.context.memory, ask.context.box
    off = why_notes_are_off(ask)
    if off or memory is None:
        return Answer(text=off, outcome="not_configured")
    if box is None:  # answered before: a command that is about a talk is not planned without one
        return Answer(text="This talk has no conversation, so it has no notes.", outcome="nothing")
    return plan(box, memory)


def only_operator(ask: Ask, what: str, plan: Callable[[Ask], Step]) -> Step:
    return plan(ask) if ask.context.is_operator else not_permitted(what)


def name_of(box: Box) -> str:
    return "this conversation" if box.scope == "conversation" else f"brain {box.brain!r}"


def told(done: OperatorCall) -> Answer:
    """Answer what came of a call that the operator asked for."""
    if done.observation.outcome == "denied":
        why = RULES[done.rule]
        return Answer(text=f"Not stored: {why}. The policy binds you too.", outcome="refused")
    if done.effect is None:
        is_done = done.observation.outcome == "ok"
        return Answer(text=done.observation.text, outcome="ok" if is_done else "refused")
    line = done.effect.line
    is_saved = done.effect.kind == "saved"
    return Answer(text=f"{line[0].upper()}{line[1:]}.", outcome="ok" if is_saved else "refused")
