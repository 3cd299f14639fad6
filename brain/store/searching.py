"""The search of files for what was forgotten, as who cleans asks for it."""

import asyncio
import base64
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from brain.errors import StoreError
from brain.store.folder import BESIDE

__all__ = ["Found", "Searched", "search_files"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """One file that was searched. `found` are how many pieces of each job; `error` why none could be."""

    path: str
    size: int
    found: Mapping[str, int] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search came to.

    By job: how many rows of each table hold the same words, and how many pieces the database holds
    without a row that does.
    """

    files: tuple[Searched, ...]
    rows: Mapping[str, Mapping[str, int]]
    residue: Mapping[str, int]
    database: frozenset[str]

    def with_database(self, again: "Found") -> "Found":
        """Return this search with what a later one, of the database alone, found."""
        others = tuple(each for each in self.files if not self.is_database(each))
        return replace(again, files=(*again.files, *others))

    def is_database(self, file: Searched) -> bool:
        """Tell whether a file is the database or lies beside it: what it holds, rows may explain."""
        return file.path in self.database


async def search_files(
    database: Path, files: Sequence[Path], *, jobs: Mapping[str, bytes], key: bytes
) -> Found:
    """Search the database, what lies beside it and `files` for the fingerprints of each job.

    Raises StoreError where the search could not be made.
    """
    beside = [str(database), *(f"{database}{suffix}" for suffix in BESIDE)]
    request = {
        "database": beside,
        "files": [str(path) for path in files],
        "jobs": {job: base64.b64encode(prints).decode() for job, prints in jobs.items()},
        "key": key.hex(),
    }
    answer = json.loads(await _ask(json.dumps(request).encode()))
    return Found(
        files=tuple(
            Searched(
                path=each["path"], size=each["bytes"], found=each["found"], error=each["error"]
            )
            for each in answer["files"]
        ),
        rows=answer["rows"],
        residue=answer["residue"],
        database=frozenset(beside),
    )


async def _ask(request: bytes) -> bytes:
    """Have a process of its own answer; it ends with whoever asked."""
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # what lies in the folder of who started brain is not ours to run
            "-m",
            "brain.store.sqlite.scan",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except OSError as error:
        raise _not_made(f"it could not be started: {error.strerror}") from error
    try:
        answer, complaint = await process.communicate(request)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise _not_made(f"it ended with {process.returncode}: {_last_line(complaint)}")
    return answer


def _not_made(why: str) -> StoreError:
    return StoreError(
        f"The files could not be searched, {why}. What was removed stays removed.",
        fix="it is tried again while brain runs; brain forget receipt says how it stands",
    )


def _last_line(complaint: bytes) -> str:
    lines = complaint.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
