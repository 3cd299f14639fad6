"""Where a tag begins a call in what should have been talk: `Sure!` and then `<tool_call>{…}`.

Pure: pieces of text in, talk out. A tool tag is never shown. What stands from it on is the call, in
the model's own words, and is read as an answer that is nothing but a call. A tag in a fence, behind a
backtick, or in the middle of a line with words behind it is written about, and stays.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = [
    "LABELS", "TAGS", "Marks", "TalkBeforeCall", "begins_mark", "begins_tag", "is_tag_begun",
    "past_marks", "tag_at",
]  # fmt: skip

TAGS: Final[Mapping[str, str]] = {
    "<tool_call>": "</tool_call>",
    "<tool_calls>": "</tool_calls>",
    "<function_call>": "</function_call>",
    "<tools>": "</tools>",
    "<function=": "</function>",
    "<function_calls>": "</function_calls>",
    "<invoke name=": "</invoke>",
    "<tool_code>": "</tool_code>",
    "<toolcall>": "</toolcall>",
    "<start_function_call>": "<end_function_call>",
    "<|tool_call|>": "<|/tool_call|>",
    "<|tool_call_start|>": "<|tool_call_end|>",
    "<|tool_calls_section_begin|>": "<|tool_calls_section_end|>",
    "<｜tool▁calls▁begin｜>": "<｜tool▁calls▁end｜>",
    "<|channel|>commentary to=": "<|call|>",
    "<|python_tag|>": "<|eom_id|>",
    "[tool_calls]": "[/tool_calls]",
}
"""Each tag with which models begin a call, and the one that ends it, in lower case."""

LABELS: Final = ("json", "xml", "tool_calls", "tool_call", "tool_code", "tool", "function")
"""What may stand behind the backticks of a fence that holds a call."""

_ENOUGH: Final = 5

_WORDS: Final = (
    "<tool_call>", "<tool_calls>", "<function_call>", "<function_calls>", "<tools>", "<tool_code>",
    "<toolcall>",
)  # fmt: skip
"""Those that may as well be words of a text; the others are nobody's."""

_LONGEST_MARK: Final = max(map(len, TAGS))
_MARK = re.compile("|".join(re.escape(tag) for tag in TAGS) + "|```", re.IGNORECASE)
_BLANKS = re.compile(r"[\s;,]+")
_FENCE_LINE = re.compile(rf"```[ \t]*(?:{'|'.join(LABELS)})?(?=[\s{{\[<(]|\Z)", re.IGNORECASE)
_CLOSING = re.compile(
    "|".join(map(re.escape, TAGS.values())) + r"|</[a-z_]+>|<\|/?[a-z_]+\|>|</s>", re.IGNORECASE
)
_BEGUN = re.compile(r"`{1,2}|```[ \t]*[a-z_]*|</[a-z_]*|<\|/?[a-z_]*\|?", re.IGNORECASE)
_FENCE: Final = "```"
_BEGINNINGS: Final = ("<", "[", "`")
_CALL_BEHIND = re.compile(r"\s*(?:[{\[<]|[A-Za-z_][\w.:-]{0,80}\()")
_CALL_BEHIND_BEGUN = re.compile(r"\s*(?:[A-Za-z_][\w.:-]{0,80})?\Z")


def tag_at(text: str, at: int = 0) -> str:
    """Return the tag that stands at `at`, or ""."""
    begun = text[at : at + _LONGEST_MARK].lower()
    return next((tag for tag in TAGS if begun.startswith(tag)), "")


def begins_tag(text: str) -> bool:
    """Tell whether `text` is the beginning of a tag, and not the whole of one."""
    begun = text[:_LONGEST_MARK].lower()
    return any(tag.startswith(begun) and tag != begun for tag in TAGS)


def is_tag_begun(text: str) -> bool:
    """Tell whether `text` is enough of a tag to be told from anything else."""
    return len(text) >= _ENOUGH and begins_tag(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Marks around calls: where they end, whether a tag is open behind them (None: none was), or was."""

    end: int
    is_tagged: bool | None
    has_tag: bool


def past_marks(text: str, at: int = 0) -> Marks:
    """Read blanks, tags, and lines of fences from `at` on."""
    is_tagged: bool | None = None
    has_tag = False
    while at < len(text):
        if tag := tag_at(text, at):
            at += len(tag)
            is_tagged = has_tag = True
        elif closing := _CLOSING.match(text, at):
            at, is_tagged = closing.end(), False
        elif mark := (_BLANKS.match(text, at) or _FENCE_LINE.match(text, at)):
            at = mark.end()
        else:
            break
    return Marks(end=at, is_tagged=is_tagged, has_tag=has_tag)


def begins_mark(text: str) -> bool:
    """Tell whether `text` may still become a mark, or a tag."""
    if begins_tag(text):
        return True
    begun = _BEGUN.fullmatch(text)
    label = text.lstrip("`").strip().lower()
    is_fence = text.startswith(_FENCE) and bool(label)
    return begun is not None and (not is_fence or any(one.startswith(label) for one in LABELS))


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
        if not any(mark in self._held for mark in _BEGINNINGS):
            return self._pass(len(self._held))
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
        if self._is_at_line_start(mark.start()) or mark[0].lower() not in _WORDS:
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
    if text.endswith("`"):
        return 0 if text.endswith(_FENCE) else len(text) - len(text.rstrip("`"))
    at = max(text.rfind("<"), text.rfind("["))
    return len(text) - at if at >= 0 and begins_tag(text[at:]) else 0
