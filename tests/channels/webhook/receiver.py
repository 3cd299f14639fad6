"""A program that takes replies, on a real socket, and does to them what a test wants."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

from tests.clocks import FakeClock

__all__ = ["Answer", "Receiver", "Taken", "open_receiver"]

WAIT_SECONDS = 60  # a bound for a machine that others load, never waited for

Answer = int | tuple[int, Mapping[str, str]] | Literal["silent", "closes", "never"]
"""A status, with headers or without; the connection closed behind the request or before its body
was read; or no answer for as long as the receiver is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One request that came in."""

    path: str
    headers: Mapping[str, str]
    body: Any


class Receiver:
    """Plays `answers` in turn, and then what `judge` says of a body, at first 200 for each.

    `taken` is all that came in; `before` is awaited before an answer goes out.
    """

    def __init__(self, answers: list[Answer]) -> None:
        self.answers = answers
        self.taken: list[Taken] = []
        self.port = 0
        self.before: Callable[[], Awaitable[object]] | None = None
        self.judge: Callable[[Any], Answer] = lambda _: 200
        self._came = asyncio.Condition()

    async def after(self, count: int, clock: FakeClock) -> list[Taken]:
        """Return what came in once it was `count` requests, letting time pass meanwhile."""
        async with asyncio.timeout(WAIT_SECONDS):
            while len(self.taken) < count:
                clock.advance(5)
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.02), self._came:
                        await self._came.wait_for(lambda: len(self.taken) >= count)
        return list(self.taken)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/replies"

    async def until(self, count: int) -> list[Taken]:
        """Return what came in, once it was `count` requests."""
        async with asyncio.timeout(WAIT_SECONDS), self._came:
            await self._came.wait_for(lambda: len(self.taken) >= count)
        return list(self.taken)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the other side has left
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = [line.partition(":") for line in lines[1:] if line]
        headers = {name.lower(): text.strip() for name, _, text in pairs}
        answer, body = (self.answers.pop(0) if self.answers else None), None
        if answer != "closes":
            body = json.loads(await reader.readexactly(int(headers["content-length"])))
        answer = self.judge(body) if answer is None else answer
        self.taken.append(Taken(path=lines[0].split()[1], headers=headers, body=body))
        async with self._came:
            self._came.notify_all()
        if self.before is not None:
            await self.before()
        if answer == "never":
            await reader.read()
        elif not isinstance(answer, str):
            status, more = answer if isinstance(answer, tuple) else (answer, {})
            told = "".join(f"{name}: {text}\r\n" for name, text in more.items())
            writer.write(f"HTTP/1.1 {status} Told\r\n{told}Content-Length: 2\r\n\r\nok".encode())
            await writer.drain()


@asynccontextmanager
async def open_receiver(*answers: Answer, port: int = 0) -> AsyncIterator[Receiver]:
    """Listen on a port of this machine while the block lasts."""
    receiver = Receiver(list(answers))
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", port)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
