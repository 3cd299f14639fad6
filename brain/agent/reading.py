"""Reading an answer of the text lane while it comes in: reply text, or one call.

Pure. Nothing is evaluated and no argument is repaired: what can't be read is said to be malformed.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Literal

from brain.agent.python_dress import begins_python, python_call
from brain.agent.tool_tags import LABELS, begins_tag, is_tag_begun, tag_at
from brain.names import begins_name, is_name
from brain.records import JSONValue, ToolCall, ToolSpec

__all__ = ["REPLY", "UNNAMED", "AnswerReader", "ParsedAnswer", "several"]

REPLY = "reply"
"""What `do` says in an answer that is no call; no tool can be announced under this name flatly."""

UNNAMED = "unknown"
"""The name of a call whose name could not be read."""

_FENCE = re.compile(r"```[ \t]*([A-Za-z_-]*)(?=[^A-Za-z_-])[ \t]*\r?\n?")
_FENCE_BEGUN = re.compile(r"`{1,2}\Z|```[ \t]*[A-Za-z_-]{0,12}\Z")
_CLOSING = re.compile(r"\s*(?:(?:```|\]|</[a-z_]+>|<\|/?[a-z_]+\|>)\s*)*\Z")
_REPLY_HEAD = re.compile(r'\{\s*(?:"do"\s*:\s*"reply"\s*,\s*)?"reply"\s*:\s*"')
_FIRST_KEY = re.compile(r'\{\s*"([^"\\]*)"')
_FIRST_KEY_BEGUN = re.compile(r'\{\s*(?:"[^"\\]*)?\Z')
_OWN_KEYS = frozenset({"do", "tool"})
_NAME_KEYS = ("tool", "name", "tool_name")
_ARGUMENT_KEYS = ("arguments", "parameters", "args")
_CALL_KEYS = _OWN_KEYS.union(
    _NAME_KEYS, _ARGUMENT_KEYS, ("function", "tool_calls", "type", "id", "reply")
)
_NAME = re.compile(r'"(?:do|tool|tool_name|name)"\s*:\s*"([^"\\]{1,64})"')
_NAME_CUT = re.compile(r'\{\s*"(?:do|tool|tool_name|name)"\s*:\s*(?:"([^"\\]{0,64}))?\Z')
_FURTHER_CALL = re.compile(r'\{\s*"(?:do|tool|tool_name|name|function|type|id)"\s*:')

_FRAGMENT = re.compile(r'[\s\S]*\{\s*"(?:do?|to?o?l?|na?m?e?|fu?n?c?t?i?o?n?|re?p?l?y?)\Z')

_IN_TAG = re.compile(r"[\s\[]*")
_LIST = re.compile(r"\[\s*(?=\{)")

_Verdict = Literal["wait", "text", "object", "python"]

_NOT_ONE_OBJECT = "the answer was not one whole JSON object; answer again with one, as shown"
_SEVERAL = "there were several calls in one answer; ask for one and wait for its result"
_NO_ARGUMENTS = "the arguments were not one JSON object"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedAnswer:
    """What an answer says: exactly one of `reply` and `call` is not None.

    An answer that can't be read is a `call` with `call.malformed`, in words for the model, and the
    tool's name where it could be read. `reply` is the whole text; `unshown` the end of it that
    `feed` has not returned. `before` is text that stood before a call. `is_cut`: the reply stopped
    before its end.
    """

    reply: str | None = None
    call: ToolCall | None = None
    unshown: str = ""
    before: str = ""
    is_cut: bool = False

    @property
    def malformed(self) -> str:
        return "" if self.call is None else self.call.malformed


class AnswerReader:
    """Reads one answer as it comes in.

    `feed` returns the text of the reply that may be shown now, never a piece of a call. After the
    last piece, `finish` says what the answer was. Any text reads; none raises. `call_id` becomes
    the call's id. `within_text`: a call may also stand on a line of its own after some text, and
    text after it is dropped (a model that is not held to a schema); else a call is the whole answer.
    """

    def __init__(
        self, tools: tuple[ToolSpec, ...], *, within_text: bool = False, call_id: str = "call"
    ) -> None:
        self._names = frozenset(tool.name for tool in tools)
        self._within_text = within_text
        self._call_id = call_id
        self._shown: list[str] = []
        self._held = ""
        self._mode: Literal["line", "text", "reply"] = "line"
        self._string = _StringReader()

    def feed(self, text: str) -> str:
        shown = self._string.feed(text) if self._mode == "reply" else self._released(text)
        self._shown.append(shown)
        return shown

    def _released(self, text: str) -> str:
        """Hold a line's beginning until it is known not to be a call; return what is known."""
        self._held += text
        shown: list[str] = []
        while self._held:
            if self._mode == "text":
                shown.append(self._rest_of_line())
                continue
            opening = _opening(self._held, self._names)
            if opening.verdict == "text" and not opening.is_tagged:
                self._mode = "text"
                continue
            is_object = opening.verdict == "object"
            if is_object and (head := _REPLY_HEAD.match(self._held, opening.start)):
                shown.append(self._string.feed(self._held[head.end() :]))
                self._held, self._mode = "", "reply"
            break
        return "".join(shown)

    def _rest_of_line(self) -> str:
        if not self._within_text:
            held, self._held = self._held, ""
            return held
        line, newline, self._held = self._held.partition("\n")
        if newline:
            self._mode = "line"
        return line + newline

    def finish(self) -> ParsedAnswer:
        shown = "".join(self._shown)
        if self._mode == "reply":
            return ParsedAnswer(reply=shown, is_cut=not self._string.has_ended)
        found = self._in_held()
        if isinstance(found, ToolCall):
            return ParsedAnswer(call=found, before=shown.strip())
        return ParsedAnswer(reply=shown + found, unshown=found)

    def _in_held(self) -> ToolCall | str:
        """Return the call that was held, or the text that it was after all."""
        opening = _opening(self._held, self._names)
        is_begun = _FRAGMENT.match(self._held) is not None or is_tag_begun(self._held.strip())
        is_fragment = opening.verdict == "wait" and is_begun
        found: ToolCall | str = self._held
        text = self._held[opening.start :]
        if opening.verdict == "python":
            found = self._in_python(text, is_tagged=opening.is_tagged)
        elif opening.verdict == "object":
            found = self._in_object(text, is_tagged=opening.is_tagged)
        is_tag_shown = opening.is_tagged and found is self._held
        return self._malformed(_NOT_ONE_OBJECT, "") if is_tag_shown or is_fragment else found

    def _in_python(self, text: str, *, is_tagged: bool) -> ToolCall | str:
        name = python_call(text, self._names, then_anything=self._within_text or is_tagged)
        return self._held if name is None else self._malformed(_NOT_ONE_OBJECT, name)

    def _in_object(self, text: str, *, is_tagged: bool) -> ToolCall | str:
        try:
            value, end = _DECODER.raw_decode(text)
        except (ValueError, RecursionError):
            return self._unreadable(text)
        found = self._meaning(value, is_tagged=is_tagged)
        rest = text[end:]
        if found is None or _CLOSING.match(rest):
            return self._held if found is None else found
        if isinstance(found, ToolCall) and _FURTHER_CALL.search(rest):
            return self._malformed(_SEVERAL, found.name)
        return found if self._within_text or is_tagged else self._held

    def _unreadable(self, text: str) -> ToolCall | str:
        key, name = _FIRST_KEY.match(text), _NAME.search(text)
        is_own = key is not None and key[1] in _OWN_KEYS
        is_announced = name is not None and is_name(name[1], self._names)
        cut = _NAME_CUT.match(text)
        is_begun = cut is not None and begins_name(cut[1] or "", self._names)
        if is_own or is_announced or is_begun:
            return self._malformed(_NOT_ONE_OBJECT, "" if name is None else name[1])
        return self._held

    def _malformed(self, why: str, name: str) -> ToolCall:
        return ToolCall(id=self._call_id, name=name or UNNAMED, malformed=why)

    def _meaning(self, value: Any, *, is_tagged: bool) -> ToolCall | str | None:
        """Return the call or the reply that an object is; None where it is neither.

        In a tool tag it is a call whatever it names: the executor knows what to say of that.
        """
        if not isinstance(value, dict):
            return None
        if value.get("do", REPLY) == REPLY and "reply" in value:
            return value["reply"] if isinstance(value["reply"], str) else None
        if isinstance(made := value.get("tool_calls"), list):
            calls = [self._meaning(one, is_tagged=is_tagged) for one in made]
            found = tuple(call for call in calls if isinstance(call, ToolCall))
            return several(found)[0] if found and len(found) == len(made) else None
        name, arguments = _name_and_arguments(value)
        is_meant = is_tagged or bool(value.keys() & _OWN_KEYS) or is_name(name, self._names)
        if not name or not is_meant:
            return None
        if isinstance(arguments, str):
            arguments = _object_in(arguments)
        if not isinstance(arguments, dict):
            return self._malformed(_NO_ARGUMENTS, name)
        return ToolCall(id=self._call_id, name=name, arguments=arguments)


