"""The hash that chains an event to the one before it. Pure.

`hash` is the SHA-256, in lower-case hexadecimal, of `prev` (its 64 hexadecimal digits as ASCII)
followed by the row: a JSON array of the fields from `v` to `codes` in the order of FIELDS, UTF-8,
without spaces, non-ASCII characters as themselves, absent values null. Objects in it have their
keys sorted by code point. There are strings, integers, null, and arrays and objects of those; a
fact that is true is 1, one that is false 0. The first event's `prev` is 64 zeros.
"""

import hashlib
import json
from typing import Final

from brain.activity.events import FIELDS
from brain.store import EventRow

__all__ = ["FIRST_PREV", "canonical", "hash_of"]

FIRST_PREV: Final = "0" * 64

_CHAINED: Final = FIELDS[:-2]

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def canonical(row: EventRow) -> bytes:
    """Return the bytes of `row` that are chained: all of it but `prev` and `hash`."""
    return _ENCODER.encode([row[name] for name in _CHAINED]).encode("utf-8", "surrogatepass")


def hash_of(prev: str, row: EventRow) -> str:
    """Return the hash of `row` behind an event with hash `prev`."""
    return hashlib.sha256(prev.encode("ascii", "replace") + canonical(row)).hexdigest()
