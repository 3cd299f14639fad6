"""One exchange at a time per conversation; others wait in the order they came."""

import asyncio
from collections import deque
from collections.abc import Hashable
from types import TracebackType
from typing import Self

from brain.counts import counted
from brain.errors import BrainError

__all__ = ["Place", "TooManyWaiting", "Turnstile"]


class TooManyWaiting(BrainError):
    """The queue of a conversation is full; the message was not taken up."""

    public = (
        "too many messages of this conversation are waiting already, and this one was not taken up; "
        "send it again when an answer has come"
    )


class Place:
    """A place in the queue of one conversation, kept until its block ends."""

    def __init__(self, queue: "deque[Place]", leave: "Turnstile", key: Hashable) -> None:
        self._queue = queue
        self._turnstile = leave
        self._key = key
        self._turn: asyncio.Future[None] | None = None

    @property
    def is_first(self) -> bool:
        return self._queue[0] is self

    async def wait(self) -> None:
        """Return when it is this exchange's turn."""
        if not self.is_first:
            self._turn = asyncio.get_running_loop().create_future()
            await self._turn

    def call(self) -> None:
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._turnstile.leave(self, self._key)


class Turnstile:
    """Lets one exchange of each conversation pass at a time, first come first served.

    `waiting_at_most` bounds how many may wait behind the one that is inside.
    """

    def __init__(self, *, waiting_at_most: int) -> None:
        self._waiting_at_most = waiting_at_most
        self._queues: dict[Hashable, deque[Place]] = {}

    def join(self, key: Hashable) -> Place:
        """Take the next place of `key`'s queue, at once; use it as a `with` block.

        Raises TooManyWaiting when `waiting_at_most` are waiting already.
        """
        queue = self._queues.setdefault(key, deque())
        if len(queue) > self._waiting_at_most:
            raise TooManyWaiting(
                counted(
                    self._waiting_at_most,
                    "message of this conversation is waiting already",
                    "messages of this conversation are waiting already",
                )
                + "; this one was not taken up",
                fix="send it again when an answer has come",
            )
        place = Place(queue, self, key)
        queue.append(place)
        return place

    def leave(self, place: Place, key: Hashable) -> None:
        queue = self._queues[key]
        queue.remove(place)
        if queue:
            queue[0].call()
        else:
            del self._queues[key]
