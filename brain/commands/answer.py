"""What every command is made of: the question, the answer, and work to be done in between."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final, Literal

from brain.activity import Draft, Journal, Recorder
from brain.commands.context import CommandContext
from brain.store import Snapshot, Transaction
from brain.tools import Executor

__all__ = [
    "LARGEST_NUMBER",
    "Answer",
    "Ask",
    "Call",
    "Errand",
    "Outcome",
    "Plan",
    "Step",
    "Work",
    "date_text",
    "not_permitted",
    "shown",
    "whole_number",
]

Outcome = Literal[
    "ok",
    "usage",
    "unknown",
    "not_permitted",
    "not_configured",
    "not_built",
    "nothing",
    "no_conversation",
    "refused",
    "store_failed",
]

LARGEST_NUMBER: Final = 999_999_999


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the person reads, and the closed word for the event.

    `has_forgotten`: rows went for good, and the files behind them have to be cleaned.
    """

    text: str
    outcome: Outcome = "ok"
    has_forgotten: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One command as it was typed: `rest` is what followed its name."""

    context: CommandContext
    rest: str
    executor: Executor
    now: datetime
    zone: tzinfo
    has_store: bool

    @property
    def is_apart(self) -> bool:
        """Tell whether the message belongs to no conversation."""
        return not self.context.conversation

    @property
    def triggers(self) -> tuple[str, ...]:
        """The triggers of the config, as it writes them."""
        rules = self.context.config.session
        return rules.triggers if rules is not None and self.has_store else ()

    def draft(self, event_type: str) -> Draft:
        """Return an event of `event_type` that names where the command came from."""
        context = self.context
        return Draft(
            type=event_type,
            brain=context.brain.name,
            channel=context.channel.name,
            conversation=context.conversation_id or None,
            actor=context.actor_id or None,
            exchange=context.exchange_id,
            revision=context.config.revision,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The part of a command that needs the store: it runs inside the transaction of its event."""

    run: Callable[[Transaction, Recorder], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A command that ends in a call: the executor commits it, and its events, by itself.

    `look` reads what the call needs of the store; an Answer ends the command there.
    """

    look: Callable[[Snapshot], "Answer | Call"]


Call = Callable[[Journal], Awaitable[Answer]]

Step = Answer | Work | Errand

Plan = Callable[[Ask], Step]
"""A command: what can be answered without the store is, else what has to be done is returned."""


def not_permitted(what: str) -> Answer:
    return Answer(
        text=f"Only the operator may {what}. Nothing was changed.", outcome="not_permitted"
    )


def whole_number(word: str) -> int | None:
    """Return a positive whole number, at most LARGEST_NUMBER, or None for anything else."""
    if not word.isdecimal():
        return None
    number = 0
    for digit in word:
        number = min(10 * number + int(digit), LARGEST_NUMBER)
    return number or None


def date_text(moment: datetime, zone: tzinfo) -> str:
    """Return the date of `moment` in `zone`, as the header of a recalled block writes it."""
    return moment.astimezone(zone).date().isoformat()


def shown(text: str, *, at_most: int = 200) -> str:
    """Return foreign text so that a terminal and a page show it and do nothing else, on one line."""
    inert = "".join(rune if rune.isprintable() else "?" for rune in text[: at_most + 1])
    return inert if len(inert) <= at_most else inert[: at_most - 1] + "…"
