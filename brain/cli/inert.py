"""Text that others wrote, made safe to print: a terminal shows it and obeys nothing in it.

Removed are control sequences (ESC, CSI, OSC, DCS and kin, in their 7-bit and 8-bit forms), every
other control character but the line break and the tab, bidirectional overrides and isolates, which
show text in another order than it is written, and tag characters, which hide text. Halves of
surrogate pairs, which no encoding can print, become U+FFFD.
"""

from typing import Literal

__all__ = ["Inert", "inert"]

_State = Literal["text", "escape", "sequence", "string"]

_KEPT = frozenset("\n\t")
_CSI = "\x9b"
_STRING_STARTS = frozenset("\x90\x98\x9d\x9e\x9f")
_STRING_STARTS_AFTER_ESCAPE = frozenset("PX]^_")
_STRING_ENDS = frozenset("\x07\x9c\n")
"""A line break ends a string as well: an unfinished one must not swallow what comes after."""

_LONGEST_SEQUENCE = 64


class Inert:
    """Takes pieces of a text and gives back what may be printed of them.

    A sequence may be cut anywhere between two pieces.
    """

    def __init__(self) -> None:
        self._state: _State = "text"
        self._length = 0

    def feed(self, piece: str) -> str:
        return "".join(self._take(character) for character in piece)

    def _take(self, character: str) -> str:
        match self._state:
            case "text":
                return self._in_text(character)
            case "escape":
                return self._in_escape(character)
            case "sequence":
                return self._in_sequence(character)
            case "string":
                return self._in_string(character)

    def _in_text(self, character: str) -> str:
        if character == "\x1b":
            self._enter("escape")
        elif character == _CSI:
            self._enter("sequence")
        elif character in _STRING_STARTS:
            self._enter("string")
        elif "\ud800" <= character <= "\udfff":
            return "\ufffd"
        elif not _is_removed(character):
            return character
        return ""

    def _in_escape(self, character: str) -> str:
        if character == "[":
            self._enter("sequence")
        elif character in _STRING_STARTS_AFTER_ESCAPE:
            self._enter("string")
        elif " " <= character <= "/":
            self._enter("escape")  # an intermediate byte: the end is still to come
        elif "0" <= character <= "~":
            self._enter("text")
        else:
            return self._again(character)
        return ""

    def _in_sequence(self, character: str) -> str:
        self._length += 1
        if self._length > _LONGEST_SEQUENCE or not " " <= character <= "~":
            return self._again(character)
        if character >= "@":
            self._enter("text")
        return ""

    def _in_string(self, character: str) -> str:
        if character == "\x1b":
            self._enter("escape")  # ESC \ ends the string; any other sequence does so too
        elif character in _STRING_ENDS:
            self._enter("text")
            return "\n" if character == "\n" else ""
        return ""

    def _enter(self, state: _State) -> None:
        self._state = state
        self._length = 0

    def _again(self, character: str) -> str:
        """A character that no sequence can hold ends it and is looked at as text."""
        self._enter("text")
        return self._in_text(character)


def inert(text: str) -> str:
    """Return what may be printed of a whole text. What is inert already comes back as it is."""
    return Inert().feed(text)


def _is_removed(character: str) -> bool:
    return (
        (character < " " and character not in _KEPT)
        or "\x7f" <= character <= "\x9f"
        or "\u202a" <= character <= "\u202e"
        or "\u2066" <= character <= "\u2069"
        or "\U000e0000" <= character <= "\U000e007f"
    )
