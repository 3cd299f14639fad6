"""The live record to many readers over HTTP, beside a queue for each subscriber in Starlette.

Each side is a server in a process of its own, under the same uvicorn, and makes the same events one
after the other. Ours commits each one, so that it is durable before anybody sees it. The yardstick
commits nothing: it encodes an event once and puts the text into the queue of each subscriber, whose
response sends what comes out of it. What is counted is the processor time of the server.
"""

import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from tests.benchmarks.lines import print_line, watched_load
from tests.benchmarks.server import Server

__all__ = ["feed"]

HOST = "127.0.0.1"
MARK = b"\ndata: "
SIZES = ((100, 1_000, 1.8), (1_000, 100, 1.5))
"""How many readers, how many events each of them gets, and the ratio that is wanted."""

ASIDE_SECONDS = 120.0


async def feed(server: Server, *, is_quick: bool) -> None:
    """Deliver events to 100 and to 1000 readers; both sides in alternating rounds."""
    for readers, events, target in SIZES:
        spent: dict[str, list[tuple[float, float]]] = {"product": [], "yardstick": []}
        with watched_load(server.pid) as load:
            for _ in range(2 if is_quick else 5):
                for side, rounds in spent.items():
                    rounds.append(_round(side, server.url, readers=readers, events=events))
        cpu, wall = (
            {side: statistics.median(each[at] for each in of) for side, of in spent.items()}
            for at in (0, 1)
        )
        deliveries = readers * events
        print_line(
            f"feed_to_{readers}_readers", value=cpu["yardstick"] / cpu["product"],
            target=target, load=load, at_least=True,
            wall_ratio=wall["yardstick"] / wall["product"],
            ours_us_cpu_each=cpu["product"] / deliveries * 1e6,
            yardstick_us_cpu_each=cpu["yardstick"] / deliveries * 1e6,
            ours_s=wall["product"], yardstick_s=wall["yardstick"], events=events,
        )  # fmt: skip


def _round(side: str, url: str, *, readers: int, events: int) -> tuple[float, float]:
    """Return the processor time of the server, and how long it took until all had everything."""
    with ExitStack() as stack:
        port, told, say = stack.enter_context(_serving(side, url, events))
        open_ones = [stack.enter_context(_subscribed(port)) for _ in range(readers)]
        began = time.perf_counter()
        say("go")
        _read_all(open_ones, events)
        seconds = time.perf_counter() - began
        say("done")
        return float(told.readline()), seconds


@contextmanager
def _serving(
    side: str, url: str, events: int
) -> Iterator[tuple[int, IO[str], Callable[[str], None]]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.feed_sides", side, url, folder, str(events)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the pipes were not opened")
        stdin = process.stdin

        def say(word: str) -> None:
            stdin.write(f"{word}\n")
            stdin.flush()

        try:
            yield int(process.stdout.readline()), process.stdout, say
        finally:
            process.kill()


@contextmanager
def _subscribed(port: int) -> Iterator[socket.socket]:
    """Yield a connection whose answer has begun."""
    with socket.create_connection((HOST, port), timeout=ASIDE_SECONDS) as connection:
        connection.sendall(
            f"GET /v1/activity HTTP/1.1\r\nHost: {HOST}:{port}\r\n"
            "Authorization: Bearer secret\r\nAccept: text/event-stream\r\n\r\n".encode()
        )
        head = b""
        while b"retry: " not in head:
            head += connection.recv(4096)
        yield connection


def _read_all(connections: list[socket.socket], events: int) -> None:
    """Read until each has its events. Raises RuntimeError where one ends before."""
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            connection.setblocking(False)
            selector.register(connection, selectors.EVENT_READ, [0, b""])
        waiting = len(connections)
        while waiting:
            ready = selector.select(ASIDE_SECONDS)
            if not ready:
                raise RuntimeError(f"{waiting} readers got nothing more")
            for key, _ in ready:
                piece = key.fileobj.recv(1 << 18)  # type: ignore[union-attr]
                if not piece:
                    raise RuntimeError("a stream ended")
                state = key.data
                text = state[1] + piece
                state[0] += text.count(MARK)
                state[1] = text[-len(MARK) + 1 :]
                if state[0] == events:
                    waiting -= 1
                    selector.unregister(key.fileobj)
