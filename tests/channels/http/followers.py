"""A reader of the live record over real sockets, as a program of somebody else would be one."""

import asyncio
import hashlib
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress

from brain.clock import SystemClock

__all__ = ["Follower"]

HOST = "127.0.0.1"
PIECE_BYTES = 65_536
AGAIN_SECONDS = 0.05
STALLS_AT = 20


class Follower:
    """Has every event once and in order, or fails; comes back behind the last one it has whole.

    `digest` is over the data of all events in their order. One that `stalls` reads a few events, then
    nothing until that is set, and takes as little from the network as it can meanwhile.
    `leaves_after` says how many events further it hangs up the next time.
    """

    def __init__(
        self,
        port: int,
        token: str,
        *,
        stalls: asyncio.Event | None = None,
        leaves_after: Callable[[], int] | None = None,
    ) -> None:
        self.port = port
        self.last = 0
        self.connections = 0
        self._token = token
        self._stalls = stalls
        self._leaves_after = leaves_after
        self._digest = hashlib.sha256()

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()

    async def follow_to(self, seq: int) -> None:
        """Return once it has the event `seq`, however often the connection has to be made anew."""
        while self.last < seq:
            before = self.connections
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._follow(seq)
            if self.connections == before:  # nobody listens there now
                await SystemClock().sleep(AGAIN_SECONDS)

    async def _follow(self, seq: int) -> None:
        stop = min(seq, self.last + self._leaves_after()) if self._leaves_after else seq
        reader, writer = await self._connect()
        try:
            writer.write(self._request())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 "), head
            self.connections += 1
            async with aclosing(_frames(reader)) as frames:
                async for frame in frames:
                    self._take(frame)
                    if self._stalls is not None and self.last == STALLS_AT:
                        await self._stalls.wait()
                    if self.last >= stop:
                        return
        finally:
            writer.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        connection = socket.socket()
        connection.setblocking(False)
        if self._stalls is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        try:
            await asyncio.get_running_loop().sock_connect(connection, (HOST, self.port))
        except OSError:
            connection.close()
            raise
        limit = PIECE_BYTES if self._stalls is None else 4096
        return await asyncio.open_connection(sock=connection, limit=limit)

    def _request(self) -> bytes:
        lines = [
            "GET /v1/activity?after=0 HTTP/1.1",
            f"Host: {HOST}:{self.port}",
            f"Authorization: Bearer {self._token}",
            "Accept: text/event-stream",
        ]
        if self.connections:
            lines.append(f"Last-Event-ID: {self.last}")
        return "\r\n".join([*lines, "", ""]).encode()

    def _take(self, frame: bytes) -> None:
        if frame.startswith((b":", b"retry: ")):
            return
        head, _, data = frame.partition(b"\ndata: ")
        assert head == b"id: %d\nevent: event" % (self.last + 1), (self.last, frame[:200])
        self._digest.update(data)
        self.last += 1


async def _frames(reader: asyncio.StreamReader) -> AsyncGenerator[bytes, None]:
    """Yield each frame that came whole; one that was cut off by the end of the connection is not."""
    held = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        held += await reader.readexactly(size)
        await reader.readexactly(2)
        *whole, held = held.split(b"\n\n")
        for frame in whole:
            yield frame
