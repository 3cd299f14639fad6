"""What a draft may say: the closed sets and shapes that keep content out of the log. Pure."""

import re
from collections.abc import Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Final

from brain.activity.events import EVENT_TYPES, Draft

__all__ = ["CHOICES", "COUNT_WORD", "LARGEST", "PATTERNS", "SENSITIVITIES", "check"]

SENSITIVITIES: Final = ("public", "private")

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "mode": ("allow", "shadow", "deny"),
    "origin": ("model", "operator", "mcp-client", "job"),
}
"""Fields whose values are all known."""

_NAME: Final = "^[a-z0-9][a-z0-9_-]{0,63}$"
_WORD: Final = "^[a-z][a-z0-9_-]{0,63}$"
_RANDOM: Final = "^[0-9a-f]{32}$"
_ID: Final = "^[0-9A-Za-z][0-9A-Za-z:_-]{0,63}$"

PATTERNS: Final[Mapping[str, str]] = {
    "brain": _NAME,
    "channel": _NAME,
    "conversation": _RANDOM,
    "actor": _RANDOM,
    "exchange": _ID,
    "tool": "^[a-z][a-z0-9_.-]{0,127}$",
    "outcome": _WORD,
    "rule": _WORD,
    "model": "^[a-z][a-z-]{0,31}/[A-Za-z0-9._:/@+-]{1,200}$",
    "proof": _ID,
    "ref": _ID,
    "revision": _ID,
    "revision_before": _ID,
    "paths": r"^[A-Za-z0-9_./\[\]-]{0,256}$",
    "codes": _WORD,
}
"""The shape of every other text: none has room for a sentence. Of `paths` and `codes`, each item."""

COUNT_WORD: Final = _WORD
"""The shape of what is counted in `tokens` and `counts`."""

LARGEST: Final = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exactly."""

_COMPILED: Final = {
    name: re.compile(pattern.removesuffix("$") + r"\Z") for name, pattern in PATTERNS.items()
}
_MATCHES: Final = tuple(pattern.match for pattern in _COMPILED.values())
_WRITTEN: Final = attrgetter(*_COMPILED)  # all values of a draft at once: each event is checked
_CHOSEN: Final = attrgetter(*CHOICES)
_COUNTED: Final = re.compile(COUNT_WORD.removesuffix("$") + r"\Z")


def check(draft: Draft) -> None:
    """Raise ValueError, naming field and value, for a draft that no event can hold."""
    if draft.type not in EVENT_TYPES:
        raise ValueError(
            f"no event has the type {draft.type!r}; brain.activity.EVENT_TYPES lists them"
        )
    if draft.facts is not None:
        _one_of("facts.sensitivity", draft.facts.sensitivity, SENSITIVITIES)
    for name, value, choices in zip(CHOICES, _CHOSEN(draft), CHOICES.values(), strict=True):
        if value is not None:
            _one_of(name, value, choices)
    _check_shapes(draft)
    if draft.tokens is not None:
        _counts("tokens", draft.tokens)
    if draft.counts is not None:
        _counts("counts", draft.counts)
    if draft.latency_ms is not None:
        _whole("latency_ms", draft.latency_ms)


def _one_of(name: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise ValueError(f"{name} of an event is one of {', '.join(allowed)}, not {value!r}")


def _misshapen(name: str, value: str, pattern: re.Pattern[str]) -> ValueError:
    return ValueError(f"{name} of an event matches {pattern.pattern}, and {value!r} does not")


def _check_shapes(draft: Draft) -> None:
    for name, value, match in zip(_COMPILED, _WRITTEN(draft), _MATCHES, strict=True):
        if value is not None:
            for item in value if type(value) is tuple else (value,):
                if match(item) is None:
                    raise _misshapen(name, item, _COMPILED[name])


def _counts(name: str, counts: Mapping[str, int]) -> None:
    for word, count in counts.items():
        if not _is_count_word(word):
            raise _misshapen(name, word, _COUNTED)
        if type(count) is not int or not 0 <= count <= LARGEST:
            _whole(f"{name}.{word}", count)


@lru_cache(maxsize=256)  # brain counts a few dozen things, and says so in every event
def _is_count_word(word: str) -> bool:
    return _COUNTED.match(word) is not None


def _whole(name: str, value: int) -> None:
    if type(value) is not int or not 0 <= value <= LARGEST:
        raise ValueError(f"{name} of an event is a whole number from 0 to 2^53 - 1, not {value!r}")
