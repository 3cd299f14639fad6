"""Lines from a pipe or a terminal, read without holding up the event loop or the way out."""

import asyncio
import codecs
import os
import threading
from collections.abc import AsyncIterator
from errno import EIO

from brain.errors import UsageError

__all__ = ["follow_lines"]

_CHUNK_BYTES = 65_536


async def follow_lines(descriptor: int, *, encoding: str = "utf-8") -> AsyncIterator[str]:
    """Yield each line without its end, and what stands after the last line break, if anything.

    Only a line feed ends a line (a carriage return before it goes with it), so that a message may
    hold any other separator. Bytes that are no text become U+FFFD. Nothing is read ahead of what
    is asked for but the rest of a chunk. Raises UsageError where the descriptor can't be read.
    """
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    pieces: list[str] = []
    while chunk := await _read(descriptor):
        head, *further = decoder.decode(chunk).split("\n")
        pieces.append(head)
        for piece in further:
            yield _whole(pieces)
            pieces = [piece]
    pieces.append(decoder.decode(b"", final=True))
    if last := _whole(pieces):
        yield last


def _whole(pieces: list[str]) -> str:
    return "".join(pieces).removesuffix("\r")


async def _read(descriptor: int) -> bytes:
    """Read what is there, in a thread that may be left behind: a read can't be called off.

    `os.read`, and not a buffered reader, whose lock a thread left behind would keep at exit.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[bytes] = loop.create_future()

    def settle(chunk: bytes, error: OSError | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(chunk)
        else:
            answer.set_exception(error)

    def read() -> None:
        chunk, failure = b"", None
        try:
            chunk = os.read(descriptor, _CHUNK_BYTES)
        except OSError as error:
            failure = None if error.errno == EIO else error  # the terminal is gone: nothing follows
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, chunk, failure)

    threading.Thread(target=read, name="brain-stdin", daemon=True).start()
    try:
        return await answer
    except OSError as error:
        raise UsageError(
            f"the input can't be read: {error.strerror}",
            fix="give messages in a pipe or a terminal",
        ) from error
