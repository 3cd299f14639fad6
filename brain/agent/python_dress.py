"""Calls in the dress of Python: `memory_note(note="…")`, or an object with single quotes.

Pure. Such a text is never run, nor read for its arguments: it is held back, and the model is told
that it made no call. Only a text that begins so, with the name of an announced tool, is meant.
"""

import re
from typing import Final

from brain.names import begins_name, is_name

__all__ = ["begins_python", "could_be_python", "python_call"]

_MOST_NAME: Final = 80
_OPENING = re.compile(r"\[?\s*(?:print\(\s*)?([A-Za-z_][\w.:-]*)\(\s*")
_ARGUMENT = re.compile(r"""\)|[A-Za-z_]\w*\s*=(?!=)|[A-Za-z_]\w*\s*\Z|\Z|["'{\[0-9-]""")
_OPENING_BEGUN = re.compile(r"\[?\s*(?:print\(\s*)?([A-Za-z_][\w.:-]*)?\Z")
_KEYS: Final = "do|tool|tool_name|name|function|arguments|parameters|type|id|tool_calls"
_OBJECT = re.compile(rf"\[?\s*\{{\s*'(?:{_KEYS})'\s*:")
_OBJECT_BEGUN = re.compile(r"\[?\s*\{\s*'[a-z_]{0,12}(?:'\s*)?\Z")
_OBJECT_NAME = re.compile(r"'(?:do|tool|tool_name|name|function)'\s*:\s*'([^'\\]*)('?)")
_AFTER = re.compile(r"[\s)\];,`]*(?:</?[a-z_]+>|<\|/?[a-z_]+\|>|\[/TOOL_CALLS\])?[\s`]*\Z")


def begins_python(text: str, names: frozenset[str]) -> bool:
    """Tell whether `text` begins, or has begun to begin, as such a call of one of `names`."""
    if (begun := _OPENING_BEGUN.match(text)) is not None:
        name = begun[1] or ""
        return len(name) < _MOST_NAME and (begins_name(name, names) or "print".startswith(name))
    return _OBJECT_BEGUN.match(text) is not None or _name(text, names) is not None


def could_be_python(text: str, names: frozenset[str]) -> bool:
    """Tell whether `text`, the beginning of an answer, may still become nothing but such calls."""
    return begins_python(text, names) and not _has_talk_behind(text)


def python_call(text: str, names: frozenset[str], *, then_anything: bool = False) -> str | None:
    """Return the name of the tool that a whole answer asks for in Python's dress; None: an answer.

    `then_anything`: what stands behind the call does not matter.
    """
    name = _name(text, names)
    return name if name and (then_anything or not _has_talk_behind(text)) else None


def _name(text: str, names: frozenset[str]) -> str | None:
    """Return the name as it is written; "" where it is still to come, None where this is no call."""
    opened = _OPENING.match(text)
    if opened is not None:
        is_call = is_name(opened[1], names) and _ARGUMENT.match(text, opened.end()) is not None
        return opened[1] if is_call else None
    if not _OBJECT.match(text):
        return None
    named = _OBJECT_NAME.search(text)
    if named is None or not named[2]:
        return ""
    return named[1] if is_name(named[1], names) else None


def _has_talk_behind(text: str) -> bool:
    """Tell whether something else than marks, or the next call, follows the first call."""
    end = _end(text)
    if end is None or _AFTER.match(text, end):
        return False
    rest = text[end:].lstrip(" \t\r\n;,)]")
    return not (_OPENING.match(rest) or _OPENING_BEGUN.match(rest) or rest.startswith("{"))


def _end(text: str) -> int | None:
    """Return where the first bracket that is opened is closed again; None: nowhere yet."""
    depth, quote, is_escaped = 0, "", False
    for at, character in enumerate(text):
        if quote:
            if not is_escaped and character == quote:
                quote = ""
            is_escaped = character == "\\" and not is_escaped
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
    return None
