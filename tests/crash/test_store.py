"""Processes that share a file, and processes that die."""

import asyncio
import random
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from brain.activity import verify
from brain.config import Storage
from brain.store import EventFilter, Snapshot, open_store
from tests.clocks import FakeClock
from tests.crash.worker import BOX


async def start(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.crash.worker", *arguments, stdout=PIPE
    )


def what_is_kept(rows: Snapshot) -> tuple[list[str], list[str], list[str]]:
    """Return the texts of the notes, their ids, and the ids that events say were stored."""
    notes = rows.notes(BOX, may_read_private=True, limit=10**6)
    stored = rows.events(EventFilter(types=("note_stored",)), limit=10**6)
    return (
        [note.text for note in notes],
        [note.note_id for note in notes],
        [str(row["ref"]) for row in stored],
    )


async def check_invariants(path: Path, acknowledged: set[str]) -> int:
    """Reopen the file and check what must hold after any crash; return how many notes there are."""
    async with open_store(Storage(path=path), clock=FakeClock()) as store:
        texts, noted, recorded = await store.read(what_is_kept)
        found = await verify(store)
        dead = await store.read(lambda rows: rows.dead_runs())
        for run_id in dead:
            await store.write(lambda tx, run_id=run_id: tx.close_run(run_id))
    assert acknowledged <= set(texts), "an acknowledged note was lost"
    assert sorted(noted) == sorted(recorded), "a change without its event, or the other way round"
    assert (found.first_bad, found.reason) == (None, "")
    assert found.events == found.head_seq, "seq has a gap"
    assert len(dead) == 1, "the run that was killed is not known to be dead"
    return len(texts)


async def acknowledged_by(child: asyncio.subprocess.Process, enough: int | None) -> set[str]:
    """Read acknowledgements until there are `enough` (then kill), or until the child is dead."""
    assert child.stdout is not None
    texts: set[str] = set()
    while line := await child.stdout.readline():
        if not line.endswith(b"\n"):
            break
        texts.add(line.decode().split()[1])
        if enough is not None and len(texts) >= enough:
            child.kill()
            enough = None
    await child.wait()
    return texts


@pytest.mark.proves("P4", "P9")
async def test_many_writers_in_four_processes_never_exceed_the_cap_and_chain_their_events(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "home" / "brain.db"

    children = [await start("fill", str(path), "16", "100") for _ in range(4)]
    await asyncio.gather(*(child.communicate() for child in children))

    assert [child.returncode for child in children] == [0, 0, 0, 0]
    async with open_store(Storage(path=path), clock=clock) as store:
        notes = await store.read(lambda rows: rows.notes(BOX, may_read_private=True))
        refused = await store.read(
            lambda rows: rows.events(EventFilter(types=("note_refused",)), limit=1000)
        )
        found = await verify(store)
        runs = await store.read(lambda rows: rows.open_runs())
    assert [note.number for note in notes] == list(range(1, 101))
    assert len(refused) == 64
    assert (found.first_bad, found.events, found.head_seq) == (None, 168, 168)
    assert runs == ()


@pytest.mark.proves("P4", "P9")
@pytest.mark.parametrize("point", ["before_commit", "after_commit"])
@pytest.mark.parametrize("number", [4, 5, 9])
async def test_a_kill_at_a_commit_loses_nothing_that_was_acknowledged(
    tmp_path: Path, point: str, number: int
) -> None:
    path = tmp_path / "home" / "brain.db"

    child = await start("load", str(path), point, str(number), "1")
    acknowledged = await acknowledged_by(child, None)

    assert child.returncode == -9
    kept = await check_invariants(path, acknowledged)
    if point == "after_commit":
        assert kept == len(acknowledged) + 1, "a commit is durable before anyone is told"
    else:
        assert kept == len(acknowledged)


async def kill_under_load(tmp_path: Path, kills: int, seed: int) -> None:
    path = tmp_path / "home" / "brain.db"
    dice = random.Random(seed)  # noqa: S311 - moments, no secrets
    acknowledged: set[str] = set()
    for _ in range(kills):
        child = await start("load", str(path), "never", "0", "8")
        acknowledged |= await acknowledged_by(child, dice.randrange(1, 300))
        assert child.returncode == -9
        await check_invariants(path, acknowledged)


@pytest.mark.proves("P4", "P9")
async def test_a_kill_at_any_moment_under_load_loses_nothing(tmp_path: Path) -> None:
    await kill_under_load(tmp_path, kills=14, seed=1)


@pytest.mark.long
@pytest.mark.timeout(1800)
async def test_hundreds_of_kills_under_load_lose_nothing(tmp_path: Path) -> None:
    await kill_under_load(tmp_path, kills=500, seed=2)
