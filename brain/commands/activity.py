"""`/activity` and `/why`: what is on record of this conversation and of its last exchange."""

from functools import partial
from typing import Final

from brain.activity import Recorder, line
from brain.commands.answer import (
    Answer,
    Ask,
    Step,
    Work,
    not_permitted,
    shown,
    whole_number,
)
from brain.commands.forms import Command, Form, always, usage
from brain.commands.parse import words_of
from brain.commands.receipt import account_text, last_account
from brain.store import EventFilter, Transaction

__all__ = ["ACTIVITY", "WHY"]

_ACTIVITY_FORMS: Final = (
    Form(
        syntax="/activity [N]",
        who="operator",
        summary="the last events of this conversation",
    ),
)
_WHY_FORMS: Final = (
    Form(
        syntax="/why",
        who="operator",
        summary="what the last exchange was made of: model, parts, notes, tools, decisions",
    ),
)

_SHOWN: Final = 10
_SHOWN_AT_MOST: Final = 100


def _why_off(ask: Ask) -> str:
    """Return what would turn the record on, or an empty text where there is one."""
    return "" if ask.has_store else "Nothing is on record: the config has no storage block."


def _plan_activity(ask: Ask) -> Step:
    words = words_of(ask.rest)
    wanted = whole_number(words[0]) if words else _SHOWN
    if wanted is None or len(words) > 1:
        return usage(_ACTIVITY_FORMS)
    if not ask.context.is_operator:
        return not_permitted("read the record")
    if off := _why_off(ask):
        return Answer(text=off, outcome="not_configured")
    return Work(run=partial(_activity, ask=ask, count=min(wanted, _SHOWN_AT_MOST)))


def _activity(tx: Transaction, _: Recorder, *, ask: Ask, count: int) -> Answer:
    rows = tx.events(
        EventFilter(conversation=ask.context.conversation_id), limit=count, newest=True
    )
    if not rows:
        return Answer(text="Nothing is on record of this conversation yet.", outcome="nothing")
    return Answer(text="\n".join(shown(line(row), at_most=400) for row in rows))


def _plan_why(ask: Ask) -> Step:
    if words_of(ask.rest):
        return usage(_WHY_FORMS)
    if not ask.context.is_operator:
        return not_permitted("see what an exchange was made of")
    if off := _why_off(ask):
        return Answer(text=off, outcome="not_configured")
    return Work(run=partial(_why, ask=ask))


def _why(tx: Transaction, _: Recorder, *, ask: Ask) -> Answer:
    account = last_account(tx, ask.context.conversation_id)
    if account is None:
        return Answer(text="No exchange has ended in this conversation yet.", outcome="nothing")
    lines = account_text(account).splitlines()
    return Answer(text="\n".join(shown(each, at_most=2000) for each in lines))


ACTIVITY: Final = Command(
    name="activity",
    forms=_ACTIVITY_FORMS,
    plan=_plan_activity,
    why_off=_why_off,
    is_about_talk=always,
)
WHY: Final = Command(
    name="why", forms=_WHY_FORMS, plan=_plan_why, why_off=_why_off, is_about_talk=always
)
