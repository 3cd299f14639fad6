"""Receipts as rows of the database, and back."""

import json
from dataclasses import fields
from operator import attrgetter
from typing import Final

from brain.records import Receipt

__all__ = ["receipt_from", "receipt_text"]

_LISTS: Final = ("notes", "note_ids", "tools")
_NAMES: Final = tuple(sorted(field.name for field in fields(Receipt)))
_VALUES: Final = attrgetter(*_NAMES)
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), sort_keys=True)


def receipt_text(receipt: Receipt) -> str:
    """Return the text that a row holds of a receipt."""
    return _ENCODER.encode(dict(zip(_NAMES, _VALUES(receipt), strict=True)))


def receipt_from(text: str) -> Receipt:
    """Return the receipt that a row holds."""
    kept = json.loads(text)
    return Receipt(**{**kept, **{name: tuple(kept[name]) for name in _LISTS}})
