"""The two servers that `feed` measures: `python -m tests.benchmarks.feed_sides SIDE URL FOLDER EVENTS`.

Each prints its port, makes its events at the first line of stdin, and prints at the second how much
processor time it has spent since the first.
"""

import asyncio
import json
import resource
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from brain.activity import FIELDS, Draft, Recorder, open_feed
from brain.channels.http import KeptToken, listen, serve
from brain.clock import SystemClock
from brain.config import Server, load_config
from brain.runtime import Doors, open_mailroom, open_runtime
from brain.store import EventRow
from tests.benchmarks.product import document, written

DRAFT = Draft(type="message_received", brain="assistant", channel="http", conversation="a" * 32)
ENVIRON = {"TOKEN": "secret"}
MAKERS = 10
"""How many make events at once, as exchanges of so many talks do."""

Make = Callable[[], Awaitable[object]]


@asynccontextmanager
async def product(url: str, folder: Path) -> AsyncIterator[tuple[int, Make]]:
    """Serve as `brain serve` does; an event is made when it is committed."""
    whole = document(url, model="answers") | {
        "channels": [{"type": "http"}],
        "server": {"addr": "127.0.0.1:0", "token_env": "TOKEN"},
    }
    config = load_config(written(folder, whole), environ=ENVIRON).config
    clock, listening = SystemClock(), listen(Server(addr="127.0.0.1:0"))
    async with (
        open_runtime(config, clock=clock, environ=ENVIRON) as runtime,
        open_feed(runtime.store, clock=clock) as feed,
        open_mailroom(runtime, environ=ENVIRON) as mailroom,
        serve(
            Doors(runtime, feed, mailroom),
            listening=listening,
            clock=clock,
            environ=ENVIRON,
            kept_token=KeptToken(config.data_folder),
        ),
    ):
        recorder = Recorder(run_id="run1", revision=config.revision)

        async def make() -> None:
            await runtime.store.write(lambda tx: recorder.append(tx, DRAFT))

        yield listening.getsockname()[1], make


@asynccontextmanager
async def yardstick(url: str, folder: Path) -> AsyncIterator[tuple[int, Make]]:
    """Serve a queue for each subscriber; an event is made when it is in all of them."""
    row, queues, made = a_row(), set[asyncio.Queue[str]](), 0

    async def follow(request: Request) -> Response:
        return StreamingResponse(frames(), media_type="text/event-stream")

    async def frames() -> AsyncGenerator[str, None]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        queues.add(queue)
        try:
            yield "retry: 2000\n\n"
            while True:
                yield await queue.get()
        finally:
            queues.discard(queue)

    async def make() -> None:
        nonlocal made
        made += 1
        data = json.dumps({**row, "seq": made}, ensure_ascii=False, separators=(",", ":"))
        text = f"id: {made}\nevent: event\ndata: {data}\n\n"
        for queue in queues:
            queue.put_nowait(text)
        await asyncio.sleep(0)

    app = Starlette(routes=[Route("/v1/activity", follow)])
    listening = listen(Server(addr="127.0.0.1:0"))
    config = uvicorn.Config(app, http="h11", ws="none", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    yield listening.getsockname()[1], make
    serving.cancel()


def a_row() -> EventRow:
    """Return an event as long as those of the product."""
    hashed = dict.fromkeys(("revision", "prev", "hash"), "a" * 64)
    known = {field: getattr(DRAFT, field) for field in ("type", "brain", "channel", "conversation")}
    at = "2026-03-02T09:00:00.000Z"
    return {
        **dict.fromkeys(FIELDS),
        "v": 1,
        "id": "a" * 32,
        "at": at,
        "run": "a",
        **known,
        **hashed,
    }


async def main(side: str, url: str, folder: Path, events: int) -> None:
    async with (product if side == "product" else yardstick)(url, folder) as (port, make):
        say(port)
        await asyncio.to_thread(sys.stdin.readline)
        before = spent()
        await asyncio.gather(*(make_some(make, events // MAKERS) for _ in range(MAKERS)))
        await asyncio.to_thread(sys.stdin.readline)
        say(spent() - before)
        await asyncio.to_thread(sys.stdin.readline)


async def make_some(make: Make, count: int) -> None:
    for _ in range(count):
        await make()


def say(value: object) -> None:
    print(value, flush=True)  # noqa: T201 - its output


def spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])))
