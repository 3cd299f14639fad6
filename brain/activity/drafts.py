"""What a draft may say: the closed sets and shapes that keep content out of the log. Pure."""

import re
from typing import Final

from brain.activity.events import EVENT_TYPES, Draft

__all__ = ["ID_PATTERN", "MODES", "ORIGINS", "SENSITIVITIES", "WORD_PATTERN", "check"]

MODES: Final = ("allow", "shadow", "deny")
ORIGINS: Final = ("model", "operator", "mcp-client", "job")
SENSITIVITIES: Final = ("public", "private")

WORD_PATTERN: Final = "^[a-z][a-z0-9_-]{0,63}$"
"""Words from sets in the code: outcomes, rules, codes, what is counted."""

ID_PATTERN: Final = "^[0-9A-Za-z][0-9A-Za-z:_-]{0,63}$"
"""Ids of rows, runs, exchanges, proofs and revisions: never a path or a text."""

_WORD: Final = re.compile(WORD_PATTERN.removesuffix("$") + r"\Z")
_ID: Final = re.compile(ID_PATTERN.removesuffix("$") + r"\Z")
_LARGEST: Final = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exactly."""


def check(draft: Draft) -> None:
    """Raise ValueError, naming field and value, for a draft that no event can hold."""
    if draft.type not in EVENT_TYPES:
        raise ValueError(
            f"no event has the type {draft.type!r}; brain.activity.EVENT_TYPES lists them"
        )
    _one_of("mode", draft.mode, MODES)
    _one_of("origin", draft.origin, ORIGINS)
    if draft.facts is not None:
        _one_of("facts.sensitivity", draft.facts.sensitivity, SENSITIVITIES)
    for name in ("outcome", "rule"):
        _matches(name, getattr(draft, name), _WORD)
    for name in (
        "conversation", "actor", "exchange", "proof", "ref", "revision", "revision_before",
    ):  # fmt: skip
        _matches(name, getattr(draft, name), _ID)
    for code in draft.codes or ():
        _matches("codes", code, _WORD)
    for name in ("tokens", "counts"):
        for word, count in (getattr(draft, name) or {}).items():
            _matches(name, word, _WORD)
            _whole(f"{name}.{word}", count)
    _whole("latency_ms", draft.latency_ms)


def _one_of(name: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise ValueError(f"{name} of an event is one of {', '.join(allowed)}, not {value!r}")


def _matches(name: str, value: str | None, pattern: re.Pattern[str]) -> None:
    if value is not None and pattern.match(value) is None:
        raise ValueError(f"{name} of an event matches {pattern.pattern}, and {value!r} does not")


def _whole(name: str, value: int | None) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not 0 <= value <= _LARGEST:
        raise ValueError(f"{name} of an event is a whole number from 0 to 2^53 - 1, not {value!r}")
