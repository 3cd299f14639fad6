"""What the user is told when an exchange ends without an answer: one sentence for each way.

Pure. Own words only: what a server or a library said never reaches the user. The `fix` of an error
is written for people and follows.
"""

from dataclasses import dataclass
from typing import Final, Literal

from brain import errors
from brain.counts import counted
from brain.models import code_of

__all__ = [
    "FAILURES",
    "Failure",
    "Unanswered",
    "can_fall_back",
    "sentence_of",
    "tell",
    "tell_unanswered",
]

Unanswered = Literal[
    "iteration_cap", "exchange_timeout", "malformed_calls", "empty_reply", "store_failed"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why there is no answer: `code` for events, `text` for the user."""

    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    sentence: str
    fix: str
    can_fall_back: bool = True


_KEPT: Final = "Your message is kept."

FAILURES: Final[dict[type[errors.ModelError], _Kind]] = {
    errors.ModelUnreachable: _Kind(
        sentence="{model} can't be reached: nothing answers at its address.",
        fix="Start its server and ask again.",
    ),
    errors.ModelMissing: _Kind(
        sentence="{model} is not on this machine.",
        fix="`brain pull` gets it.",
    ),
    errors.ModelLoading: _Kind(
        sentence="{model} is still loading.",
        fix="Ask again in a moment; `load_timeout` says how long is waited.",
    ),
    errors.ModelTimedOut: _Kind(
        sentence="{model} did not answer in time.",
        fix="Ask again, or raise `request_timeout`.",
    ),
    errors.ModelRefused: _Kind(
        sentence="{model} refused the request.",
        fix="`brain doctor` shows how the model stands.",
    ),
    errors.ModelBusy: _Kind(
        sentence="{model} is busy with others.",
        fix="Ask again in a moment.",
    ),
    errors.ToolsUnsupported: _Kind(
        sentence="{model} does not take tools.",
        fix="Choose another model, or ask again.",
    ),
    errors.PromptTooLong: _Kind(
        sentence="What {model} would have to read does not fit its context.",
        fix="Send a shorter message, open a new session, or raise `num_ctx`.",
        can_fall_back=False,
    ),
    errors.BadReply: _Kind(
        sentence="The answer of {model} broke off, or made no sense.",
        fix="Ask again.",
    ),
    errors.NotLocal: _Kind(
        sentence="{model} is not proved to run on this machine, so it was not asked.",
        fix="`brain doctor` shows the proof step by step.",
    ),
    errors.LocalityBroken: _Kind(
        sentence=(
            "{model} is out of service: an answer of it came from another machine, though it "
            "claims to be local."
        ),
        fix="If that is settled, put it back: brain models release {model}",
        can_fall_back=False,
    ),
}
_LIED: Final = (
    "The answer of {model} came from another machine, though it claims to be local. It was cut off "
    "there and is not kept, and the model is out of service."
)
_ANY: Final = _Kind(
    sentence="{model} gave no answer.",
    fix="`brain doctor` shows how the model stands.",
)

_UNANSWERED: Final[dict[Unanswered, tuple[str, str]]] = {
    "iteration_cap": (
        "{model} went on calling tools and gave no answer within {steps}.",
        "Ask for less at once, or raise `max_iterations`.",
    ),
    "exchange_timeout": (
        "There was no answer within {seconds}.",
        "Ask again, or raise `exchange_timeout`.",
    ),
    "malformed_calls": (
        "{model} asked for a tool twice in a way that can't be read; nothing was run for it.",
        "Ask again in other words.",
    ),
    "store_failed": (
        "The database did not take what was to be stored; nothing was half-stored.",
        "`brain doctor` shows how the store stands.",
    ),
    "empty_reply": ("{model} gave an empty answer.", "Ask again in other words."),
}


def can_fall_back(error: errors.ModelError) -> bool:
    """Tell whether another model of the brain may be asked instead."""
    return _kind(error).can_fall_back


def tell(error: errors.ModelError, *, model: str, has_asked: bool = False) -> Failure:
    """Return what the user is told of an error of the model named `model`.

    `has_asked`: it came from an answer, not from looking whether the model can be asked. What mends
    it stands on a line of its own, so that a command in it can be copied.
    """
    sentence = sentence_of(error, model=model)
    if has_asked and isinstance(error, errors.LocalityBroken):
        sentence = _LIED.format(model=model)
    fix = error.fix or _kind(error).fix.format(model=model)
    text = f"{sentence} {_KEPT}\n{fix[:1].upper()}{fix[1:]}"
    return Failure(code=code_of(error), text=text)


def sentence_of(error: errors.ModelError, *, model: str) -> str:
    """Return what went wrong, without what mends it."""
    return _kind(error).sentence.format(model=model)


def tell_unanswered(reason: Unanswered, *, model: str, limit: float) -> Failure:
    """Return what the user is told where the model answered, but with nothing that ends a talk."""
    sentence, fix = _UNANSWERED[reason]
    told = sentence.format(
        model=model, steps=counted(limit, "step"), seconds=counted(limit, "second")
    )
    return Failure(code=reason, text=f"{told} {_KEPT}\n{fix}")


def _kind(error: errors.ModelError) -> _Kind:
    return next((FAILURES[cls] for cls in type(error).__mro__ if cls in FAILURES), _ANY)
