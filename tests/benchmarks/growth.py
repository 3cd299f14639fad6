"""What an exchange and two commands cost in a store that holds much, beside one that holds little.

The old rows belong to other conversations and to this one's earlier sessions, with an event for
each turn. They are written straight into the file: it is reads and writes after it that are measured.
"""

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

from brain.runtime import Runtime
from tests.benchmarks.lines import print_line, watched_load
from tests.benchmarks.product import opened, say
from tests.benchmarks.server import Server

__all__ = ["growth"]

_TALKS = 200
_SAID = ("exchange", "/notes", "/recall 5")


async def growth(server: Server, *, is_quick: bool) -> None:
    """The medians of many rows and of few."""
    few, many = (2_000, 100_000) if is_quick else (10_000, 1_000_000)
    rounds = 40 if is_quick else 100
    spent: dict[str, dict[int, list[float]]] = {text: {few: [], many: []} for text in _SAID}
    with tempfile.TemporaryDirectory() as name, watched_load(server.pid) as load:
        async with AsyncExitStack() as stack:
            runtimes = {
                rows: await _grown(stack, _folder(Path(name), rows), server, rows)
                for rows in (few, many)
            }
            for number in range(rounds):
                for rows, runtime in runtimes.items():
                    for text in _SAID:
                        said = f"Question {number}" if text == "exchange" else text
                        began = time.process_time()
                        await say(runtime, "talk 0", said)
                        spent[text][rows].append((time.process_time() - began) * 1000)
    for text, costs in spent.items():
        medians = {rows: statistics.median(each) for rows, each in costs.items()}
        print_line(
            f"growth_{text.strip('/').split(' ')[0]}_cpu", value=medians[many] / medians[few],
            target=1.2, load=load, few_ms=medians[few], many_ms=medians[many],
            few_rows=few, many_rows=many,
        )  # fmt: skip


async def _grown(stack: AsyncExitStack, folder: Path, server: Server, rows: int) -> Runtime:
    """Open a store, talk a little, fill it from outside while it is closed, and open it again."""
    async with opened(folder, server.url) as runtime:
        for talk in range(_TALKS):
            await say(runtime, f"talk {talk}", "Hello")
    _fill(folder / "state" / "brain.db", rows)
    runtime = await stack.enter_async_context(opened(folder, server.url))
    for number in range(12):
        await say(runtime, "talk 0", "/new" if number == 0 else f"Question {number}")
    return runtime


def _folder(parent: Path, rows: int) -> Path:
    folder = parent / str(rows)
    folder.mkdir()
    return folder


def _fill(path: Path, rows: int) -> None:
    """Copy turns and events until there are `rows` of each; the chain of events is not kept."""
    with sqlite3.connect(path) as sql:
        sql.execute("PRAGMA synchronous = OFF")
        for table, key, fresh in (("turns", "id", ()), ("events", "seq", ("id", "hash", "prev"))):
            names = [row[1] for row in sql.execute(f"PRAGMA table_info({table})")]
            have, newest = sql.execute(f"SELECT count(*), max({key}) FROM {table}").fetchone()  # noqa: S608
            for at, batch in _batches(newest, rows - have, have):
                shown = ", ".join(
                    f"{key} + {at}" if name == key
                    else "lower(hex(randomblob(16)))" if name in fresh
                    else name
                    for name in names
                )  # fmt: skip
                sql.execute(
                    f"INSERT INTO {table} ({', '.join(names)}) SELECT {shown} FROM {table} "  # noqa: S608
                    f"WHERE {key} <= {newest} ORDER BY {key} LIMIT {batch}"
                )
    sql.close()


def _batches(newest: int, wanted: int, have: int) -> Iterator[tuple[int, int]]:
    """Yield by how much the next copies' keys are higher, and how many copies are to be made."""
    at = newest
    while wanted > 0:
        batch = min(have, wanted)
        yield at, batch
        at += newest
        wanted -= batch
