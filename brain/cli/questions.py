"""A question at the terminal, to whose answer Ctrl-C is one at any moment."""

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from brain.cli.inert import inert
from brain.cli.talk import warn

__all__ = ["ask_number", "ask_yes"]

_STDIN: Final = 0
_ANSWERS: Final = {"y": True, "yes": True, "n": False, "no": False}


def ask_yes(question: str, *, default: bool) -> bool:
    """Return the answer to a question of yes or no. Raises click.Abort at Ctrl-C and at Ctrl-D."""
    while True:
        answer = _ask(f"{question} [{'Y/n' if default else 'y/N'}]: ").lower()
        if not answer:
            return default
        if answer in _ANSWERS:
            return _ANSWERS[answer]
        warn("y or n is understood")


def ask_number(question: str, *, at_most: int) -> int:
    """Return a number from 1, which is the default, to `at_most`. Raises click.Abort as `ask_yes` does."""
    while True:
        answer = _ask(f"{question} [1]: ") or "1"
        if answer.isdecimal() and len(answer) <= len(str(at_most)) and 1 <= int(answer) <= at_most:
            return int(answer)
        warn(f"a number from 1 to {at_most} is understood")


def _ask(question: str) -> str:
    try:
        with _interrupts() as woken:
            print(inert(question), end="", file=sys.stderr, flush=True)
            # A read would wait for a line though Ctrl-C was pressed just before it began.
            while woken is not None and _STDIN not in select.select([_STDIN, woken], [], [])[0]:
                os.read(woken, 1)
            line = sys.stdin.buffer.readline()
    except KeyboardInterrupt:
        line = b""
    if not line:
        warn("")  # what is said next begins its line
        raise click.Abort
    return line.decode("utf-8", errors="replace").strip()


@contextmanager
def _interrupts() -> Iterator[int | None]:
    """Let Ctrl-C raise KeyboardInterrupt, and yield what can be read once it was pressed.

    On Windows, where only sockets can be waited for, there is no such thing.
    """
    if sys.platform == "win32":
        yield None
        return
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    former_wakes = signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    former = signal.getsignal(signal.SIGINT)
    if callable(former):  # else whoever started this keeps Ctrl-C from it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield woken
    finally:
        signal.signal(signal.SIGINT, former)
        signal.set_wakeup_fd(former_wakes)
        os.close(woken)
        os.close(wakes)
