"""What goes on beside the exchanges: the config file is followed, and the owner's shell is answered."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from types import FrameType

from brain.config import control_place
from brain.errors import ConfigError, StoreError
from brain.log import get_log
from brain.records import JSONValue
from brain.runtime.control import Answer, has_sockets, open_control
from brain.runtime.outcome import Outcome, told
from brain.runtime.runtime import Runtime

__all__ = ["keep_up"]


@asynccontextmanager
async def keep_up(
    runtime: Runtime,
    *,
    environ: Mapping[str, str],
    tell: Callable[[Outcome], None],
    is_left: Callable[[], bool] = lambda: False,
) -> AsyncIterator[None]:
    """Apply each save of the config file while the block lasts, and what SIGHUP or a shell asks for.

    `tell` hears of each config that was applied or rejected. A SIGHUP that comes when `is_left()`
    says that the terminal is gone is left to whoever took that signal before.
    """
    runtime.reload.tell_to(tell)
    following = asyncio.create_task(runtime.reload.follow())
    following.add_done_callback(_say_if_it_failed)
    async with AsyncExitStack() as stack:
        stack.enter_context(_reloaded_by_hangup(runtime, is_left))
        await _open_door(stack, runtime, environ)
        try:
            yield
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


async def _open_door(stack: AsyncExitStack, runtime: Runtime, environ: Mapping[str, str]) -> None:
    """Open the socket; a brain that can't have one runs all the same and says so in its log."""
    if not has_sockets():
        return
    answers = {
        "reload": lambda: _reload(runtime),
        "status": lambda: _status(runtime),
    }
    try:
        folder, prefix = control_place(runtime.config.path, environ=environ)
        await stack.enter_async_context(open_control(folder, prefix, answers))
    except (OSError, ConfigError) as error:
        get_log("runtime").warning("no_control_socket", error=str(error))


async def _reload(runtime: Runtime) -> Answer:
    outcome = await runtime.reload.read()
    return {**_who(runtime), "reload": told(outcome)}


async def _status(runtime: Runtime) -> Answer:
    last = runtime.reload.last
    return {
        **_who(runtime),
        "models": [
            {
                "brain": brain,
                "model": standing.model,
                "state": standing.state,
                "detail": standing.detail,
                "fix": standing.fix,
            }
            for brain, standings in (await runtime.standings()).items()
            for standing in standings
        ],
        "store": await _store_of(runtime),
        "forgetting": await _forgetting_of(runtime),
        "webhooks": await _waiting(runtime),
        "last_reload": told(last) if last is not None else None,
    }


def _who(runtime: Runtime) -> dict[str, str | int]:
    config = runtime.config
    return {"pid": os.getpid(), "config": str(config.path), "revision": config.revision}


async def _waiting(runtime: Runtime) -> Sequence[Mapping[str, JSONValue]]:
    try:
        return await runtime.waiting()
    except StoreError:
        return ()  # what is said of the store tells why


async def _store_of(runtime: Runtime) -> dict[str, str | bool]:
    if runtime.config.storage is None:
        return {"is_writable": False, "detail": "this config has no storage"}
    try:
        await runtime.store.write(lambda _: None)
    except StoreError as error:
        return {"is_writable": False, "detail": error.message}
    return {"is_writable": True, "detail": str(runtime.config.storage.path)}


async def _forgetting_of(runtime: Runtime) -> dict[str, JSONValue] | None:
    """Return how the last forgetting stands; the outcome is empty while its files are not cleaned."""
    try:
        last = await runtime.store.read(lambda rows: rows.newest_forgetting())
    except StoreError:
        return None  # the line of the store says what is wrong with it
    if last is None:
        return None
    outcome = "" if last.receipt is None else last.receipt["outcome"]
    return {"id": last.forgetting_id, "kind": last.kind, "outcome": outcome}


@contextmanager
def _reloaded_by_hangup(runtime: Runtime, is_left: Callable[[], bool]) -> Iterator[None]:
    number = getattr(signal, "SIGHUP", None)
    if number is None:
        yield
        return
    loop = asyncio.get_running_loop()
    before = signal.getsignal(number)
    reloading: set[asyncio.Task[Outcome]] = set()

    def reload() -> None:
        task = asyncio.create_task(runtime.reload.read())
        reloading.add(task)
        task.add_done_callback(reloading.discard)

    def hang_up(signum: int, frame: FrameType | None) -> None:
        if is_left() and callable(before):
            before(signum, frame)
        else:
            loop.call_soon_threadsafe(reload)

    signal.signal(number, hang_up)
    try:
        yield
    finally:
        signal.signal(number, before)
        for task in reloading:
            task.cancel()


def _say_if_it_failed(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        get_log("runtime").error("config_not_followed", exc_info=error)
