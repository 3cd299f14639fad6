"""What of an answer may be shown, and when, while it comes in.

Pure: pieces of text in, text to show out. Thinking is never shown; what may still turn out to be a
call is held back. Of one answer, what was shown is its text: without blanks around it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from brain.agent.native_lane import could_be_calls, read_calls
from brain.records import ToolCall, ToolSpec

__all__ = ["NativeReader", "PlainText", "Reading", "ThoughtFilter"]

_NAMES = ("think", "thinking", "reasoning")
_TAG = re.compile(rf"<(/?)({'|'.join(_NAMES)})>", re.IGNORECASE)
_TAGS = tuple(f"<{slash}{name}>" for name in _NAMES for slash in ("", "/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an answer was: the rest of it to show, its whole text, and the calls it asks for."""

    rest: str
    text: str
    calls: tuple[ToolCall, ...] = ()


class ThoughtFilter:
    """Takes thinking and its tags out of a text, however the text is cut into pieces.

    A tag right after a backtick is being written about and stays. A closing tag that nothing opened
    (some templates write the opening one into the prompt) makes thinking of all that was before it:
    `take_forgotten` then says once that what was let through should not have been.
    """

    def __init__(self) -> None:
        self._buffer = ""
        self._before = ""
        self._is_thinking = False
        self._has_forgotten = False

    def take_forgotten(self) -> bool:
        had, self._has_forgotten = self._has_forgotten, False
        return had

    def feed(self, text: str) -> str:
        self._buffer += text
        if not self._is_thinking and "<" not in self._buffer:
            return self._pass(len(self._buffer))
        shown = ""
        at = 0
        while (tag := _TAG.search(self._buffer, at)) is not None:
            is_closing = bool(tag.group(1))
            if self._is_thinking:
                self._buffer = self._buffer[tag.end() :]
                at, self._is_thinking = 0, not is_closing
            elif self._is_quoted(tag.start()):
                at = tag.end()
            elif is_closing:
                self._drop(tag.end())
                shown, at, self._has_forgotten = "", 0, True
            else:
                shown += self._pass(tag.start())
                self._buffer = self._buffer[tag.end() - tag.start() :]
                at, self._is_thinking = 0, True
        keep = _unfinished_tag(self._buffer)
        if self._is_thinking:
            self._drop(len(self._buffer) - keep)
            return shown
        return shown + self._pass(len(self._buffer) - keep)

    def finish(self) -> str:
        """Return what was still held: nothing where the answer ended inside its thinking."""
        if self._is_thinking:
            return ""
        return self._pass(len(self._buffer))

    def _is_quoted(self, at: int) -> bool:
        return (self._buffer[at - 1] if at else self._before) == "`"

    def _pass(self, length: int) -> str:
        shown, self._buffer = self._buffer[:length], self._buffer[length:]
        self._before = shown[-1:] or self._before
        return shown

    def _drop(self, length: int) -> None:
        self._buffer = self._buffer[length:]
        self._before = ""


class PlainText:
    """Text as it is shown: nothing before the first word, no blanks that nothing follows."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._blanks = ""

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def add(self, text: str) -> str:
        text = self._blanks + text
        if not self._parts:
            text = text.lstrip()
        shown = text.rstrip()
        self._blanks = text[len(shown) :]
        if shown:
            self._parts.append(shown)
        return shown

    def forget(self) -> None:
        self._parts.clear()
        self._blanks = ""


class NativeReader:
    """Reads one answer of a model that may call tools natively, or that has none.

    Such models now and then write a call as text. An answer that could be nothing but calls of
    `tools` is held until it is known which it is.
    """

    def __init__(self, tools: Sequence[ToolSpec], *, call_id: str = "call") -> None:
        self._names = frozenset(tool.name for tool in tools)
        self._call_id = call_id
        self._thoughts = ThoughtFilter()
        self._plain = PlainText()
        self._held = ""
        self._looked_at = 0
        self._is_holding = bool(self._names)

    def feed(self, text: str) -> str:
        return self._take(self._thoughts.feed(text))

    def finish(self) -> Reading:
        rest = self._take(self._thoughts.finish())
        if self._is_holding and (
            calls := read_calls(self._held, self._names, call_id=self._call_id)
        ):
            return Reading(rest="", text="", calls=calls)
        rest += self._release()
        return Reading(rest=rest, text=self._plain.text)

    def _take(self, text: str) -> str:
        if self._thoughts.take_forgotten():
            self._plain.forget()
            self._held, self._looked_at = "", 0
            self._is_holding = bool(self._names)
        self._held += text
        if self._is_holding and self._could_be_calls():
            return ""
        return self._release()

    def _could_be_calls(self) -> bool:
        """Look at what is held, but at a long text only now and then: each look reads all of it."""
        if len(self._held) < self._looked_at + self._looked_at // 8:
            return True
        self._looked_at = len(self._held)
        return could_be_calls(self._held, self._names)

    def _release(self) -> str:
        self._is_holding = False
        text, self._held = self._held, ""
        return self._plain.add(text)


def _unfinished_tag(text: str) -> int:
    """Return the length of the end of `text` that may be the beginning of a thinking tag."""
    at = text.rfind("<")
    if at < 0:
        return 0
    end = text[at:].lower()
    return len(end) if any(tag.startswith(end) and tag != end for tag in _TAGS) else 0
