"""Calls that a model with native tools wrote as text, where it should have called.

Pure. Only a text that is nothing but calls of announced tools is taken: one JSON object, a list or
a row of them, bare or in a fence. Any other JSON is an answer. What a tool tag holds is a call,
whatever it names (the executor knows what to say of a tool that is not there) and whatever follows it.
Nothing is repaired: what begins as a call and can't be read is a malformed call.
"""

import json
import re
from typing import Final

from brain.agent.python_dress import could_be_python, python_call
from brain.agent.tool_tags import begins_mark, is_tag_begun, past_marks
from brain.names import begins_name, is_name
from brain.records import JSONValue, ToolCall

__all__ = ["could_be_calls", "is_announced", "parse_arguments", "read_calls"]

_NAME_KEYS: Final = ("name", "tool", "tool_name")
_ARGUMENT_KEYS: Final = ("arguments", "parameters", "args")
_WRAPPING_KEYS: Final = ("function", "tool_calls")
_KEYS: Final = (*_NAME_KEYS, *_ARGUMENT_KEYS, *_WRAPPING_KEYS, "type", "id")
_OPEN: Final = ("{", "[")
_FIRST_KEY = re.compile(r'\{\s*(?:"([^"\\]*)("?))?')
_NAMED = re.compile(r'\{\s*"(?:name|tool|tool_name)"\s*:\s*"([^"\\]*)"')
_ANY_NAME = re.compile(r'"(?:name|tool|tool_name)"\s*:\s*"([^"\\]*)"')
_BEFORE_NAME = re.compile(
    r'\{\s*(?:"tool_calls"\s*:\s*\[\s*\{\s*)?'
    r'(?:"(?:id|type)"\s*:\s*(?:"[^"\\]*"|[0-9]+)\s*,\s*)*(?:"function"\s*:\s*\{\s*)?'
)
_NAME_BEGUN = re.compile(r'"(?:name|tool|tool_name)"\s*:\s*"([^"\\]*)("?)')
_KEY_BEGUN = re.compile(r'(?:,\s*)?"([^"\\]+)("?)\s*')

_NOT_AN_OBJECT: Final = "the arguments of the call must be one JSON object"
_UNREADABLE: Final = "the call is not valid JSON; nothing was run"


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build an object, refusing a key that comes twice: which one was meant can't be known."""
    built = dict(pairs)
    if len(built) != len(pairs):
        raise ValueError("a key comes twice")
    return built


_STRICT = json.JSONDecoder(object_pairs_hook=_no_repeats)


def is_announced(name: str, names: frozenset[str]) -> bool:
    """Tell whether `name`, or what it is an accepted alias of, is one of `names`."""
    return is_name(name, names)


def could_be_calls(text: str, names: frozenset[str]) -> bool:
    """Tell whether `text`, the beginning of an answer, may still become nothing but calls."""
    marks = past_marks(text)
    rest = text[marks.end :]
    if not names:
        return False
    return marks.has_tag or not rest or begins_mark(rest) or _could_be_call(rest, names)


def _could_be_call(text: str, names: frozenset[str]) -> bool:
    return _could_be_json(text, names) or could_be_python(text, names)


def read_calls(text: str, names: frozenset[str], *, call_id: str = "call") -> tuple[ToolCall, ...]:
    """Return the calls that a whole answer is nothing but; none where it is an answer.

    The calls are named `call_id`, `call_id-2`, and so on.
    """
    found = _Calls(text, names).read()
    return tuple(
        ToolCall(
            id=call_id if index == 1 else f"{call_id}-{index}",
            name=call.name,
            arguments=call.arguments,
            malformed=call.malformed,
        )
        for index, call in enumerate(found, 1)
    )


