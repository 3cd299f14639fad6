"""What a forgotten text is searched for by: fingerprints from which it can't be read again. Pure.

A job that has to find a text after a crash must not keep the text. It keeps, of every 32 bytes of
it, a keyed hash; the key lies in a file of its own and goes with the last job. The pieces do not
overlap (but for the last one), or one that was guessed would give away the next byte, and so on.

What is searched is hashed at every offset. First roughly, a whole piece of a file at once: bytes
become numbers by the key, and the weighted sums of twelve neighbours are additions of one large
number to itself, shifted. What has the sum of a fingerprint is then hashed exactly.
"""

import codecs
import hashlib
import json
import struct
from collections.abc import Iterable, Iterator
from itertools import compress, count
from typing import Final

__all__ = ["SHORTEST", "WINDOW", "Matcher", "fingerprints_of", "is_too_short"]

WINDOW: Final = 32
"""How many bytes of a text are looked for at once."""

SHORTEST: Final = 12
"""Shorter texts can't be told apart from what is there by chance."""

_ENTRY: Final = struct.Struct("<IB8s")
_LANE_BITS: Final = 32
_SURROGATES: Final = range(0xD800, 0xE000)


def is_too_short(text: str) -> bool:
    """Tell whether a text has too few bytes to be searched for."""
    return len(text.encode(errors="replace")) < SHORTEST


def fingerprints_of(texts: Iterable[str], key: bytes) -> bytes:
    """Return the fingerprints of all forms in which these texts lie in files."""
    numbers = _numbers(key)
    entries: set[bytes] = set()
    for form in {form for text in texts for form in _forms(text)}:
        if len(form) < SHORTEST:
            continue
        sums = _sums(form, numbers)
        for start, length in _pieces(len(form)):
            piece = form[start : start + length]
            entries.add(_ENTRY.pack(sums[start], length, _digest(piece, key)))
    return b"".join(sorted(entries))


class Matcher:
    """Finds fingerprinted pieces in bytes."""

    overlap: Final = WINDOW - 1
    """How many bytes of one piece of a file have to come again before the next."""

    def __init__(self, fingerprints: bytes, key: bytes) -> None:
        self._key = key
        self._numbers = _numbers(key)
        self._lengths: dict[int, set[int]] = {}
        self._digests: set[bytes] = set()
        for first, length, digest in _ENTRY.iter_unpack(fingerprints):
            self._lengths.setdefault(first, set()).add(length)
            self._digests.add(digest)
        self._sums = frozenset(self._lengths)

    @staticmethod
    def digests(fingerprints: bytes) -> Iterator[bytes]:
        """Yield what `find` returns for each of these."""
        for _, _, digest in _ENTRY.iter_unpack(fingerprints):
            yield digest

    def find(self, content: bytes) -> set[bytes]:
        """Return the digests of the pieces that `content` holds, at any offset."""
        if len(content) < SHORTEST or not self._sums:
            return set()
        sums = _sums(content, self._numbers)
        if self._sums.isdisjoint(sums):
            return set()
        found = set()
        for start in compress(count(), map(self._sums.__contains__, sums)):
            for length in self._lengths[sums[start]]:
                digest = _digest(content[start : start + length], self._key)
                if digest in self._digests:
                    found.add(digest)
        return found


def _forms(text: str) -> Iterator[bytes]:
    """Yield a text as the database holds it, line by line (the prompt's history, a quote), in JSON."""
    lines = text.splitlines()
    forms = (text, *(lines if len(lines) > 1 else ()))
    for form in forms:
        yield form.encode(errors="replace")
    for is_ascii in (False, True):
        yield json.dumps(text, ensure_ascii=is_ascii)[1:-1].encode(errors="replace")


def _pieces(size: int) -> Iterator[tuple[int, int]]:
    """Yield start and length of the pieces of a form: one after the other, and its last bytes."""
    if size <= WINDOW:
        yield 0, size
        return
    yield from ((start, WINDOW) for start in range(0, size - WINDOW + 1, WINDOW))
    yield size - WINDOW, WINDOW


def _digest(piece: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(piece, digest_size=8, key=key).digest()


def _numbers(key: bytes) -> str:
    """Return a number of 16 bits or so for each byte, as the characters of a text."""
    drawn = struct.unpack("<256H", hashlib.shake_256(key).digest(512))
    return "".join(chr(each | 0x10000 if each in _SURROGATES else each) for each in drawn)


def _sums(content: bytes, numbers: str) -> memoryview:
    """Return the weighted sum of the SHORTEST bytes at each offset: 26 bits at most, no lane spills."""
    lanes = codecs.charmap_decode(content, "strict", numbers)[0].encode("utf-32-le")
    one = int.from_bytes(lanes, "little")
    two = one + 3 * (one >> _LANE_BITS)
    four = two + 5 * (two >> 2 * _LANE_BITS)
    eight = four + 7 * (four >> 4 * _LANE_BITS)
    twelve = eight + 11 * (four >> 8 * _LANE_BITS)
    size = len(content) - SHORTEST + 1
    return memoryview(twelve.to_bytes(len(lanes) + 4, "little")).cast("I")[:size]
