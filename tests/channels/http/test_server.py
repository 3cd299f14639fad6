"""How the server begins and ends, and what it does with connections on which nothing comes."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest

from brain.channels.http import bodies
from brain.channels.http import server as http_server
from brain.config import Server
from brain.models import ChatRequest, Delta
from brain.models.scripted import ScriptedModel
from tests.channels.http.client import open_served, read_answer
from tests.channels.http.test_messages import message
from tests.clocks import FakeClock

LET_AFTER_SECONDS = 0.3


class Slow(ScriptedModel):
    """A model that answers when a test lets it."""

    def __init__(self, *replies: str) -> None:
        super().__init__(replies, clock=FakeClock(), name="ollama/llama3.2")
        self.asked = asyncio.Semaphore(0)
        self.let = asyncio.Event()

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        self.asked.release()
        await self.let.wait()
        async with aclosing(super().chat(request)) as deltas:
            async for delta in deltas:
                yield delta


async def test_what_was_begun_is_answered_before_the_server_ends(tmp_path: Path) -> None:
    model = Slow("Slowly.")

    async with open_served(tmp_path, model=model) as served:
        model.replies.append("Slowly too.")
        asking = asyncio.create_task(served.client.ask("POST", "/v1/messages", message("hi")))
        streaming = asyncio.create_task(
            served.client.ask(
                "POST",
                "/v1/messages",
                {"conversation": "other", "text": "hi"},
                Accept="text/event-stream",
            )
        )
        for _ in range(2):
            await model.asked.acquire()
        asyncio.get_running_loop().call_later(LET_AFTER_SECONDS, model.let.set)

    answer, stream = await asking, await streaming
    assert answer.json["outcome"] == "answered"
    assert b"event: reply" in stream.body
    assert b'"outcome":"answered"' in stream.body


async def test_who_can_not_wait_cuts_it_off_and_that_is_on_record(tmp_path: Path) -> None:
    model, leaving = Slow("Never said."), asyncio.Event()

    async def serve_and_leave() -> None:
        held: list[asyncio.StreamWriter] = []
        try:
            async with open_served(tmp_path, model=model) as served:
                held.append((await served.client.connect())[1])
                held[0].write(served.client.request("POST", "/v1/messages", message("hi")))
                await model.asked.acquire()
                leaving.set()
        finally:
            held[0].close()

    serving = asyncio.create_task(serve_and_leave())
    async with asyncio.timeout(20):
        await leaving.wait()
        await asyncio.sleep(0)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    async with open_served(tmp_path) as served:
        types = [event[0] for event in await served.world.events("type")]
    assert serving.cancelled()
    ended = types[types.index("message_received") : types.index("runtime_stopped") + 1]
    assert ended == ["message_received", "model_called", "exchange_cancelled", "runtime_stopped"]


async def test_who_leaves_a_streamed_answer_cancels_it(tmp_path: Path) -> None:
    model = Slow("Never said.")

    async with open_served(tmp_path, model=model) as served:
        _, writer = await served.client.connect()
        writer.write(
            served.client.request("POST", "/v1/messages", message("hi"), Accept="text/event-stream")
        )
        await model.asked.acquire()
        async with served.client.stream("/v1/activity?type=exchange_cancelled") as stream:
            await stream.frame()
            writer.close()
            (frame,) = await stream.events(1)

    assert '"type":"exchange_cancelled"' in frame["data"]


async def test_a_connection_on_which_no_request_comes_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "REQUEST_SECONDS", 0.05)

    async with open_served(tmp_path) as served:
        silent, silent_writer = await served.client.connect()
        half, half_writer = await served.client.connect()
        half_writer.write(b"GET /healthz HTTP/1.1\r\nHost: local")
        async with asyncio.timeout(10):
            ends = [await silent.read(), await half.read()]
        after = await served.client.ask("GET", "/healthz")

    for writer in (silent_writer, half_writer):
        writer.close()
    assert ends == [b"", b""]
    assert after.status == 200


TWO_HOSTS = b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n"
POST = b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n"
LENGTH_AND_CHUNKS = (
    POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    b"GET /metrics HTTP/1.1\r\n\r\n"
)
TWO_LENGTHS = POST + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"
HUGE_HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 2_000_000 + b"\r\n\r\n"


@pytest.mark.parametrize(
    "raw",
    [TWO_HOSTS, LENGTH_AND_CHUNKS, TWO_LENGTHS, b"\x00\x01\x02\r\n\r\n"],
    ids=["two hosts", "length and chunks", "two lengths", "no HTTP"],
)
async def test_shapes_of_request_smuggling_get_one_refusal_and_the_connection_ends(
    tmp_path: Path, raw: bytes
) -> None:
    async with open_served(tmp_path) as served:
        reader, writer = await served.client.connect()
        writer.write(raw)
        writer.write_eof()
        async with asyncio.timeout(10):
            answer = await reader.read()
        writer.close()
        after = await served.client.ask("GET", "/healthz")

    statuses = [int(part.split(b" ", 1)[0]) for part in answer.split(b"HTTP/1.1 ")[1:]]
    assert len(statuses) == 1
    assert 400 <= statuses[0] < 500
    assert after.status == 200


async def test_a_head_without_an_end_is_cut_off(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        reader, writer = await served.client.connect()
        writer.write(HUGE_HEAD)
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(10):
                assert b"200" not in (await reader.read())[:20]
        writer.close()
        after = await served.client.ask("GET", "/healthz")

    assert after.status == 200


async def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.05)

    async with open_served(tmp_path) as served:
        reader, writer = await served.client.connect()
        whole = served.client.request("POST", "/v1/messages", message("hi"))
        writer.write(whole[:-1])
        async with asyncio.timeout(10):
            answer = await read_answer(reader)
        writer.close()

    assert (answer.status, answer.code) == (408, "too_slow")


async def test_the_body_of_an_answer_does_not_wait_for_its_head_to_be_acknowledged() -> None:
    """asyncio switches Nagle's algorithm off only where a socket says that it is one of TCP."""
    taken: asyncio.Queue[int] = asyncio.Queue()

    def take(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        taken.put_nowait(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listening = http_server.listen(Server(addr="127.0.0.1:0"))
    async with await asyncio.start_server(take, sock=listening), asyncio.timeout(5):
        _, writer = await asyncio.open_connection(*listening.getsockname())
        is_off = await taken.get()
        writer.close()

    assert is_off
