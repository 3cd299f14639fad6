"""Who stops to read: waited for while the server runs, and for a moment only once it stops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.channels.http import server as http_server
from brain.clock import SystemClock
from tests.channels.http.client import LITTLE_BYTES, Served, open_served
from tests.channels.http.test_messages import message
from tests.channels.http.test_server import Slow
from tests.channels.http.test_sign_in import signed_in

LONG = ("word " * 60_000).strip()
MANY = 150
"""So many commands put more on record than the buffers of one connection hold."""

FEED = "/v1/activity?after=0"
CHAT = {"model": "assistant", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
STOP_SECONDS = 20
AGAIN_SECONDS = 0.02

ASKED: dict[str, tuple[Any, ...]] = {
    "a feed": ("GET", FEED, None, "text/event-stream"),
    "a page of the record": ("GET", f"{FEED}&limit=1000", None, "*/*"),
    "a reply": ("POST", "/v1/messages", message("hi"), "*/*"),
    "a streamed reply": ("POST", "/v1/messages", message("hi"), "text/event-stream"),
    "a streamed chat completion": ("POST", "/v1/chat/completions", CHAT, "*/*"),
}


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "TAKING_SECONDS", 0.3)
    monkeypatch.setattr(http_server, "LOOKS_EVERY_SECONDS", 0.05)


@asynccontextmanager
async def stopping(folder: Path, **more: Any) -> AsyncIterator[Served]:
    """Serve while the block lasts; the end of the server has to come soon after."""
    server = open_served(folder, is_narrow=True, **more)
    served = await server.__aenter__()
    try:
        yield served
    finally:
        async with asyncio.timeout(STOP_SECONDS):
            await server.__aexit__(None, None, None)


async def types_after(folder: Path) -> list[str]:
    async with open_served(folder) as served:
        return [event[0] for event in await served.world.events("type")]


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
async def test_a_reader_that_has_stalled_does_not_keep_the_server_from_its_end(
    tmp_path: Path, asked: tuple[Any, ...]
) -> None:
    method, path, value, accept = asked
    async with stopping(tmp_path, replies=[LONG]) as served:
        for _ in range(MANY):
            await served.world.say("/help")
        request = served.client.request(method, path, value, Accept=accept)
        reader, writer = await served.client.stall(request)

    rest = await reader.read()
    writer.close()
    assert not rest.endswith(b"0\r\n\r\n")
    assert len(rest) < len(LONG) / 2
    types = await types_after(tmp_path)
    assert types.count("runtime_stopped") == types.count("runtime_started") - 1 == 1


async def test_who_reads_has_the_whole_answer_though_another_one_has_stalled(
    tmp_path: Path,
) -> None:
    model = Slow(LONG)
    async with stopping(tmp_path, model=model) as served:
        for _ in range(MANY):
            await served.world.say("/help")
        client = served.client
        feed = client.request("GET", FEED, Accept="text/event-stream")
        _, stalled = await client.stall(feed)
        asking = asyncio.create_task(client.ask("POST", "/v1/messages", message("hi")))
        await model.asked.acquire()
        asyncio.get_running_loop().call_later(2 * http_server.TAKING_SECONDS, model.let.set)

    assert (await asking).json["text"] == LONG
    stalled.close()


async def test_a_reader_that_has_stalled_is_waited_for_while_the_server_runs(
    tmp_path: Path,
) -> None:
    async with stopping(tmp_path, replies=[LONG]) as served:
        request = served.client.request("POST", "/v1/messages", message("hi"))
        reader, writer = await served.client.stall(request)
        await SystemClock().sleep(3 * http_server.TAKING_SECONDS)
        rest = await reader.read()
        writer.close()

    assert len(rest) > len(LONG) - 2 * LITTLE_BYTES
    assert rest.endswith(b"}")


async def test_a_second_signal_cuts_a_stalled_reader_off_at_once_and_the_end_is_on_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "TAKING_SECONDS", 3600.0)
    leaving = asyncio.Event()

    async def serve_and_leave() -> None:
        async with open_served(tmp_path, is_narrow=True) as served:
            for _ in range(MANY):
                await served.world.say("/help")
            feed = served.client.request("GET", FEED, Accept="text/event-stream")
            held.append(await served.client.stall(feed))
            leaving.set()

    held: list[Any] = []
    serving = asyncio.create_task(serve_and_leave())
    async with asyncio.timeout(STOP_SECONDS):
        await leaving.wait()
        await SystemClock().sleep(AGAIN_SECONDS)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    assert serving.cancelled()
    held[0][1].close()
    assert (await types_after(tmp_path)).count("runtime_stopped") == 1


async def test_a_stalled_feed_ends_with_its_token(tmp_path: Path) -> None:
    async with stopping(tmp_path) as served:
        client, token = served.client, await signed_in(served)
        for _ in range(MANY):
            await served.world.say("/help")
        feed = client.request(
            "GET", FEED, bearer=token, Accept="text/event-stream", Connection="keep-alive"
        )
        reader, writer = await client.stall(feed)
        await client.ask("DELETE", "/v1/sign-in", bearer=token)
        served.clock.advance(15)
        async with asyncio.timeout(STOP_SECONDS):
            while (
                not writer.is_closing()
            ):  # what is sent to a closed connection comes back as a reset
                writer.write(b" ")
                await SystemClock().sleep(AGAIN_SECONDS)
        head = (await client.ask("GET", "/v1/activity?limit=1")).json["head"]

    with pytest.raises(ConnectionError):
        await reader.read()
    assert head > MANY
