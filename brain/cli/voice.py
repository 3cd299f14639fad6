"""Whose words a line is: the runtime's lines carry a mark that a reply cannot begin a line with.

The effects line is the runtime's word on what was saved; a model that writes one of its own must
not pass for it.
"""

from collections.abc import Sequence

from brain.channels import MARK, Unforged, below, marked
from brain.cli.inert import Inert
from brain.records import Reply

__all__ = ["MARK", "Notices", "ReplyText", "below", "marked"]


class ReplyText:
    """Takes the pieces of a reply and gives back what may be printed of them.

    They are inert, and a line that begins with the mark is moved in by a space.
    """

    def __init__(self) -> None:
        self._inert = Inert()
        self._lines = Unforged()

    def feed(self, piece: str) -> str:
        return self._lines.feed(self._inert.feed(piece))

    def finish(self) -> str:
        """Return what was held back at the end of the reply."""
        return self._lines.finish()


class Notices:
    """The notices of a talk: one that stood at the answer before is not said again.

    A model that is out of service would be told of at every answer; the record has each one. Of the
    models `told`, what the first answer says was said before the talk began.
    """

    def __init__(self, told: Sequence[str] = ()) -> None:
        self._before: frozenset[str] = frozenset()
        self._told = tuple(f"{name} " for name in told)

    def new(self, reply: Reply) -> tuple[str, ...]:
        """Return what is to be said of a reply. One that asked no model to its end changes nothing here."""
        if reply.outcome in ("command", "session", "cancelled"):
            return reply.notices
        before, self._before = self._before, frozenset(reply.notices)
        told, self._told = self._told, ()
        return tuple(
            each for each in reply.notices if each not in before and not each.startswith(told)
        )
