"""One HTTP/1.1 connection: h11 says what the bytes mean, asyncio moves them.

A protocol of our own and not `asyncio.streams`, because a stream can't tell whether bytes that
nobody asked for lie in its buffer: here an idle connection that receives anything is dropped.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, cast

import h11

from brain.errors import BadReply, ModelError, ModelRefused, ModelUnreachable
from brain.models.ollama.chunks import Chunks

__all__ = ["Connection", "Headers", "Wire"]

_READ_AHEAD_BYTES: Final = 256 * 1024  # beyond it the server has to wait for us
_HEADER_BYTES: Final = 16 * 1024  # Ollama's are a few hundred bytes
_INTERIM_ANSWERS: Final = 4  # 1xx answers before the real one
_HEAD_END: Final = b"\r\n\r\n"
_OK: Final = 200

Headers = Sequence[tuple[bytes, bytes]]


class Wire(asyncio.Protocol):
    """The bytes of one connection, as they come."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.is_idle = False
        self.is_ended = False
        self._received = bytearray()
        self._is_paused = False
        self._waiter: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self.is_idle:  # an answer to no question
            self.abort()
            return
        self._received += data
        if len(self._received) > _READ_AHEAD_BYTES and self.transport is not None:
            self.transport.pause_reading()
            self._is_paused = True
        self._wake()

    def eof_received(self) -> None:
        self.is_ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc  # what had come is judged by h11: enough or too little
        self.is_ended = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def read(self) -> bytes:
        """Return what has come, waiting for it; nothing at the end."""
        while not self._received and not self.is_ended:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        received = bytes(self._received)
        self._received.clear()
        if self._is_paused and self.transport is not None and not self.is_ended:
            self.transport.resume_reading()
            self._is_paused = False
        return received

    def write(self, content: bytes) -> None:
        if self.transport is not None:
            self.transport.write(content)

    @property
    def has_surplus(self) -> bool:
        return bool(self._received)

    def abort(self) -> None:
        """Close at once; the server sees it and stops computing."""
        self.is_ended = True
        if self.transport is not None:
            self.transport.abort()
        self._wake()


class Connection:
    """One question and its answer after the other, over one wire to one checked address."""

    def __init__(self, wire: Wire, *, peer: str) -> None:
        self.peer = peer
        self.is_fresh = True
        self._wire = wire
        self._h11 = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEADER_BYTES)
        self._chunks = Chunks()
        self._body = b""  # what came with the head and is not of it
        self._has_answered = False
        self._has_head = self._is_over = False

    @property
    def is_usable(self) -> bool:
        return not self._wire.is_ended

    @property
    def has_answered(self) -> bool:
        """Whether anything at all of an answer to the last question has come."""
        return self._has_answered

    def ask(self, method: bytes, target: bytes, headers: Headers, body: bytes) -> None:
        """Send a whole request. Raises ModelRefused where a header can't be written."""
        self._wire.is_idle = False
        self._has_answered = self._has_head = self._is_over = False
        self._chunks = Chunks()
        self._body = b""
        try:
            parts = [
                self._h11.send(h11.Request(method=method, target=target, headers=list(headers))),
                self._h11.send(h11.Data(data=body)) if body else b"",
                self._h11.send(h11.EndOfMessage()),
            ]
        except h11.LocalProtocolError as error:
            raise ModelRefused("the request has a header that HTTP can't carry") from error
        self._wire.write(b"".join(part for part in parts if part))

    async def head(self, seconds: float) -> h11.Response:
        """Return status and headers, within `seconds` for all of them. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            for _ in range(_INTERIM_ANSWERS):
                event = await self._next()
                if isinstance(event, h11.Response):
                    self._begin_body(event)
                    return event
                if not isinstance(event, h11.InformationalResponse):
                    break
        raise BadReply("the server did not begin its answer as HTTP does")

    def _begin_body(self, head: h11.Response) -> None:
        """Let what came behind the head follow it, joined where it is a body in chunks."""
        self._has_head = True
        is_chunked = (b"transfer-encoding", b"chunked") in head.headers
        if is_chunked and head.status_code == _OK and not self._h11.trailing_data[0]:
            self._chunks.begin()
        body, self._body = self._body, b""
        if body:
            self._feed(self._chunks.take(body))

    async def piece(self, seconds: float) -> bytes | None:
        """Return what has come of the body, waiting for it `seconds` at most; None at its end."""
        while not (pieces := self._body_at_hand()):
            if self._is_over:
                return None
            async with asyncio.timeout(seconds):
                await self._receive()
        return b"".join(pieces)

    def _body_at_hand(self) -> list[bytes]:
        pieces: list[bytes] = []
        while not self._is_over:
            try:
                event = self._next_at_hand()
            except ModelError:
                if pieces:  # what came before is handed on first: the next look fails again
                    break
                raise
            if event is None:
                break
            if isinstance(event, h11.Data):
                pieces.append(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                self._is_over = True
            else:
                raise BadReply("the server's answer does not follow HTTP")
        return pieces

    async def _next(self) -> h11.Event:
        while (event := self._next_at_hand()) is None:
            await self._receive()
        return event

    async def _receive(self) -> None:
        if self._body:  # it came with a head that was none of a real answer
            self._feed(self._up_to_head(b""))
            return
        received = await self._wire.read()
        if not received:
            self._feed(self._chunks.rest())
            self._tell(b"")
            return
        self._has_answered = True
        take = self._chunks.take if self._has_head else self._up_to_head
        self._feed(take(received))

    def _up_to_head(self, received: bytes) -> bytes:
        """Return `received` up to the end of a head, and keep the rest until the head is read."""
        received, self._body = self._body + received, b""
        end = received.find(_HEAD_END)
        if end < 0:
            return received
        end += len(_HEAD_END)
        self._body = received[end:]
        return received[:end]

    def _feed(self, received: bytes) -> None:
        if received:  # to h11 nothing is the end of the connection
            self._tell(received)

    def _tell(self, received: bytes) -> None:
        try:
            self._h11.receive_data(received)
        except h11.RemoteProtocolError as error:
            raise self._garbled() from error

    def _next_at_hand(self) -> h11.Event | None:
        try:
            event = self._h11.next_event()
        except h11.RemoteProtocolError as error:
            raise self._garbled() from error
        if event is h11.NEED_DATA:
            return None
        if isinstance(event, h11.Event) and not isinstance(event, h11.ConnectionClosed):
            return event
        raise self._garbled()

    def _garbled(self) -> ModelError:
        if not self._has_answered and self._wire.is_ended:
            return ModelUnreachable("the server closed the connection without an answer")
        if self._wire.is_ended:
            return BadReply("the server closed the connection before its answer was complete")
        return BadReply("the server's answer does not follow HTTP")

    def rest(self) -> bool:
        """Make ready for the next question after a complete answer; False where that can't be."""
        is_done = self._h11.our_state is h11.DONE and self._h11.their_state is h11.DONE
        has_surplus = self._wire.has_surplus or bool(self._h11.trailing_data[0])
        if not is_done or has_surplus or self._wire.is_ended:
            self.abort()
            return False
        self._h11.start_next_cycle()
        self._wire.is_idle = True
        self.is_fresh = False
        return True

    def abort(self) -> None:
        self._wire.abort()
