"""Whose words a line is: the runtime's lines carry a mark that a reply cannot begin a line with.

The effects line is the runtime's word on what was saved; a model that writes one of its own must
not pass for it.
"""

from typing import Final

from brain.records import Reply

__all__ = ["MARK", "Unforged", "below", "marked"]

MARK: Final = "[brain]"


class Unforged:
    """Takes the pieces of a reply; a line of it that begins with the mark is moved in by a space."""

    def __init__(self) -> None:
        self._held = ""
        self._is_at_start = True

    def feed(self, piece: str) -> str:
        """Return what may be shown by now."""
        return "".join(self._take(character) for character in piece)

    def finish(self) -> str:
        """Return what was held back at the end of the reply."""
        held, self._held = self._held, ""
        return held

    def _take(self, character: str) -> str:
        if not self._is_at_start:
            self._is_at_start = character == "\n"
            return character
        self._held += character
        if self._held.casefold() == MARK:
            self._is_at_start = False
            return " " + self.finish()
        if MARK.startswith(self._held.casefold()):
            return ""
        self._is_at_start = character == "\n"
        return self.finish()


def marked(text: str) -> str:
    """Return a line of the runtime, with its mark."""
    return f"{MARK} {text}"


def below(reply: Reply) -> tuple[str, ...]:
    """Return what the runtime says of what was saved: the effects, or the truth of a claim; marked."""
    lines = [effect.told(reply.reader) for effect in reply.effects]
    return tuple(marked(line) for line in (*lines, reply.truth) if line)
