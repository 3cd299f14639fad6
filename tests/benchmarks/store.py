"""Durable events with 64 writers, beside aiosqlite with a commit for each: one line of JSON.

    python -m tests.benchmarks.store [EVENTS]

The yardstick writes the same rows (chained, same columns and indexes) in the way that aiosqlite's
documentation shows: execute, then commit, behind a lock, as its connection has one transaction.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import aiosqlite

from brain.activity import Draft, Recorder
from brain.activity.chain import hash_of
from brain.clock import SystemClock
from brain.config import Storage
from brain.store import open_store
from brain.store.sqlite.events import INSERT_EVENT, event_values

WRITERS = 64
DRAFT = Draft(type="message_received", brain="home", channel="console", conversation="a" * 32)


async def grouped(path: Path, events: int) -> float:
    """Return how many events a second our store makes durable."""
    async with open_store(Storage(path=path), clock=SystemClock()) as store:
        recorder = Recorder(run_id="run1", revision="r1")

        async def one() -> None:
            for _ in range(events // WRITERS):
                await store.write(lambda tx: recorder.append(tx, DRAFT))

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(WRITERS)))
        return (events // WRITERS) * WRITERS / (time.perf_counter() - began)


async def one_by_one(path: Path, events: int) -> float:
    """Return how many events a second aiosqlite makes durable with a commit for each."""
    async with open_store(Storage(path=path), clock=SystemClock()) as store:
        recorder = Recorder(run_id="run1", revision="r1")
        made = await store.write(lambda tx: recorder.append(tx, DRAFT))
    lock = asyncio.Lock()
    head = made
    async with aiosqlite.connect(path) as connection:
        await connection.execute("PRAGMA synchronous = FULL")

        async def one() -> None:
            nonlocal head
            for _ in range(events // WRITERS):
                async with lock:
                    row = {**head, "seq": int(str(head["seq"])) + 1, "prev": head["hash"]}
                    row["hash"] = hash_of(str(row["prev"]), row)
                    await connection.execute(INSERT_EVENT, event_values(row))
                    await connection.commit()
                    head = row

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(WRITERS)))
        return (events // WRITERS) * WRITERS / (time.perf_counter() - began)


async def main() -> None:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 6400
    with tempfile.TemporaryDirectory() as folder:
        ours = await grouped(Path(folder) / "ours" / "brain.db", events)
        theirs = await one_by_one(Path(folder) / "theirs" / "brain.db", max(events // 8, WRITERS))
    figures = {
        "benchmark": "durable events, 64 writers",
        "grouped_per_second": round(ours),
        "one_by_one_per_second": round(theirs),
        "ratio": round(ours / theirs, 1),
        "target_ratio": 10,
        "load_of_others": round(os.getloadavg()[0], 2),
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
