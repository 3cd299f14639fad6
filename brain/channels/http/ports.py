"""What the HTTP channel is handed by whoever runs it."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Protocol

from brain.activity import FeedItem
from brain.config import Config
from brain.records import Inbound, JSONValue, Reply

__all__ = ["Doors", "EventRow"]

EventRow = Mapping[str, JSONValue]


class Doors(Protocol):
    """The doors of one running brain. Each raises BrainErrors only."""

    @property
    def config(self) -> Config:
        """The config in force; a reload puts another one in its place."""
        ...

    async def handle(self, inbound: Inbound, on_text: Callable[[str], None] | None = None) -> Reply:
        """Answer one message. A failure is a reply; cancelling the call stops the answer."""
        ...

    async def ready(self) -> Mapping[str, JSONValue]:
        """Return how everything stands; `status` is `ready` or `not_ready`."""
        ...

    async def brains(self) -> Sequence[Mapping[str, JSONValue]]:
        """Return the brains with their channels, models and proofs."""
        ...

    async def events(
        self, *, after: int | None, types: tuple[str, ...], brain: str, limit: int
    ) -> tuple[tuple[EventRow, ...], int]:
        """Return events in order of seq, and the seq of the head.

        The first `limit` behind `after`; where that is None, the newest `limit`.
        """
        ...

    async def head(self) -> int: ...

    def follow(
        self, *, after: int, types: tuple[str, ...] = (), brain: str = ""
    ) -> AsyncGenerator[FeedItem, None]:
        """Yield each event behind `after`, and wait for more. Close it with `aclosing`."""
        ...
