"""What is typed while nobody asks for it: kept by the terminal, shown where it is read."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

__all__ = ["without_echo"]

_LOCAL_MODES: Final = 3


@contextmanager
def without_echo(descriptor: int) -> Iterator[None]:
    """Let the terminal at `descriptor` not show what is typed, while the block lasts.

    It would stand amid an answer, and a line of it would leave what moves there behind for good. The
    next prompt reads and shows it. Afterwards the terminal is as it was before. Windows shows nothing
    of it anyway.
    """
    before = None if sys.platform == "win32" else _modes(descriptor)
    if before is None:
        yield
        return
    # A shell shows typing again when this is stopped by Ctrl-Z, and leaves it so when it goes on.
    former = signal.signal(signal.SIGCONT, lambda *_: _stop_echo(descriptor))
    try:
        _stop_echo(descriptor)
        yield
    finally:
        signal.signal(signal.SIGCONT, former)
        _set(descriptor, before)


def _modes(descriptor: int) -> list[Any] | None:
    import termios

    try:
        return termios.tcgetattr(descriptor)
    except termios.error:  # no terminal, or one that was closed
        return None


def _stop_echo(descriptor: int) -> None:
    import termios

    modes = _modes(descriptor)
    if modes is not None:
        # Whole lines are not waited for either: Ctrl-D comes as the key that a prompt knows.
        modes[_LOCAL_MODES] &= ~(termios.ECHO | termios.ICANON)
        _set(descriptor, modes)


def _set(descriptor: int, modes: list[Any]) -> None:
    """Change the terminal's settings, unless it is gone, or others have it now, who set their own."""
    import termios

    with suppress(OSError, termios.error):
        if os.tcgetpgrp(descriptor) == os.getpgrp():
            termios.tcsetattr(descriptor, termios.TCSANOW, modes)
