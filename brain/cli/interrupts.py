"""Ctrl-C as an event that the program answers, instead of its end."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["on_interrupt"]


@contextmanager
def on_interrupt(press: Callable[[], None]) -> Iterator[None]:
    """Call `press` on the running event loop at each Ctrl-C, while the block lasts."""
    loop = asyncio.get_running_loop()
    before = signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(press))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
