"""Ctrl-C: the end of the program at once, its orderly end, or an event that it answers."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["on_interrupt", "run_to_end"]

T = TypeVar("T")


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` on an event loop; from now on Ctrl-C ends it orderly instead of at once.

    An interrupt that Python raises wherever it stands gets lost where it stands in an import.
    """
    if callable(signal.getsignal(signal.SIGINT)):  # else whoever started this keeps Ctrl-C from it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return asyncio.run(work)


@contextmanager
def on_interrupt(press: Callable[[], None]) -> Iterator[None]:
    """Call `press` on the running event loop at each Ctrl-C, while the block lasts."""
    loop = asyncio.get_running_loop()
    before = signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(press))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
