"""Rows as lined-up text, right for characters that take two places."""

import os
import shutil
import unicodedata
from collections.abc import Sequence
from typing import Final

from brain.cli.inert import inert

__all__ = ["ERASED", "columns", "is_dumb", "one_row", "width"]

ERASED: Final = "\r\x1b[K"
"""What leaves nothing on the row of a terminal where the cursor is, and puts it at its beginning."""

_GAP = "  "
_WIDEST_COLUMN = 60


def columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line for the head and one for each row, every column but the last lined up.

    A cell is one line: breaks in it become spaces. A very long cell pushes its own line alone.
    """
    table = [[_one_line(cell) for cell in row] for row in (head, *rows)]
    widths = [
        max((width(row[at]) for row in table if width(row[at]) <= _WIDEST_COLUMN), default=0)
        for at in range(len(head))
    ]
    return [
        _GAP.join(
            cell + " " * max(0, wide - width(cell)) for cell, wide in zip(row, widths, strict=True)
        ).rstrip()
        for row in table
    ]


def width(text: str) -> int:
    """Return how many places of a terminal a text takes."""
    return sum(_places(character) for character in text)


def one_row(text: str) -> str:
    """Return as much of a text as stands on one row of this terminal: of two, one could be erased."""
    places = shutil.get_terminal_size().columns - 1  # behind the last one the cursor may go on
    while text and width(text) > places:
        text = text[:-1]
    return text


def is_dumb() -> bool:
    """Tell whether this terminal says that nothing can be redrawn on it."""
    return os.environ.get("TERM") == "dumb"


def _places(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _one_line(text: str) -> str:
    return " ".join(inert(text).split())
