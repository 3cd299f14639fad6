"""Receipts as rows of the database, and back."""

import json
from dataclasses import asdict

from brain.records import Receipt

__all__ = ["receipt_from", "receipt_text"]

_LISTS = ("notes", "note_ids", "tools")


def receipt_text(receipt: Receipt) -> str:
    """Return the text that a row holds of a receipt."""
    return json.dumps(asdict(receipt), separators=(",", ":"), sort_keys=True)


def receipt_from(text: str) -> Receipt:
    """Return the receipt that a row holds."""
    fields = json.loads(text)
    return Receipt(**{**fields, **{name: tuple(fields[name]) for name in _LISTS}})
