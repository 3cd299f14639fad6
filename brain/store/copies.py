"""What a copy of a store can be asked: everything in it, one row after the other."""

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from brain.records import Conversation, Note, Rehearsal, Session, Turn

__all__ = ["Copy"]


class Copy(Protocol):
    """All rows as they were at one moment, each kind in a fixed order and none kept in memory.

    `brains` leaves out what is of other brains; empty leaves out nothing. With it, a conversation
    or session is one that has a turn of those.
    """

    def conversations(self, brains: tuple[str, ...]) -> Iterator[Conversation]:
        """Yield in order of the id."""
        ...

    def sessions(self, conversation_id: str, brains: tuple[str, ...]) -> Iterator[Session]: ...

    def turns(
        self, session: Session, brains: tuple[str, ...], *, may_read_private: bool
    ) -> Iterator[Turn]: ...

    def notes(self, brains: tuple[str, ...], *, may_read_private: bool) -> Iterator[Note]:
        """Yield in order of the box (brain, scope, channel, conversation), then of the number."""
        ...

    def rehearsals(
        self, brains: tuple[str, ...], *, now: datetime, may_read_private: bool
    ) -> Iterator[Rehearsal]:
        """Yield those that have not expired, in the order of notes."""
        ...

    def close(self) -> None: ...
