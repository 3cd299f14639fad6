"""The lines of an export as one table: which fields each kind has, and what may stand in them. Pure.

The check of an import and the published schema are made from it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

__all__ = [
    "COUNTED",
    "KINDS",
    "VERSION",
    "WHAT",
    "Fault",
    "Fields",
    "Shape",
    "faults_in",
    "is_name",
]

VERSION: Final = 1

WHAT: Final = ("conversations", "notes", "rehearsals")
"""What can be asked for; a conversation comes with its sessions and their turns."""

COUNTED: Final[Mapping[str, str]] = {
    "conversation": "conversations",
    "session": "sessions",
    "turn": "turns",
    "note": "notes",
    "rehearsal": "rehearsals",
}
"""Every kind of line but the header, in the order in which they come, and how many are called."""

_LONGEST_SHOWN: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What may stand in a field: in words, as JSON Schema, and as a test of a parsed value."""

    expected: str
    schema: Mapping[str, Any]
    fits: Callable[[Any], bool]


Fields = Mapping[str, "tuple[str, Shape | Fields]"]
"""By name: what a field means, and its shape or the fields of the object in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with one line of a file. `line` counts from 1."""

    line: int
    found: str
    expected: str

    @property
    def sentence(self) -> str:
        return f"line {self.line}: found {self.found}; expected {self.expected}"


