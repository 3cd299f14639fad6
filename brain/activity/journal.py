"""Events of an exchange that ride in its next commit, where nothing has to wait for them."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from brain.activity.events import Draft
from brain.activity.recorder import Recorder
from brain.store import Store, Transaction

__all__ = ["Journal"]

T = TypeVar("T")


class Journal:
    """All writes of one exchange go through here, so that no pending event is left behind.

    Not shared between exchanges. Call `commit` last with a change that does nothing, if need be.
    """

    def __init__(self, *, store: Store, recorder: Recorder) -> None:
        self._store = store
        self._recorder = recorder
        self._pending: list[Draft] = []

    @property
    def recorder(self) -> Recorder:
        """What appends an event inside a change, where it depends on what the change finds."""
        return self._recorder

    @property
    def pending(self) -> tuple[Draft, ...]:
        return tuple(self._pending)

    def add(self, draft: Draft) -> None:
        """Let `draft` ride in the next commit."""
        self._pending.append(draft)

    async def commit(self, change: Callable[[Transaction], T]) -> T:
        """Write the pending events, then `change`, in one transaction; return what it returned.

        If the write fails, the pending events stay pending; if the caller was cancelled and the
        write was committed all the same, they do not, so that none is written twice.
        """
        riding = tuple(self._pending)

        def write(tx: Transaction) -> T:
            for draft in riding:
                self._recorder.append(tx, draft)
            return change(tx)

        try:
            result = await self._store.write(write)
        except asyncio.CancelledError as stop:
            if stop.__cause__ is None:
                del self._pending[: len(riding)]
            raise
        del self._pending[: len(riding)]
        return result
