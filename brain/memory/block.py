"""The notes block of a prompt, and what it costs. Pure.

The box and the prompt use the same block and the same guess of tokens, so that a note which was
stored is a note that fits.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from brain.config import NOTES_HEADER
from brain.records import Note
from brain.tokens import estimate_tokens

__all__ = ["notes_block", "tokens_with"]

_WIDEST_NUMBER: Final = 2**63 - 1  # what the store can give at most


def notes_block(notes: Sequence[Note]) -> str:
    """Return the stored notes as data, numbered as `/notes` numbers them; empty for an empty box."""
    return _block((note.number, note.text) for note in notes) if notes else ""


def tokens_with(texts: Iterable[tuple[int, str]], text: str) -> int:
    """Return what the block would cost with `text` behind the numbered `texts` it has.

    The number of the new note is not known yet and counts as the longest there can be.
    """
    return estimate_tokens(_block([*texts, (_WIDEST_NUMBER, text)]))


def _block(numbered: Iterable[tuple[int, str]]) -> str:
    return "\n".join([NOTES_HEADER, *(f"{number}. {text}" for number, text in numbered)])