def parse_arguments(value: object) -> tuple[dict[str, JSONValue], str]:
    """Return the arguments as an object, and what was wrong with them (empty: nothing).

    A string is parsed; one that holds several objects, or none, is wrong.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value, object_pairs_hook=_no_repeats) if value.strip() else {}
        except (ValueError, RecursionError):
            return {}, _NOT_AN_OBJECT
    if not isinstance(value, dict):
        return {}, _NOT_AN_OBJECT
    return value, ""


def _could_be_json(text: str, names: frozenset[str]) -> bool:
    if text.startswith("["):
        text = text[1:].lstrip()
    if not text:
        return True
    first = _FIRST_KEY.match(text)
    if first is None:
        return False
    key, is_whole = first.group(1), bool(first.group(2))
    if key is None:
        return not text[first.end() :].strip()
    if not (key in _KEYS if is_whole else any(known.startswith(key) for known in _KEYS)):
        return False
    named = _NAMED.match(text)
    if named is not None and not is_announced(named.group(1), names):
        return False
    return _ends_like_calls(text)


def _ends_like_calls(text: str) -> bool:
    """Tell whether the first object is unfinished, or a call that only closing marks follow."""
    if "}" not in text:
        return True
    try:
        value, end = _STRICT.raw_decode(text)
    except (ValueError, RecursionError):
        return True
    text = text[end:].lstrip(" \t\r\n]")
    marks = past_marks(text)
    rest = text[marks.end :]
    is_call = any(_shape(item) is not None for item in _items(value))
    return is_call and (marks.has_tag or not rest or rest[0] in _OPEN or begins_mark(rest))


class _Calls:
    """Reads a text that should be nothing but calls, and the marks around them."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self._text = text
        self._names = names
        self._at = 0
        self._found: list[ToolCall] = []
        self._is_tagged = False
        self._has_tag = False

    def read(self) -> list[ToolCall]:
        """Return the calls; none where any of it is something else.

        Behind a call in a tag, what does not begin like a further call is dropped.
        """
        while self._goes_on():
            start = self._at
            try:
                value, self._at = _STRICT.raw_decode(self._text, start)
            except (ValueError, RecursionError):
                return self._unreadable(self._text[start:])
            if not all(self._take(item) for item in _items(value)):
                return self._something_else(self._text[start:])
        if self._has_tag and not self._found:
            return [_malformed_call(self._text)]
        return self._found

    def _goes_on(self) -> bool:
        marks = past_marks(self._text, self._at)
        self._at = marks.end
        self._has_tag |= marks.has_tag
        self._is_tagged = self._is_tagged if marks.is_tagged is None else marks.is_tagged
        is_talk = self._has_tag and bool(self._found) and self._text[self._at :][:1] not in _OPEN
        return self._at < len(self._text) and not is_talk

    def _take(self, item: object) -> bool:
        shape = _shape(item, needs_arguments=not self._is_tagged)
        if shape is None or not (self._is_tagged or is_announced(shape[0], self._names)):
            return False
        arguments, malformed = parse_arguments(shape[1])
        self._found.append(ToolCall(id="", name=shape[0], arguments=arguments, malformed=malformed))
        return True

    def _unreadable(self, text: str) -> list[ToolCall]:
        is_further = bool(self._found) and text[:1] in _OPEN
        is_sure = self._is_tagged or is_tag_begun(text) or is_further
        malformed = _malformed(text, self._names, is_sure=is_sure)
        return [*self._found, malformed] if malformed else []

    def _something_else(self, text: str) -> list[ToolCall]:
        if self._found and self._has_tag:
            return self._found
        return [_malformed_call(text)] if self._is_tagged else []


def _items(value: object) -> list[object]:
    if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    return value if isinstance(value, list) else [value]


def _malformed(text: str, names: frozenset[str], *, is_sure: bool) -> ToolCall | None:
    """Return the malformed call that an unreadable text is; None where it is an answer.

    `is_sure`: a tag or a call before it says already that a call was meant.
    """
    dressed = python_call(text, names, then_anything=is_sure)
    if dressed is not None:
        return ToolCall(id="", name=dressed, malformed=_UNREADABLE)
    if is_sure or _is_begun(text.lstrip("[ \n"), names):
        return _malformed_call(text)
    return None


def _is_begun(text: str, names: frozenset[str]) -> bool:
    """Tell whether `text`, which can't be read, begins as a call of an announced tool does."""
    before = _BEFORE_NAME.match(text)
    if before is None:
        return False
    rest = text[before.end() :]
    named = _NAME_BEGUN.match(rest)
    if named is None:
        return _is_key_of_a_call(rest) or _names_one_behind(rest, names)
    name, is_whole = named[1], bool(named[2])
    after = rest[named.end() :].strip()
    if not is_whole:
        return not after and begins_name(name, names)
    return is_announced(name, names) and (after in ("", ",") or _is_key_of_a_call(after))


def _is_key_of_a_call(text: str) -> bool:
    """Tell whether a key comes next that a call has, or the text ends inside one."""
    key = _KEY_BEGUN.match(text)
    if key is None:
        return False
    is_last = key.end() == len(text) or not text[key.end() :].strip(" :\t\r\n[{")
    if not key[2]:
        return is_last and any(known.startswith(key[1]) for known in _KEYS)
    if key[1] in _ARGUMENT_KEYS and text.startswith(","):
        return not _has_other_key_behind(text[key.end() :].lstrip(": \t\r\n"))
    return key[1] in _KEYS and is_last


def _has_other_key_behind(text: str) -> bool:
    """Tell whether the arguments can be read, and a key that no call has follows them."""
    try:
        _, end = _STRICT.raw_decode(text)
    except (ValueError, RecursionError):
        return False
    key = _KEY_BEGUN.match(text[end:].lstrip())
    return key is not None and bool(key[2]) and key[1] not in _KEYS


def _names_one_behind(text: str, names: frozenset[str]) -> bool:
    """Tell whether the arguments stand first, and the name of an announced tool behind them."""
    first, named = _KEY_BEGUN.match(text), _ANY_NAME.search(text)
    is_arguments = first is not None and first[1] in _ARGUMENT_KEYS
    return is_arguments and named is not None and is_announced(named[1], names)


def _malformed_call(text: str) -> ToolCall:
    named = _ANY_NAME.search(text)
    return ToolCall(id="", name=named.group(1) if named else "unknown", malformed=_UNREADABLE)


def _shape(value: object, *, needs_arguments: bool = True) -> tuple[str, object] | None:
    """Return name and arguments of an object that has the shape of a call and no other key."""
    if not isinstance(value, dict) or not value or not all(key in _KEYS for key in value):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        return _shape(inner, needs_arguments=needs_arguments)
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), inner)
    arguments = [value[key] for key in _ARGUMENT_KEYS if key in value]
    if not isinstance(name, str) or len(arguments) > 1 or (needs_arguments and not arguments):
        return None
    return name, arguments[0] if arguments else {}
