"""How far something long is, on stderr: one line that moves at a terminal, else a line now and then."""

import sys
from types import TracebackType
from typing import Final, Self

from brain.cli.inert import inert
from brain.cli.table import ERASED, one_row
from brain.cli.talk import warn

__all__ = ["Progress", "progress_text"]

_MEGABYTE: Final = 1_000_000
_STEPS: Final = 10
"""Without a terminal a line is written at each tenth, so that a log stays short."""


class Progress:
    """Shows what `tell` is told, until the block ends. One that `is_plain` redraws nothing."""

    def __init__(self, *, is_plain: bool = False) -> None:
        self._is_moving = sys.stderr.isatty() and not is_plain
        self._has_shown = False
        self._said: tuple[str, int] = ("", -1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._has_shown:
            print(file=sys.stderr, flush=True)

    def tell(self, note: str, done_bytes: int, total_bytes: int) -> None:
        """Show that `done_bytes` of `total_bytes` are there; 0 for what is not known."""
        if self._is_moving:
            self._move(inert(progress_text(note, done_bytes, total_bytes)).replace("\n", " "))
            return
        step = done_bytes * _STEPS // total_bytes if total_bytes > 0 else 0
        if (note, step) != self._said:
            self._said = (note, step)
            warn(progress_text(note, done_bytes, total_bytes))

    def _move(self, text: str) -> None:
        self._has_shown = True
        print(f"{ERASED}{one_row(text)}", end="", file=sys.stderr, flush=True)


def progress_text(note: str, done_bytes: int, total_bytes: int) -> str:
    """Return `note`, and how much of how much is there, in whole megabytes, where that is known."""
    done, total = max(0, done_bytes) // _MEGABYTE, total_bytes // _MEGABYTE
    if total_bytes <= 0:
        return f"{done} MB  {note}" if done else note
    percent = min(100, max(0, done_bytes) * 100 // total_bytes)
    return f"{percent:>3} %  {done} of {total} MB  {note}"