def faults_in(
    fields: Fields, value: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield what was found and what was expected, for each field that is not as it should be."""
    for name in value.keys() - fields.keys():
        yield f"an unknown field {_shown(path + name)}", f"only {', '.join(fields)}"
    for name, (_, shape) in fields.items():
        where = f"{path}{name}"
        if name not in value:
            yield f"no field {where!r}", f"it, in every line of its kind: {_expected(shape)}"
        elif isinstance(shape, Shape):
            if not shape.fits(value[name]):
                yield f"{where} {_shown(value[name])}", _expected(shape)
        elif isinstance(value[name], dict):
            yield from faults_in(shape, value[name], f"{where}.")
        else:
            yield f"{where} {_shown(value[name])}", _expected(shape)


def _expected(shape: "Shape | Fields") -> str:
    return shape.expected if isinstance(shape, Shape) else f"an object of {', '.join(shape)}"


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


def _text(pattern: str = "", expected: str = "a text") -> Shape:
    """A string; `pattern` is matched whole and says the same to Python and to JSON Schema."""
    compiled = re.compile(pattern, re.DOTALL)
    return Shape(
        expected=expected,
        schema={"type": "string"} | ({"pattern": f"^{pattern}$"} if pattern else {}),
        fits=lambda value: (
            isinstance(value, str) and (not pattern or compiled.fullmatch(value) is not None)
        ),
    )


def _whole(least: int, most: int) -> Shape:
    return Shape(
        expected=f"a whole number from {least} to {most}",
        schema={"type": "integer", "minimum": least, "maximum": most},
        fits=lambda value: type(value) is int and least <= value <= most,
    )


def _one_of(*words: str | int) -> Shape:
    return Shape(
        expected=f"one of {', '.join(repr(word) for word in words)}",
        schema={"enum": list(words)},
        fits=lambda value: type(value) in (str, int) and value in words,
    )


def _list_of(item: Shape) -> Shape:
    return Shape(
        expected=f"a list, each of it {item.expected}, none twice",
        schema={"type": "array", "items": item.schema, "uniqueItems": True},
        fits=lambda value: (
            isinstance(value, list)
            and all(item.fits(each) for each in value)
            and len(set(value)) == len(value)
        ),
    )


_MOMENT_PATTERN: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"


def _is_moment(value: object) -> bool:
    if not isinstance(value, str) or re.fullmatch(_MOMENT_PATTERN, value) is None:
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


_MOMENT: Final = Shape(
    expected="a moment like '2026-01-31T09:30:00.123Z'",
    schema={"type": "string", "pattern": f"^{_MOMENT_PATTERN}$"},
    fits=_is_moment,
)
_YES_OR_NO: Final = Shape(
    expected="true or false",
    schema={"type": "boolean"},
    fits=lambda value: isinstance(value, bool),
)
_OBJECT: Final = Shape(
    expected="an object",
    schema={"type": "object"},
    fits=lambda value: isinstance(value, dict),
)
_NUMBER: Final = _whole(1, 2**53 - 1)
_COUNT: Final = _whole(0, 2**53 - 1)
_ID: Final = _text("[0-9a-f]{32}", "32 digits and letters a to f")
_NAME: Final = _text("[a-z0-9][a-z0-9_-]{0,63}", "a name as the config has it")
_NAME_OR_NONE: Final = _text("([a-z0-9][a-z0-9_-]{0,63})?", "a name as the config has it, or ''")
_FILLED: Final = _text(r"[\s\S]+", "a text that is not empty")
_ANY_TEXT: Final = _text()
_SENSITIVITY: Final = _one_of("public", "private")

_BOX: Final[Fields] = {
    "brain": ("Name of the brain.", _NAME),
    "scope": ("What the box belongs to.", _one_of("conversation", "brain")),
    "channel": ("For scope conversation: its channel; else empty.", _NAME_OR_NONE),
    "conversation": ("For scope conversation: its name; else empty.", _ANY_TEXT),
}
_CAUSE: Final[Fields] = {
    "channel": ("Where it was asked for.", _NAME_OR_NONE),
    "sender": ("Who asked for it.", _ANY_TEXT),
    "session": ("The session that caused it; 0 for none.", _COUNT),
    "turn": ("The id of the turn that caused it; 0 for none.", _COUNT),
}

_HEADER: Final[Fields] = {
    "kind": ("This is the first line.", _one_of("export")),
    "v": ("Version of the shape of the file.", _one_of(VERSION)),
    "at": ("When the copy was made: every line is of this moment.", _MOMENT),
    "holds": ("What was asked for.", _list_of(_one_of(*WHAT))),
    "brains": ("Whose rows were asked for; empty for all.", _list_of(_NAME)),
    "counts": (
        "How many lines of each kind follow.",
        {name: (f"Lines of the kind {kind}.", _COUNT) for kind, name in COUNTED.items()},
    ),
}
_CONVERSATION: Final[Fields] = {
    "kind": ("A talk on one channel; its sessions follow it.", _one_of("conversation")),
    "id": ("The random id by which events name it.", _ID),
    "channel": ("Its channel.", _NAME),
    "conversation": ("Its name on the channel.", _FILLED),
}
_SESSION: Final[Fields] = {
    "kind": ("A stretch of the conversation before it; its turns follow.", _one_of("session")),
    "conversation_id": ("The conversation.", _ID),
    "number": ("Counts from 1; the newest is active.", _NUMBER),
    "started_at": ("When it began.", _MOMENT),
}
_TURN: Final[Fields] = {
    "kind": ("One line of the session before it.", _one_of("turn")),
    "conversation_id": ("The conversation.", _ID),
    "session": ("The number of the session.", _NUMBER),
    "id": ("Its id in the store that it comes from.", _whole(1, 2**53 - 1)),
    "role": ("Whose words.", _one_of("user", "assistant", "operator", "system")),
    "form": ("Said in the talk, or recalled from an earlier one.", _one_of("said", "recalled")),
    "text": ("What was said.", _ANY_TEXT),
    "at": ("When it was stored.", _MOMENT),
    "brain": ("The brain that it was said to or by.", _NAME),
    "sensitivity": ("Private ones ride to models that are proved local only.", _SENSITIVITY),
    "exchange": ("Id of the exchange.", _ANY_TEXT),
    "sender": ("Who said it; empty for the assistant.", _ANY_TEXT),
    "tainted": ("Text from outside was in it or in its prompt.", _YES_OR_NO),
    "cut": ("The answer was stopped while it came.", _YES_OR_NO),
}
_NOTE: Final[Fields] = {
    "kind": ("A note in a box.", _one_of("note")),
    "id": ("Its id, which it keeps.", _ID),
    "number": ("Its number in the box.", _NUMBER),
    "box": ("The box.", _BOX),
    "text": ("What is noted.", _ANY_TEXT),
    "created_at": ("When it was stored.", _MOMENT),
    "origin": ("Who put it there.", _one_of("model", "operator", "promoted", "import")),
    "sensitivity": ("Private ones ride to models that are proved local only.", _SENSITIVITY),
    "revision": ("Revision of the config under which it was stored.", _ANY_TEXT),
    **_CAUSE,
    "tainted": ("Text from outside was in the prompt that led to it.", _YES_OR_NO),
}
_REHEARSAL: Final[Fields] = {
    "kind": ("A call that was rehearsed.", _one_of("rehearsal")),
    "id": ("Its id, which it keeps.", _ID),
    "number": ("Its number in the box.", _NUMBER),
    "box": ("The box.", _BOX),
    "tool": ("The tool that was called.", _text("[a-z][a-z0-9_.-]{0,127}", "the name of a tool")),
    "arguments": ("What it was called with.", _OBJECT),
    "would": ("What would have happened.", _ANY_TEXT),
    "created_at": ("When it was kept.", _MOMENT),
    "expires_at": ("When it ends by itself.", _MOMENT),
    "sensitivity": ("The sensitivity of its brain.", _SENSITIVITY),
    "revision": ("Revision of the config under which it was kept.", _ANY_TEXT),
    "exchange": ("Id of the exchange.", _ANY_TEXT),
    **_CAUSE,
    "held_for": ("Why it was held back; empty where the policy shadows it.", _ANY_TEXT),
}

KINDS: Final[Mapping[str, Fields]] = {
    "export": _HEADER,
    "conversation": _CONVERSATION,
    "session": _SESSION,
    "turn": _TURN,
    "note": _NOTE,
    "rehearsal": _REHEARSAL,
}


def is_name(text: str) -> bool:
    """Tell whether a brain or a channel can have this name."""
    return _NAME.fits(text)
