"""A sign of life on the line where an answer will begin, for as long as it has not begun."""

import asyncio
import sys
from itertools import cycle
from typing import Final

from brain.cli.table import ERASED, one_row
from brain.cli.talk import say_inert
from brain.clock import Clock

__all__ = ["Sign", "sign_text"]

QUIET_SECONDS: Final = 0.5
"""How long nothing is shown: most answers have begun by then, and a flicker says nothing."""

STEP_SECONDS: Final = 0.1
_SECONDS_SHOWN_FROM: Final = 3
_FRAMES: Final = ("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\")  # the second where the terminal can't show the first


class Sign:
    """Moves on one line of the terminal until `clear`. One that is not `is_moving` shows nothing."""

    def __init__(self, *, clock: Clock, is_moving: bool) -> None:
        self._clock = clock
        self._is_moving = is_moving
        self._is_awaited = False
        self._is_shown = False

    def begin(self) -> "asyncio.Task[None]":
        """Show from now on that an answer is awaited, and for how long, until `clear` is called."""
        self._is_awaited = self._is_moving
        return asyncio.create_task(self._move())

    async def _move(self) -> None:
        began, frames = self._clock.monotonic(), cycle(_frames())
        await self._clock.sleep(QUIET_SECONDS)
        while self._is_awaited:
            self._is_shown = True
            seconds = self._clock.monotonic() - began
            say_inert(f"{ERASED}{one_row(sign_text(next(frames), seconds))}", end="")
            await self._clock.sleep(STEP_SECONDS)

    def clear(self) -> None:
        """Leave the line as it was: something is about to be written there."""
        self._is_awaited = False
        if self._is_shown:
            self._is_shown = False
            say_inert(ERASED, end="")


def sign_text(frame: str, seconds: float) -> str:
    """Return the line: the moving sign, and after a while how long it has been and what ends it."""
    if seconds < _SECONDS_SHOWN_FROM:
        return frame
    return f"{frame} {int(seconds)} s  Ctrl-C cancels"


def _frames() -> str:
    fine, plain = _FRAMES
    try:
        fine.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return plain
    return fine
