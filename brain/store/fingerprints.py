"""What a forgotten text is searched for by: fingerprints from which it can't be read again. Pure.

A job that has to find a text after a crash must not keep the text. It keeps, of every 32 bytes of
it, a keyed hash; the key lies in a file of its own and goes with the last job. The pieces do not
overlap (but for the last one), or one that was guessed would give away the next byte, and so on.

What is searched is hashed at every offset. First roughly, a whole part of a file at once: bytes
become numbers by the key, and the weighted sums of neighbours are additions of one large number to
itself, shifted. What has the sum of a fingerprint is then hashed exactly.
"""

import codecs
import hashlib
import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import compress, count
from typing import Final

__all__ = ["SHORTEST", "WINDOW", "Matcher", "digests_of", "fingerprints_of", "is_too_short"]

WINDOW: Final = 32
"""How many bytes of a text are looked for at once."""

SHORTEST: Final = 12
"""Shorter texts can't be told apart from what is there by chance."""

_ENTRY: Final = struct.Struct("<IB8s")
"""The sum of its first bytes (all of WINDOW, SHORTEST of fewer, 0 below that), its length, its hash."""

_LANE_BITS: Final = 32
_NO_CHARACTERS: Final = frozenset({*range(0xD800, 0xE000), 0xFFFE})
"""Surrogates, and what the decoder takes for a byte that it does not know."""


def is_too_short(text: str) -> bool:
    """Tell whether a text has too few bytes to be searched for."""
    return len(text.encode(errors="replace")) < SHORTEST


def fingerprints_of(texts: Iterable[str], key: bytes) -> bytes:
    """Return the fingerprints of all forms in which these texts lie in files.

    One that is too short for that is told by a line that is all of it, and by nothing else.
    """
    numbers = _numbers(key)
    entries: set[bytes] = set()
    wanted = tuple(texts)
    for text in map(_whole, wanted):
        if 0 < len(text) < SHORTEST:
            entries.add(_ENTRY.pack(0, len(text), _digest(text, key)))
    for form in {form for text in wanted for form in _forms(text)}:
        if len(form) < SHORTEST:
            continue
        sums = _sums(form, numbers)
        for start, length in _pieces(len(form)):
            digest = _digest(form[start : start + length], key)
            entries.add(_ENTRY.pack(sums[_size(length)][start], length, digest))
    return b"".join(sorted(entries))


def digests_of(fingerprints: bytes) -> frozenset[bytes]:
    """Return what a matcher returns for each of these."""
    return frozenset(digest for _, _, digest in _ENTRY.iter_unpack(fingerprints))


class Matcher:
    """Finds fingerprinted pieces in bytes; with `wanted`, those of these digests alone."""

    overlap: Final = WINDOW - 1
    """How many bytes of one part of a file have to come again before the next."""

    def __init__(
        self, fingerprints: bytes, key: bytes, wanted: AbstractSet[bytes] | None = None
    ) -> None:
        self._key = key
        self._numbers = _numbers(key)
        self._pieces: dict[int, dict[int, list[tuple[int, bytes]]]] = {}
        self._short: set[bytes] = set()
        for first, length, digest in _ENTRY.iter_unpack(fingerprints):
            if length < SHORTEST:
                self._short.add(digest)
            elif wanted is None or digest in wanted:
                of_size = self._pieces.setdefault(_size(length), {})
                of_size.setdefault(first, []).append((length, digest))

    def is_short_text(self, content: bytes) -> bool:
        """Tell whether `content`, all of it but the space around, is a text too short to be searched for."""
        text = content.strip()
        return 0 < len(text) < SHORTEST and _digest(text, self._key) in self._short

    def find(self, content: bytes) -> set[bytes]:
        """Return the digests of the pieces that `content` holds, at any offset."""
        return self.find_in((content,))

    def find_in(self, parts: Iterable[bytes]) -> set[bytes]:
        """Return the same of parts that come one by one. What was found is not looked for again."""
        left = {size: set(pieces) for size, pieces in self._pieces.items()}
        found: set[bytes] = set()
        for part in parts:
            for size, start, first in self._candidates(part, left):
                pieces = self._pieces[size][first]
                found.update(self._confirmed(part, start, pieces))
                if found.issuperset(digest for _, digest in pieces):
                    left[size].discard(first)
        return found

    def places(self, content: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield where each piece begins that `content` holds, and its digest."""
        every = {size: pieces.keys() for size, pieces in self._pieces.items()}
        for size, start, first in self._candidates(content, every):
            for digest in self._confirmed(content, start, self._pieces[size][first]):
                yield start, digest

    def _candidates(
        self, content: bytes, wanted: Mapping[int, AbstractSet[int]]
    ) -> Iterator[tuple[int, int, int]]:
        """Yield where a sum is one that is wanted: for how many bytes, at which offset, which sum."""
        if len(content) < SHORTEST:
            return
        sums = _sums(content, self._numbers)
        for size, firsts in wanted.items():
            if firsts and not firsts.isdisjoint(sums[size]):
                for start in compress(count(), map(firsts.__contains__, sums[size])):
                    yield size, start, sums[size][start]

    def _confirmed(
        self, content: bytes, start: int, pieces: Iterable[tuple[int, bytes]]
    ) -> Iterator[bytes]:
        for length, digest in pieces:
            if _digest(content[start : start + length], self._key) == digest:
                yield digest


def _whole(text: str) -> bytes:
    return text.encode(errors="replace").strip()


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
    return "".join(chr(each | 0x10000 if each in _NO_CHARACTERS else each) for each in drawn)


def _size(length: int) -> int:
    """Return over how many bytes the sum of a piece of this length goes."""
    return WINDOW if length == WINDOW else SHORTEST


def _sums(content: bytes, numbers: str) -> dict[int, memoryview]:
    """Return the weighted sums of the bytes at each offset: of SHORTEST of them, and of WINDOW.

    The weights are such that no sum is larger than its 32 bits: each byte is 17 bits at most, and
    all weights of a WINDOW together are less than 2^15.
    """
    lanes = codecs.charmap_decode(content, "strict", numbers)[0].encode("utf-32-le")
    one = int.from_bytes(lanes, "little")
    two = one + 3 * (one >> _LANE_BITS)
    four = two + 5 * (two >> 2 * _LANE_BITS)
    eight = four + 7 * (four >> 4 * _LANE_BITS)
    twelve = eight + 11 * (four >> 8 * _LANE_BITS)
    sixteen = eight + 11 * (eight >> 8 * _LANE_BITS)
    window = sixteen + 13 * (sixteen >> 16 * _LANE_BITS)
    return {
        size: memoryview(sums.to_bytes(len(lanes), "little")).cast("I")[: len(content) - size + 1]
        if len(content) >= size
        else memoryview(b"").cast("I")
        for size, sums in ((SHORTEST, twelve), (WINDOW, window))
    }
