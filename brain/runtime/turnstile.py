"""One exchange at a time per conversation; others wait in the order they came."""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from brain.errors import BrainError

__all__ = ["TooManyWaiting", "Turnstile"]


class TooManyWaiting(BrainError):
    """The queue of a conversation is full; the message was not taken up."""


class Turnstile:
    """Lets one exchange of each conversation pass at a time, first come first served.

    `waiting_at_most` bounds how many may wait behind the one that is inside.
    """

    def __init__(self, *, waiting_at_most: int) -> None:
        self._waiting_at_most = waiting_at_most
        self._locks: dict[Hashable, asyncio.Lock] = {}
        self._present: dict[Hashable, int] = {}

    def is_free(self, key: Hashable) -> bool:
        """Tell whether an exchange of `key` could pass without waiting."""
        return key not in self._present

    @asynccontextmanager
    async def enter(self, key: Hashable) -> AsyncIterator[None]:
        """Wait for this exchange's turn and keep it until the block ends.

        Raises TooManyWaiting at once when `waiting_at_most` are waiting already.
        """
        present = self._present.get(key, 0)
        if present > self._waiting_at_most:
            raise TooManyWaiting(
                f"{self._waiting_at_most} messages of this conversation are waiting already; "
                "this one was not taken up",
                fix="send it again when an answer has come",
            )
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._present[key] = present + 1
        try:
            async with lock:
                yield
        finally:
            self._present[key] -= 1
            if not self._present[key]:
                del self._present[key], self._locks[key]
