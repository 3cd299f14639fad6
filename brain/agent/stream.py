"""What of an answer may be shown, and when, while it comes in.

Pure: pieces of text in, text to show out. Thinking is never shown; what may still turn out to be a
call is held back. Of one answer, what was shown is its text: without blanks around it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from brain.agent.native_lane import could_be_calls, read_calls
from brain.agent.tool_tags import TalkBeforeCall
from brain.records import ToolCall, ToolSpec

__all__ = ["NativeReader", "PlainText", "Reading", "ThoughtFilter"]

_NAMES = ("think", "thinking", "reasoning")
_TAG = re.compile(rf"<(/?)({'|'.join(_NAMES)})>", re.IGNORECASE)
_TAGS = tuple(f"<{slash}{name}>" for name in _NAMES for slash in ("", "/"))
_LONGEST_TAG = max(map(len, _TAGS)) + 1  # and what stands before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an answer was: the rest of it to show, its whole text, and the calls it asks for."""

    rest: str
    text: str
    calls: tuple[ToolCall, ...] = ()


class ThoughtFilter:
    """Takes thinking and its tags out of a text, however the text is cut into pieces.

    A tag right after a backtick is being written about and stays. A closing tag that nothing opened
    makes thinking of all that was before it: `take_forgotten` then says once that what was let through
    should not have been.

    `may_begin_inside`: the template writes the opening tag into the prompt, so that an answer may
    begin with thinking that nothing shows to be any. It is held until it is known: by the closing
    tag, by the end, or by `thinks_apart`. What begins with `never` is no thinking.
    """

    def __init__(self, *, may_begin_inside: bool = False, never: str = "") -> None:
        self._buffer = ""
        self._before = ""
        self._is_unsure = may_begin_inside
        self._never = never
        self._looked_at = 0
        self._is_thinking = False
        self._has_forgotten = False

    def take_forgotten(self) -> bool:
        had, self._has_forgotten = self._has_forgotten, False
        return had

    def thinks_apart(self) -> None:
        """Take it that the server keeps thinking out of the text."""
        self._is_unsure = False

    def feed(self, text: str) -> str:
        self._buffer += text
        if self._is_unsure and not self._is_sure_now():
            return ""
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

    def finish(self, *, is_cut: bool = False) -> str:
        """Return what was still held: nothing where the answer ended inside its thinking.

        An answer that may have begun inside and was cut before its end is taken for thinking.
        """
        if self._is_unsure and is_cut:
            return ""
        self._is_unsure = False
        shown = self.feed("")
        return shown if self._is_thinking else shown + self._pass(len(self._buffer))

    def _is_sure_now(self) -> bool:
        """Tell whether it is known by now what the answer began with, and drop that if it is thinking."""
        begun = self._buffer.lstrip()
        opening = _TAG.match(begun)
        is_open = opening is not None and not opening[1]
        if is_open or (self._never and begun.startswith(self._never)):
            self._is_unsure = False
            return True
        for tag in _TAG.finditer(self._buffer, self._looked_at):
            if tag[1] and not self._is_quoted(tag.start()):
                self._drop(tag.end())
                self._is_unsure = False
                return True
        self._looked_at = max(0, len(self._buffer) - _LONGEST_TAG)
        return False

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
    `tools` is held until it is known which it is. Behind talk only a tool tag begins a call; what
    is said behind that one is dropped, for it was said before anything had come of the call.
    """

    def __init__(
        self, tools: Sequence[ToolSpec], *, call_id: str = "call", may_begin_thinking: bool = False
    ) -> None:
        self._names = frozenset(tool.name for tool in tools)
        self._call_id = call_id
        self._thoughts = ThoughtFilter(may_begin_inside=may_begin_thinking)
        self._plain = PlainText()
        self._talk = TalkBeforeCall()
        self._held = ""
        self._looked_at = 0
        self._is_holding = bool(self._names)

    def feed(self, text: str) -> str:
        return self._take(self._thoughts.feed(text))

    def thinks_apart(self) -> None:
        self._thoughts.thinks_apart()

    def finish(self, *, is_cut: bool = False) -> Reading:
        rest = self._take(self._thoughts.finish(is_cut=is_cut))
        if self._is_holding and (calls := self._calls(self._held)):
            return Reading(rest="", text="", calls=calls)
        rest += self._release()
        rest += self._plain.add(self._talk.finish())
        tagged = self._talk.call
        return Reading(
            rest=rest,
            text=self._plain.text,
            calls=() if tagged is None else self._calls(tagged),
        )

    def _calls(self, text: str) -> tuple[ToolCall, ...]:
        return read_calls(text, self._names, call_id=self._call_id)

    def _take(self, text: str) -> str:
        if self._thoughts.take_forgotten():
            self._plain.forget()
            self._talk = TalkBeforeCall()
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
        return self._plain.add(self._talk.feed(text) if self._names else text)


def _unfinished_tag(text: str) -> int:
    """Return the length of the end of `text` that may be the beginning of a thinking tag."""
    at = text.rfind("<")
    if at < 0:
        return 0
    end = text[at:].lower()
    return len(end) if any(tag.startswith(end) and tag != end for tag in _TAGS) else 0
