"""The body of one answer, looked at before anything of it is handed on."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, Self

from brain.errors import BadReply, ModelError, ModelTimedOut
from brain.models.ollama.connection import Connection
from brain.models.ollama.inspection import is_innocent
from brain.models.ollama.pool import Pool

__all__ = ["STREAM_BYTES", "Answer"]

STREAM_BYTES: Final = 64 * 1024 * 1024
"""More than any answer should have."""

_LINE_BYTES: Final = 1024 * 1024  # a chunk is a token or a call
_DOCUMENT_BYTES: Final = 16 * 1024 * 1024  # /api/show lists the tensors of a model


class Answer:
    """The body of one answer: whole inspected lines, or the whole inspected document."""

    def __init__(
        self,
        *,
        connection: Connection,
        seconds: float,
        pool: Pool,
        inspect: Callable[[bytes], None],
        normalise: Callable[[bytes], bytes] = bytes,
        join: Callable[[Iterable[bytes]], list[bytes]] = list,
        timed_out: Callable[[float], ModelTimedOut],
    ) -> None:
        self._connection = connection
        self._seconds = seconds
        self._pool = pool
        self._inspect = inspect
        self._normalise = normalise
        self._join = join
        self._timed_out = timed_out
        self._lines: deque[bytes] = deque()
        self._rest: list[bytes] = []
        self._rest_bytes = 0
        self._total_bytes = 0
        self._is_read = False
        self._is_over = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        """Return all lines that have come whole, inspected, normalised, with their newlines."""
        try:
            block = await self._next_block()
        except BaseException:
            await self.aclose()
            raise
        if not block:
            self._end()
            raise StopAsyncIteration
        return block

    async def whole(self) -> bytes:
        """Read a document to its end and inspect it."""
        try:
            pieces = []
            while (piece := await self._next_piece(_DOCUMENT_BYTES)) is not None:
                pieces.append(piece)
            content = b"".join(pieces)
            self._inspect(content)
        except BaseException:
            await self.aclose()
            raise
        self._end()
        return content

    async def aclose(self) -> None:
        """Close the connection of an answer that was left early: the server stops computing."""
        if not self._is_over:
            self._is_over = True
            self._pool.drop(self._connection)

    def _end(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._pool.give_back(self._connection)

    async def _next_block(self) -> bytes:
        """Return a line at least; nothing at the end. A bad line fails once those before it are out."""
        while True:
            while not self._lines:
                if self._is_read:
                    return b""
                await self._read_lines()
            admitted = self._admit()
            if admitted:
                return b"\n".join(admitted) + b"\n"

    def _admit(self) -> list[bytes]:
        admitted: list[bytes] = []
        needs_a_look = not is_innocent(b"\n".join(self._lines))
        if not needs_a_look:
            self._lines = deque(self._join(self._lines))
        while self._lines:
            line = self._lines[0]
            try:
                if needs_a_look:
                    self._inspect(line)
                if line.strip():
                    admitted.append(self._normalise(line))
            except ModelError:
                if admitted:
                    return admitted
                raise
            self._lines.popleft()
        return admitted

    async def _read_lines(self) -> None:
        piece = await self._next_piece(STREAM_BYTES)
        if piece is None:
            self._is_read = True
            self._lines.append(b"".join(self._rest))  # the last line may lack its newline
            return
        first, *others = piece.split(b"\n")
        self._rest.append(first)
        self._rest_bytes += len(first)
        if self._rest_bytes > _LINE_BYTES:
            raise BadReply("a part of the server's answer is longer than any part should be")
        if others:
            *whole, last = others
            self._lines.append(b"".join(self._rest))
            self._lines.extend(whole)
            self._rest = [last]
            self._rest_bytes = len(last)

    async def _next_piece(self, limit_bytes: int) -> bytes | None:
        try:
            piece = await self._connection.piece(self._seconds)
        except TimeoutError as error:
            raise self._timed_out(self._seconds) from error
        if piece is not None:
            self._total_bytes += len(piece)
            if self._total_bytes > limit_bytes:
                raise BadReply("the server's answer is longer than any answer should be")
        return piece
