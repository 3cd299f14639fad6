"""The chunks of a body that came together, joined into one before h11 reads them. Pure.

h11 spends more on a chunk than is spent on all of its text. It still reads the head, a size before
all of the body, and the end; whatever is not written in the plainest way goes to it as it came.
"""

import re
from typing import Final

__all__ = ["Chunks"]

_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,6})\r\n")
_LINE_END: Final = b"\r\n"
_HELD_BYTES: Final = 64 * 1024  # a chunk that is longer than this is not waited for


class Chunks:
    """What is received, on its way to h11. As long as it is not begun everything passes."""

    def __init__(self) -> None:
        self._held = b""
        self._is_joining = False

    def begin(self) -> None:
        """Join from here on: what comes next is the first byte of a body that comes in chunks."""
        self._is_joining = True

    def take(self, received: bytes) -> bytes:
        """Return what h11 may have now; nothing where the end of a chunk has to be waited for."""
        if not self._is_joining:
            return received
        received = self._held + received
        whole, at = _whole_chunks(received)
        self._held = received[at:]
        if not _is_beginning(self._held):
            self._is_joining = False
            return b"".join((_as_one(whole), self.rest()))
        return _as_one(whole)

    def rest(self) -> bytes:
        """Return what is held, and end the joining: nothing more comes, or nothing to be joined."""
        rest, self._held, self._is_joining = self._held, b"", False
        return rest


def _whole_chunks(received: bytes) -> tuple[list[bytes], int]:
    """Return the contents of the chunks that have come whole, and where the next one begins."""
    whole: list[bytes] = []
    at = 0
    while (size := _SIZE.match(received, at)) is not None:
        begin = size.end()
        end = begin + int(size[1], 16)
        if end == begin or received[end : end + 2] != _LINE_END:
            break
        whole.append(received[begin:end])
        at = end + 2
    return whole, at


def _is_beginning(held: bytes) -> bool:
    """Tell whether this is the beginning of a chunk that can be waited for, and may be joined."""
    if len(held) > _HELD_BYTES:
        return False
    size = _SIZE.match(held)
    if size is None:
        return not held
    length = int(size[1], 16)
    end = held[size.end() + length :]
    return bool(length) and _LINE_END.startswith(end)


def _as_one(whole: list[bytes]) -> bytes:
    content = b"".join(whole)
    return b"%x\r\n%b\r\n" % (len(content), content) if content else b""