def several(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """Return the one call that an answer may hold; of several none is picked."""
    if len(calls) <= 1:
        return calls
    return (replace(calls[0], arguments={}, malformed=_SEVERAL),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opening:
    """What begins here, where behind fence and tag it does, and whether there is a tag."""

    verdict: _Verdict
    start: int = 0
    is_tagged: bool = False


def _opening(text: str, names: frozenset[str]) -> _Opening:
    """Tell what begins here: text, what may be a call, or not yet known."""
    start = _after_blanks(text, 0)
    if text.startswith("`", start):
        fence = _FENCE.match(text, start)
        if fence is None:
            return _Opening(verdict="wait" if _FENCE_BEGUN.match(text, start) else "text")
        if fence[1] and fence[1].casefold() not in LABELS:
            return _Opening(verdict="text")
        start = _after_blanks(text, fence.end())
    tag = tag_at(text, start)
    if text.startswith(("<", "["), start):
        if begins_tag(text[start:]):
            return _Opening(verdict="wait")
        opened = (_IN_TAG if tag else _LIST).match(text, start + len(tag))
        start = opened.end() if opened else start
    start = _after_blanks(text, start)
    verdict: _Verdict = "wait" if start == len(text) else _opened(text[start:], names)
    return _Opening(verdict=verdict, start=start, is_tagged=bool(tag))


def _after_blanks(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _opened(text: str, names: frozenset[str]) -> _Verdict:
    if key := _FIRST_KEY.match(text):
        return "object" if key[1] in _CALL_KEYS else "text"
    if _FIRST_KEY_BEGUN.match(text):
        return "wait"
    return "python" if begins_python(text, names) else "text"


def _name_and_arguments(value: dict[str, Any]) -> tuple[str, Any]:
    """Return what an object asks for: the flat shape, or the shapes that models bring along."""
    if isinstance(value.get("do"), str):
        rest = {key: item for key, item in value.items() if key != "do"}
        is_nested = rest.keys() == {"arguments"}
        return value["do"], rest["arguments"] if is_nested else rest
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
    given = [value[key] for key in _ARGUMENT_KEYS if key in value]
    if given:
        return name, given[0]
    return (name, {}) if len(value) == 1 else ("", None)


def _refuse_constant(text: str) -> JSONValue:
    raise ValueError(text)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice")
    return value


_DECODER = json.JSONDecoder(
    strict=False, parse_constant=_refuse_constant, object_pairs_hook=_without_duplicates
)


def _object_in(text: str) -> Any:
    """Return the object that a string of arguments holds; None where it is not just one."""
    try:
        value, end = _DECODER.raw_decode(text.strip())
    except (ValueError, RecursionError):
        return None
    return value if end == len(text.strip()) else None


_PLAIN = re.compile(r'[^"\\]+')
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")
_HIGH = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}")
_LONE = re.compile("[\ud800-\udfff]")
_PAIR = re.compile(_HIGH.pattern + r"\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_ESCAPE_BEGUN = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_SIMPLE = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))
_REPLACEMENT = "\ufffd"  # for half of a surrogate pair


class _StringReader:
    """Decodes the inside of a JSON string whose pieces come one after the other."""

    def __init__(self) -> None:
        self.has_ended = False
        self._rest = ""

    def feed(self, text: str) -> str:
        if self.has_ended:
            return ""
        text, at, read = self._rest + text, 0, []
        while at < len(text):
            if plain := _PLAIN.match(text, at):
                read.append(plain[0])
                at = plain.end()
            elif text[at] == '"':
                self.has_ended = True
                break
            else:
                piece, end = _escape(text, at)
                if end == at:
                    break
                read.append(piece)
                at = end
        self._rest = "" if self.has_ended else text[at:]
        return "".join(read)


def _escape(text: str, at: int) -> tuple[str, int]:
    """Decode the escape at `at`; return it and where it ends, which is `at` where more is needed."""
    if _ESCAPE_BEGUN.match(text, at):
        return "", at
    if pair := _PAIR.match(text, at):
        return str(json.loads(f'"{pair[0]}"')), pair.end()
    if high := _HIGH.match(text, at):
        is_open = high.end() == len(text) or _ESCAPE_BEGUN.match(text, high.end())
        return ("", at) if is_open else (_REPLACEMENT, high.end())
    if code := _UNICODE.match(text, at):
        character = chr(int(code[1], 16))
        return (_REPLACEMENT if _LONE.match(character) else character), code.end()
    return _SIMPLE.get(text[at + 1], text[at : at + 2]), at + 2
