"""`/recall`: a quoted block of an earlier session, put into an empty one."""

from functools import partial
from typing import Final

from brain.activity import Recorder
from brain.commands.answer import (
    Answer,
    Ask,
    Step,
    Work,
    date_text,
    whole_number,
)
from brain.commands.forms import Command, Form, always, usage
from brain.commands.parse import words_of
from brain.config import SessionRules
from brain.counts import counted
from brain.memory import RECALL_RUNES, Recalled, recall
from brain.records import Session
from brain.store import Transaction

__all__ = ["RECALL"]

_FORMS: Final = (
    Form(
        syntax="/recall [K]",
        who="anyone",
        summary="quote the last K turns of the session before into this empty one",
    ),
)


def _plan_recall(ask: Ask) -> Step:
    off = _why_off(ask)
    rules = ask.context.config.session
    if off or rules is None:
        return Answer(text=off, outcome="not_configured")
    words = words_of(ask.rest)
    wanted = whole_number(words[0]) if words else rules.recall_max
    if wanted is None or len(words) > 1:
        return usage(_FORMS)
    count = min(wanted, rules.recall_max)
    return Work(run=partial(_recall, ask=ask, rules=rules, count=count))


def _why_off(ask: Ask) -> str:
    """Return what would turn `/recall` on, or an empty text where it is on."""
    rules = ask.context.config.session
    if rules is None:
        return (
            "/recall is off: the config has no session block. To turn it on, add "
            '"session": {"recall_max": 10}, and have a storage block.'
        )
    if rules.recall_max == 0:
        return "/recall is off: session.recall_max is 0. To turn it on, set it from 1 to 50."
    if not ask.has_store:
        return "/recall is off: the config has no storage block."
    return ""


def _recall(
    tx: Transaction, recorder: Recorder, *, ask: Ask, rules: SessionRules, count: int
) -> Answer:
    context = ask.context
    done = recall(
        tx,
        recorder,
        conversation_id=context.conversation_id,
        count=count,
        zone=ask.zone,
        brain=context.brain.name,
        sensitivity=context.brain.sensitivity,
        sender=context.sender,
        exchange_id=context.exchange_id,
        event=ask.draft("recalled"),
    )
    if done.source is not None:
        return Answer(text=_told(done, done.source, ask))
    if done.outcome == "not_empty":
        return Answer(text=_not_empty(rules), outcome="refused")
    return Answer(
        text="There is nothing to recall: nothing was said in an earlier session of this "
        "conversation.",
        outcome="nothing",
    )


def _told(done: Recalled, source: Session, ask: Ask) -> str:
    day = date_text(source.started_at, ask.zone)
    turns = counted(done.turns, "turn")
    text = f"Recalled {turns} of session {source.number} ({day}) into session {done.into}."
    if done.is_cut:
        return f"{text} Its start was cut: {RECALL_RUNES} runes are the limit."
    if done.is_full:
        return f"{text} More do not fit into {RECALL_RUNES} runes."
    return text


def _not_empty(rules: SessionRules) -> str:
    text = "Nothing was recalled: something was said in this session already."
    if not rules.triggers:
        return text
    trigger = rules.triggers[0]
    return f"{text} {trigger} opens an empty one; {trigger} /recall does both."


RECALL: Final = Command(
    name="recall", forms=_FORMS, plan=_plan_recall, why_off=_why_off, is_about_talk=always
)
