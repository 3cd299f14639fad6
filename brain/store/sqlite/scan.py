"""The search of files for what was forgotten: a process of its own.

    python -m brain.store.sqlite.scan    (a request on stdin, what was found on stdout, both JSON)

It has to be one: who opens and closes the file of a database beside SQLite, in the same process,
takes away the locks that SQLite holds on it. It also leaves the processor to who talks.
"""

import base64
import json
import os
import sqlite3
import stat
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from brain.store.fingerprints import Matcher, digests_of
from brain.store.sqlite.opening import open_reader

__all__ = ["main", "search"]

_READ_BYTES: Final = 1 << 20
_LOOK_BYTES: Final = 1 << 14  # a number of this size is quick to add and to shift
_ROWS: Final = 500
_LAST: Final = (
    "events",
    "migrations",
    "runs",
)  # they hold no content: looked at when all else failed
_NOT_SEARCHED: Final = ("forgettings",)

Jobs = Mapping[str, AbstractSet[bytes]]


def main() -> None:
    """Answer the request on stdin."""
    if hasattr(os, "nice"):
        os.nice(10)
    json.dump(search(json.load(sys.stdin)), sys.stdout)


def search(request: Mapping[str, Any]) -> dict[str, Any]:
    """Look for the fingerprints of each job in each file.

    `files` of the answer: path, bytes, and how many pieces of each job were found. `rows`: for each
    job, how many rows of each table hold pieces of it. `residue`: for each job, the pieces that the
    files of the database hold and no row explains.
    """
    prints = {job: base64.b64decode(text) for job, text in request["jobs"].items()}
    everything, key = b"".join(prints.values()), bytes.fromhex(request["key"])
    matcher = Matcher(everything, key)
    jobs = {job: digests_of(entries) for job, entries in prints.items()}
    database: list[str] = request["database"]
    files = []
    in_database: set[bytes] = set()
    for name in (*database, *request["files"]):
        looked = _look_at(Path(name), matcher, jobs)
        if looked is None:
            continue
        told, found = looked
        files.append(told)
        if name in database:
            in_database |= found
    rows, explained = _explain(
        Path(database[0]), Matcher(everything, key, in_database), jobs, in_database
    )
    left = in_database - explained
    return {
        "files": files,
        "rows": rows,
        "residue": {job: len(left & digests) for job, digests in jobs.items()},
    }


def _look_at(path: Path, matcher: Matcher, jobs: Jobs) -> tuple[dict[str, Any], set[bytes]] | None:
    """Search one file; None for one that is gone by now, or is no file."""
    told: dict[str, Any] = {"path": str(path), "bytes": 0, "found": {}, "error": ""}
    found: set[bytes] = set()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        found = matcher.find_in(_parts(path))
        told["bytes"] = path.stat().st_size
    except FileNotFoundError:
        return None
    except OSError as error:
        told["error"] = error.strerror or str(error)
    told["found"] = {job: len(found & own) for job, own in jobs.items() if found & own}
    return told, found


def _parts(path: Path) -> Iterator[bytes]:
    """Yield a file piece by piece, each with the end of the one before."""
    before = b""
    with path.open("rb", buffering=0) as file:
        while read := file.read(_READ_BYTES):
            content = before + read
            for start in range(0, len(content), _LOOK_BYTES):
                yield content[start : start + _LOOK_BYTES + Matcher.overlap]
            before = content[-Matcher.overlap :]


def _explain(
    path: Path, matcher: Matcher, jobs: Jobs, found: set[bytes]
) -> tuple[dict[str, dict[str, int]], set[bytes]]:
    """Return how many rows hold pieces of each job, and which pieces they explain.

    Another talk may hold the same words: such a piece is no remainder.
    """
    told: dict[str, dict[str, int]] = {job: {} for job in jobs}
    explained: set[bytes] = set()
    if not found:
        return told, explained
    with closing(open_reader(path)) as connection:
        for table in _tables(connection):
            if table in _LAST and found <= explained:
                break
            for held in _rows(connection, table, matcher):
                explained |= held
                for job, digests in jobs.items():
                    if held & digests:
                        told[job][table] = told[job].get(table, 0) + 1
    return told, explained


def _tables(connection: sqlite3.Connection) -> Iterable[str]:
    names = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not name.startswith("sqlite_") and name not in _NOT_SEARCHED
    ]
    return sorted(["sqlite_master", *names], key=lambda name: (name in _LAST, name))


def _rows(connection: sqlite3.Connection, table: str, matcher: Matcher) -> Iterator[set[bytes]]:
    """Yield the digests that each row of a table holds, of those that hold any.

    Many rows are looked at together: a zero ends each text, and no piece goes beyond.
    """
    cursor = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a name from the schema
    while rows := cursor.fetchmany(_ROWS):
        texts = [
            b"\0".join(value.encode() for value in row if isinstance(value, str)) for row in rows
        ]
        ends = list(accumulate(len(text) + 1 for text in texts))
        together = b"\0".join(texts)
        held: dict[int, set[bytes]] = {}
        for start in range(0, len(together), _LOOK_BYTES):
            part = together[start : start + _LOOK_BYTES + Matcher.overlap]
            for place, digest in matcher.places(part):
                held.setdefault(bisect_right(ends, start + place), set()).add(digest)
        yield from held.values()


if __name__ == "__main__":
    main()
