"""CPU of one call through our transport beside the same call through the client's own.

`python -m tests.benchmarks.transport` prints one JSON line for each number of calls at once, and
one for the p95 of a call. The server is a process of its own, so that only the client's CPU counts;
rounds of both alternate, and the ratio of their medians is what may be quoted: milliseconds depend
on the machine.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import ollama

from brain.models.ollama.address import parse_endpoint, resolve_host
from brain.models.ollama.client import open_client
from brain.models.ollama.road import Road
from brain.models.ollama.transport import OllamaTransport

MESSAGES = [
    {"role": "user" if index % 2 == 0 else "assistant", "content": f"Line {index} of a talk."}
    for index in range(9)
]


@dataclass
class Measured:
    """What the rounds of one client cost."""

    cpu_ms: list[float] = field(default_factory=list)
    p95_ms: list[float] = field(default_factory=list)


async def call(client: ollama.AsyncClient) -> float:
    began = time.perf_counter()
    stream = await client.chat("llama3.2", MESSAGES, stream=True)
    async for _ in stream:
        pass
    return (time.perf_counter() - began) * 1000


async def run_round(client: ollama.AsyncClient, *, at_once: int, calls: int) -> tuple[float, float]:
    """CPU milliseconds a call, and the 95th percentile of its duration."""
    left = iter(range(calls))

    async def talk() -> list[float]:
        return [await call(client) for _ in left]

    began = time.process_time()
    durations = await asyncio.gather(*(talk() for _ in range(at_once)))
    cpu_ms = (time.process_time() - began) * 1000 / calls
    every = sorted(duration for talked in durations for duration in talked)
    return cpu_ms, every[int(len(every) * 0.95)]


def ours(url: str) -> ollama.AsyncClient:
    road = Road(
        endpoint=parse_endpoint(url),
        model_id="llama3.2",
        is_local=True,
        trusted_hosts=(),
        resolve=resolve_host,
    )
    return open_client(OllamaTransport(road), read_seconds=120)


@asynccontextmanager
async def clients(url: str) -> AsyncIterator[dict[str, ollama.AsyncClient]]:
    opened = {"ours": ours(url), "bare": ollama.AsyncClient(host=url, trust_env=False)}
    try:
        yield opened
    finally:
        for client in opened.values():
            await client.close()


async def measure(url: str, *, at_once: int, calls: int, rounds: int) -> dict[str, Measured]:
    measured = {"ours": Measured(), "bare": Measured()}
    async with clients(url) as opened:
        for number in range(rounds + 1):
            for name, client in opened.items():
                cpu_ms, p95_ms = await run_round(client, at_once=at_once, calls=calls)
                if number:  # the first round opens connections
                    measured[name].cpu_ms.append(cpu_ms)
                    measured[name].p95_ms.append(p95_ms)
    return measured


def line(at_once: int, calls: int, measured: dict[str, Measured]) -> str:
    cpu = {name: statistics.median(each.cpu_ms) for name, each in measured.items()}
    p95 = {name: statistics.median(each.p95_ms) for name, each in measured.items()}
    return json.dumps(
        {
            "benchmark": "transport",
            "at_once": at_once,
            "calls": calls,
            "cpu_ms": {name: round(value, 3) for name, value in cpu.items()},
            "p95_ms": {name: round(value, 2) for name, value in p95.items()},
            "cpu_ratio": round(cpu["ours"] / cpu["bare"], 2),
            "p95_ratio": round(p95["ours"] / p95["bare"], 2),
            "load": round(os.getloadavg()[0], 2),
        }
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=400, help="calls in a round")
    options = parser.parse_args(arguments)
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.ollama_server",
            "--forget",
            "--reply",
            "Four words of reply.",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        for at_once in (1, 8, 64):
            measured = asyncio.run(
                measure(url, at_once=at_once, calls=options.calls, rounds=options.rounds)
            )
            print(line(at_once, options.calls, measured), flush=True)  # noqa: T201
    finally:
        server.terminate()
        server.wait(timeout=10)


if __name__ == "__main__":
    main()
