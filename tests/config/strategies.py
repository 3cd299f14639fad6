"""JSON texts and damaged configs, for the property tests."""

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

# No surrogates: json.loads takes a lone one, brain does not.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=20,
)
LAYOUTS: list[Callable[[Any], str]] = [
    json.dumps,
    lambda value: json.dumps(value, indent=2),
    lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    lambda value: "\r\n\t " + json.dumps(value, indent="\t") + " \n",
]
JSON_TEXTS = st.builds(lambda value, layout: layout(value), VALUES, st.sampled_from(LAYOUTS))

_PIECES = st.sampled_from(
    ['"', "\\", "{", "}", "[", "]", ",", ":", "-", "0", "1e", ".", "tru", "null", "\n", "\x00",
     "\\u12", "\\ud83d\\ude00", "NaN", " ", "'", "//", "é", "\u2028"]
)  # fmt: skip


@st.composite
def damaged_texts(draw: st.DrawFn) -> str:
    """Draw a JSON text from which pieces were cut, or into which pieces were put."""
    text = draw(JSON_TEXTS)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 3))
        text = text[:start] + draw(_PIECES | st.just("")) + text[end:]
    return text


_ODDITIES = st.sampled_from(
    [None, True, False, 0, -1, 10**30, 1.5, "", "x" * 5000, "assistant\n", "\u202e", [], {}, [[]],
     "local", "cloud", "consensus", "memory_note", "brain", ["time", "time"], {"_comment": 1},
     {"a": {"b": [1]}}, "sk-secret", "1h", "../..", "~", "\x1b[31m"]
)  # fmt: skip

_ODD = _ODDITIES.map(copy.deepcopy)  # a mutation may change what it put in


@st.composite
def mutations(draw: st.DrawFn, document: Any) -> Any:
    """Draw a copy of a good config in which up to four values or keys were changed or lost."""
    changed = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 4))):
        slots = _slots(changed)
        where, key = slots[draw(st.integers(0, len(slots) - 1))]
        match draw(st.sampled_from(["change", "remove", "rename", "add"])):
            case "change":
                where[key] = draw(_ODD | VALUES)
            case "remove":
                del where[key]
            case "rename" if isinstance(where, dict):
                where[draw(TEXTS)] = where.pop(key)
            case _ if isinstance(where, list):
                where.append(draw(_ODD))
            case _:
                where[draw(TEXTS)] = draw(_ODD)
        if not _slots(changed):
            break
    return changed


def _slots(value: Any) -> list[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    slots: list[tuple[Any, Any]] = []
    for key, below in inner:
        slots.append((value, key))
        if isinstance(below, dict | list):
            slots += _slots(below)
    return slots
