"""Where a tag begins a call in what should have been talk: `Sure!` and then `<tool_call>{…}`.

Pure: pieces of text in, talk out. A tool tag is never shown. What stands from it on is the call, in
the model's own words, and is read as an answer that is nothing but a call. A tag in a fence, behind a
backtick, or in the middle of a line with words behind it is written about, and stays.
"""

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["TAGS", "TalkBeforeCall", "begins_tag", "is_tag_begun", "tag_at"]

TAGS: Final[Mapping[str, str]] = {
    "<tool_call>": "</tool_call>",
    "<tool_calls>": "</tool_calls>",
    "<function_call>": "</function_call>",
    "<tools>": "</tools>",
    "<function=": "</function>",
    "<|tool_call|>": "<|/tool_call|>",
    "<|python_tag|>": "<|eom_id|>",
    "[TOOL_CALLS]": "[/TOOL_CALLS]",
}
"""Each tag with which models begin a call, and the one that ends it."""

_ENOUGH: Final = 5

_WORDS: Final = ("<tool_call>", "<tool_calls>", "<function_call>", "<tools>")
"""Those that may as well be words of a text; the others are nobody's."""

_MARK = re.compile("|".join(re.escape(tag) for tag in TAGS) + "|```")
_FENCE: Final = "```"
_CALL_BEHIND = re.compile(r"\s*(?:[{\[<]|[A-Za-z_][\w.:-]{0,80}\()")
_CALL_BEHIND_BEGUN = re.compile(r"\s*(?:[A-Za-z_][\w.:-]{0,80})?\Z")


def tag_at(text: str, at: int = 0) -> str:
    """Return the tag that stands at `at`, or ""."""
    return next((tag for tag in TAGS if text.startswith(tag, at)), "")


def begins_tag(text: str) -> bool:
    """Tell whether `text` is the beginning of a tag, and not the whole of one."""
    return any(tag.startswith(text) and tag != text for tag in TAGS)


def is_tag_begun(text: str) -> bool:
    """Tell whether `text` is enough of a tag to be told from anything else."""
    return len(text) >= _ENOUGH and begins_tag(text)


class TalkBeforeCall:
    """Lets talk pass until a tool tag begins; `call` is all from there on, None where none has."""

    def __init__(self) -> None:
        self.call: str | None = None
        self._held = ""
        self._before = "\n"
        self._is_blank_line = True
        self._is_fenced = False

    def feed(self, text: str) -> str:
        """Return the talk that may be shown now."""
        if self.call is not None:
            self.call += text
            return ""
        self._held += text
        return self._scan(is_last=False)

    def finish(self) -> str:
        """Return the talk that was held."""
        return "" if self.call is not None else self._scan(is_last=True)

    def _scan(self, *, is_last: bool) -> str:
        at = 0
        while (mark := _MARK.search(self._held, at)) is not None:
            at = mark.end()
            if mark[0] == _FENCE:
                self._is_fenced ^= self._is_at_line_start(mark.start())
                continue
            begins_call = self._begins_call(mark, is_last=is_last)
            if begins_call is None:
                return self._pass(mark.start())
            if begins_call:
                return self._pass_before_call(mark.start())
        kept = len(self._held) - _unfinished(self._held)
        if is_last and not self._is_fenced and is_tag_begun(self._held[kept:]):
            return self._pass_before_call(kept)
        return self._pass(len(self._held) if is_last else kept)

    def _pass_before_call(self, length: int) -> str:
        talk = self._pass(length)
        self.call, self._held = self._held, ""
        return talk

    def _begins_call(self, mark: re.Match[str], *, is_last: bool) -> bool | None:
        """Tell whether a tag begins a call; None where what comes next will tell."""
        if self._is_fenced or self._character_before(mark.start()) == "`":
            return False
        if self._is_at_line_start(mark.start()) or mark[0] not in _WORDS:
            return True
        if _CALL_BEHIND.match(self._held, mark.end()):
            return True
        if _CALL_BEHIND_BEGUN.match(self._held, mark.end()):
            return self._held[mark.end() :].strip() == "" if is_last else None
        return False

    def _is_at_line_start(self, at: int) -> bool:
        line = self._held[self._held.rfind("\n", 0, at) + 1 : at]
        return not line.strip() and (self._is_blank_line or "\n" in self._held[:at])

    def _character_before(self, at: int) -> str:
        return self._held[at - 1] if at else self._before

    def _pass(self, length: int) -> str:
        talk, self._held = self._held[:length], self._held[length:]
        if talk:
            line = talk[talk.rfind("\n") + 1 :]
            self._is_blank_line = not line.strip() and (self._is_blank_line or "\n" in talk)
            self._before = talk[-1]
        return talk


def _unfinished(text: str) -> int:
    """Return the length of the end of `text` that may be the beginning of a mark."""
    for length in range(min(len(text), _LONGEST_MARK - 1), 0, -1):
        end = text[-length:]
        if begins_tag(end) or (_FENCE.startswith(end) and end != _FENCE):
            return length
    return 0


_LONGEST_MARK: Final = max(map(len, TAGS))
