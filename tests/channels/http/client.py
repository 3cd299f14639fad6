"""A plain HTTP client on a real socket, and the server it asks, around a scripted assistant."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain.activity import open_feed
from brain.channels.http import KeptToken, listen, serve
from brain.config import Server
from brain.runtime import Doors, open_mailroom
from tests.clocks import FakeClock
from tests.flows.world import Document, World, open_world, sample

__all__ = ["LITTLE_BYTES", "Answer", "Client", "PatientClock", "open_served", "web"]

WAIT_SECONDS = 20
HOST = "localhost"

LITTLE_BYTES = 4096
"""How little the kernel is asked to hold of what was sent: else it takes a megabyte off the server
before the server feels that nobody reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a refusal, whose shape is checked on the way."""
        error = self.json["error"]
        assert set(error) <= {"code", "message", "path"}, error
        assert error["message"]
        return str(error["code"])


class PatientClock(FakeClock):
    """A clock for a server: short waits (a wrong token held back) are noted and over at once."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[float] = []

    async def sleep(self, seconds: float) -> None:
        if seconds <= 2:
            self.waited.append(seconds)
            return
        await super().sleep(seconds)


class Client:
    """Asks one server. Each request has a connection of its own."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token

    async def ask(
        self,
        method: str,
        path: str,
        value: Any = None,
        *,
        body: bytes | None = None,
        bearer: str | None = None,
        **headers: str,
    ) -> Answer:
        """Send one request and read the whole answer. `bearer=""` shows none."""
        async with asyncio.timeout(WAIT_SECONDS):
            reader, writer = await self.connect()
            try:
                writer.write(self.request(method, path, value, body=body, bearer=bearer, **headers))
                await writer.drain()
                return await read_answer(reader)
            finally:
                writer.close()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def stall(self, request: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Send the request, read the beginning of its answer, and take no more than there is room for."""
        connection = socket.socket()
        connection.setblocking(False)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE_BYTES)
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self.port))
        reader, writer = await asyncio.open_connection(sock=connection, limit=LITTLE_BYTES)
        writer.write(request)
        async with asyncio.timeout(WAIT_SECONDS):
            await reader.readexactly(2 * LITTLE_BYTES)
        return reader, writer

    def request(
        self,
        method: str,
        path: str,
        value: Any = None,
        *,
        body: bytes | None = None,
        bearer: str | None = None,
        **headers: str,
    ) -> bytes:
        content = body if body is not None else b"" if value is None else json.dumps(value).encode()
        shown = self.token if bearer is None else bearer
        sent = {"Host": f"{HOST}:{self.port}", "Connection": "close"}
        if shown:
            sent["Authorization"] = f"Bearer {shown}"
        if content:
            sent |= {"Content-Type": "application/json", "Content-Length": str(len(content))}
        sent |= {name.replace("_", "-"): text for name, text in headers.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in sent.items() if v != "-")]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + content

    @asynccontextmanager
    async def stream(self, path: str, **headers: str) -> AsyncIterator["Stream"]:
        """Follow `path` as server-sent events."""
        reader, writer = await self.connect()
        try:
            writer.write(self.request("GET", path, Accept="text/event-stream", **headers))
            await writer.drain()
            yield Stream(reader, await read_head(reader))
        finally:
            writer.close()


class Stream:
    """Server-sent events as they come."""

    def __init__(self, reader: asyncio.StreamReader, head: tuple[int, Mapping[str, str]]) -> None:
        self._reader = reader
        self.status, self.headers = head
        self._held = b""

    async def frame(self) -> dict[str, str]:
        """Return the fields of the next frame; a comment is the field ``."""
        async with asyncio.timeout(WAIT_SECONDS):
            while b"\n\n" not in self._held:
                self._held += await self._chunk()
        frame, _, self._held = self._held.partition(b"\n\n")
        lines = [line.partition(": ") for line in frame.decode().split("\n")]
        return {name.strip(":"): text for name, _, text in lines}

    async def events(self, count: int) -> list[dict[str, str]]:
        """Return the next frames that carry something."""
        found: list[dict[str, str]] = []
        while len(found) < count:
            frame = await self.frame()
            if "data" in frame:
                found.append(frame)
        return found

    async def _chunk(self) -> bytes:
        size = int((await self._reader.readline()).strip() or b"0", 16)
        if not size:
            raise EOFError("the stream ended")
        chunk = await self._reader.readexactly(size)
        await self._reader.readexactly(2)
        return chunk


async def read_head(reader: asyncio.StreamReader) -> tuple[int, Mapping[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {}
    for line in lines[1:]:
        if line:
            name, _, text = line.partition(":")
            headers[name.lower()] = text.strip()
    return int(lines[0].split()[1]), headers


async def read_answer(reader: asyncio.StreamReader) -> Answer:
    status, headers = await read_head(reader)
    body = await reader.read()
    if headers.get("transfer-encoding") == "chunked":
        pieces, rest = [], body
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            pieces.append(rest[: int(size, 16)])
            rest = rest[int(size, 16) + 2 :]
        body = b"".join(pieces)
    return Answer(status=status, headers=headers, body=body)


def web(**changes: Any) -> Document:
    """The sample with an http channel and the tokens of `TOKENS`."""
    return (
        sample(
            channels=[
                {"type": "console"},
                {"type": "http", "operators": ["boss"], "trusted": ["ana"]},
            ],
            server={
                "addr": "127.0.0.1:0",
                "tokens": [
                    {"name": name, "token_env": env, "role": role}
                    for name, env, role in (
                        ("ana", "TOKEN_ANA", "user"),
                        ("bo", "TOKEN_BO", "user"),
                        ("gate", "TOKEN_GATE", "gateway"),
                        ("vice", "TOKEN_VICE", "operator"),
                    )
                ],
            },
        )
        | changes
    )


TOKENS = {
    "TOKEN_ANA": "ana-token",
    "TOKEN_BO": "bo-token",
    "TOKEN_GATE": "gate-token",
    "TOKEN_VICE": "vice-token",
    "TOKEN_HOOK": "hook-token",
    "TOKEN_OUT": "out-token",
    "TOKEN_OUT_LATER": "later-out-token",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A running assistant, its server, and a client with the operator's token."""

    world: World
    client: Client
    clock: PatientClock


@asynccontextmanager
async def open_served(
    folder: Path,
    document: Document | None = None,
    replies: Sequence[Any] = (),
    *,
    is_narrow: bool = False,
    **more: Any,
) -> AsyncIterator[Served]:
    """Serve the document's config on a free port of this machine.

    One that is `narrow` feels at once that nobody reads what it sends.
    """
    clock = PatientClock()
    document = document or web()
    async with (
        open_world(folder, document, replies, environ=TOKENS, **more) as world,
        open_feed(world.runtime.store, clock=world.clock) as feed,
    ):
        kept_token = KeptToken(world.runtime.config.data_folder)
        kept_token.serve(world.runtime.config.server)
        listening = listen(Server(addr="127.0.0.1:0"))
        if is_narrow:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LITTLE_BYTES)
        port: int = listening.getsockname()[1]
        async with (
            open_mailroom(world.runtime, environ=TOKENS) as mailroom,
            serve(
                Doors(world.runtime, feed, mailroom),
                listening=listening,
                clock=clock,
                environ=TOKENS,
                kept_token=kept_token,
            ),
        ):
            yield Served(world=world, client=Client(port, kept_token.value), clock=clock)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port
