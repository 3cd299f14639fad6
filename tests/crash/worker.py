"""A process that a test starts to write to a store, and to be killed.

    python -m tests.crash.worker fill FILE WRITERS CAP
    python -m tests.crash.worker load FILE POINT NUMBER WRITERS

`fill`: WRITERS tasks each try to add a note with its event, as long as the box holds fewer than CAP.
`load`: WRITERS tasks add notes with their events for ever; `ack TEXT` is printed once a note
is acknowledged.
At the NUMBERth commit the process kills itself: `before_commit` when the transaction is complete
but not committed, `after_commit` when it is durable but not acknowledged, `never` not at all.
"""

import asyncio
import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from brain.activity import Draft, Recorder
from brain.clock import SystemClock
from brain.config import Storage
from brain.ids import new_id
from brain.records import Box
from brain.store import NewNote, Store, Transaction, open_store
from brain.store.sqlite import store as store_module

BOX = Box(brain="home", scope="brain")


def add(tx: Transaction, recorder: Recorder, text: str, cap: int) -> int:
    """Add a note and its event if there is room; return its number, 0 for none."""
    if tx.note_count(BOX) >= cap:
        recorder.append(tx, Draft(type="note_refused", outcome="full"))
        return 0
    note = tx.add_note(
        NewNote(
            box=BOX,
            text=text,
            folded=text,
            origin="model",
            sensitivity="private",
            revision="r1",
        )
    )
    recorder.append(tx, Draft(type="note_stored", ref=note.note_id))
    return note.number


async def fill(store: Store, recorder: Recorder, writers: int, cap: int) -> None:
    async def one() -> None:
        while await store.write(lambda tx: add(tx, recorder, new_id(), cap)):
            pass

    await asyncio.gather(*(one() for _ in range(writers)))


async def load(store: Store, recorder: Recorder, writers: int) -> None:
    async def one() -> None:
        while True:
            text = new_id()
            await store.write(lambda tx, text=text: add(tx, recorder, text, 10**9))
            os.write(1, f"ack {text}\n".encode())

    await asyncio.gather(*(one() for _ in range(writers)))


def kill_at(point: str, number: int) -> None:
    """Have this process kill itself, from outside of the product: it has no hook for it."""
    real = sqlite3.connect
    counted = 0

    def count_and_kill() -> None:
        nonlocal counted
        counted += 1
        if counted == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(statement: str) -> None:
        if statement == "COMMIT":  # SQLite tells of a statement before it runs
            count_and_kill()

    def watched(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection = real(*args, **kwargs)
        connection.set_trace_callback(watch)
        return connection

    tell = store_module._settle

    def kill_or_tell(*told: Any) -> None:
        count_and_kill()
        tell(*told)

    if point == "before_commit":
        sqlite3.connect = watched  # type: ignore[assignment]
    elif point == "after_commit":
        store_module._settle = kill_or_tell


async def main() -> None:
    what, path = sys.argv[1], Path(sys.argv[2])
    if what == "load":
        kill_at(sys.argv[3], int(sys.argv[4]))
    async with open_store(Storage(path=path), clock=SystemClock()) as store:
        run_id = new_id()
        recorder = Recorder(run_id=run_id, revision="r1")

        def begin(tx: Transaction) -> None:
            tx.open_run(run_id)
            recorder.append(tx, Draft(type="runtime_started"))

        await store.write(begin)
        if what == "fill":
            await fill(store, recorder, int(sys.argv[3]), int(sys.argv[4]))
        else:
            await load(store, recorder, int(sys.argv[5]))
        await store.write(lambda tx: tx.close_run(run_id))


if __name__ == "__main__":
    asyncio.run(main())
