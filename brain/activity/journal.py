"""Events of an exchange that ride in its next commit, where nothing has to wait for them."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from brain.activity.events import Draft
from brain.activity.recorder import Recorder
from brain.errors import StoreError
from brain.log import get_log
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

    async def commit(
        self, change: Callable[[Transaction], T], on_kept: Callable[[T], None] | None = None
    ) -> T:
        """Write the pending events, then `change`, in one transaction; return what it returned.

        The first commit after the database took none says so first, with an event of its own.
        `on_kept` gets the same once it is committed, also where the caller was cancelled meanwhile.

        If the write fails, the pending events stay pending; if the caller was cancelled and the
        write was committed all the same, they do not, so that none is written twice.
        """
        riding = tuple(self._pending)
        came_of: list[T] = []

        def write(tx: Transaction) -> T:
            losses = tx.take_losses()
            if losses:
                recovered = Draft(type="store_recovered", counts={"writes_failed": losses})
                self._recorder.append(tx, recovered)
            for draft in riding:
                self._recorder.append(tx, draft)
            came_of[:] = [change(tx)]  # the last time it is run is the one that is committed
            return came_of[0]

        def conclude() -> None:
            del self._pending[: len(riding)]
            if on_kept is not None:
                on_kept(came_of[0])

        try:
            result = await self._store.write(write)
        except asyncio.CancelledError as stop:
            if stop.__cause__ is None:
                conclude()
            raise
        conclude()
        if self._recorder.anchor.is_due(self._recorder.newest_seq):
            await self._keep_anchor()
        return result

    async def _keep_anchor(self) -> None:
        """Anchor the head; the events are committed, so that a failure is the operator's to read."""
        try:
            await self._recorder.anchor.keep_up(self._store)
        except StoreError as error:
            get_log("activity").error("anchor_failed", message=error.message, fix=error.fix)
