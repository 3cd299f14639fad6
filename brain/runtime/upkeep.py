"""What goes on beside the exchanges: the config file is followed for as long as brain runs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from brain.log import get_log
from brain.runtime.outcome import Outcome
from brain.runtime.runtime import Runtime

__all__ = ["keep_up"]


@asynccontextmanager
async def keep_up(runtime: Runtime, *, tell: Callable[[Outcome], None]) -> AsyncIterator[None]:
    """Apply each save of the config file while the block lasts.

    `tell` hears of each config that was applied or rejected.
    """
    runtime.reload.tell_to(tell)
    following = asyncio.create_task(runtime.reload.follow())
    following.add_done_callback(_say_if_it_failed)
    try:
        yield
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


def _say_if_it_failed(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        get_log("runtime").error("config_not_followed", exc_info=error)
