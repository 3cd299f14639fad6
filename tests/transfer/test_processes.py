"""Processes that share a store, and processes that die."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from brain.activity import verify
from tests.clocks import FakeClock
from tests.transfer.world import a_desk, everything, exported, fill


async def run(folder: Path, what: str, file: Path, number: int) -> int:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.transfer.dying", str(folder), what, str(file), str(number),
        stderr=PIPE,
    )  # fmt: skip
    _, told = await child.communicate()
    assert child.returncode in (0, -signal.SIGKILL), told.decode()
    return child.returncode


async def test_an_import_that_is_killed_leaves_nothing_and_the_next_one_takes_all(
    tmp_path: Path, clock: FakeClock
) -> None:
    file = tmp_path / "1.jsonl"
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)
        await exported(desk, file)
    async with a_desk(tmp_path / "b", clock) as desk:
        empty = everything(desk)

    killed = 0
    while await run(tmp_path / "b", "import", file, killed + 1):
        killed += 1
        async with a_desk(tmp_path / "b", clock) as desk:
            assert everything(desk) == empty
    async with a_desk(tmp_path / "b", clock) as desk:
        again = await desk.plan_import(file, what=("conversations", "notes", "rehearsals"))
        chain = await verify(desk.store)

    assert killed >= 1
    assert again.total("there") == 18
    assert (chain.first_bad, chain.events) == (None, 8)


async def test_an_export_that_is_killed_leaves_no_file_and_no_copy(
    tmp_path: Path, clock: FakeClock
) -> None:
    file = tmp_path / "out" / "1.jsonl"
    file.parent.mkdir()
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)

    died = await run(tmp_path / "a", "export", file, 7)

    assert died == -signal.SIGKILL
    assert not file.exists()
    assert [each for each in (tmp_path / "a" / "store").iterdir() if "copy" in each.name] == []
    assert await run(tmp_path / "a", "export", file, 99) == 0
    assert len(file.read_bytes().splitlines()) == 19


@pytest.mark.proves("P4")
async def test_two_processes_that_import_the_same_file_store_each_row_once(
    tmp_path: Path, clock: FakeClock
) -> None:
    file = tmp_path / "1.jsonl"
    async with a_desk(tmp_path / "a", clock) as desk:
        await fill(desk, clock)
        before = await exported(desk, file)
    async with a_desk(tmp_path / "b", clock):
        pass  # the store is there

    codes = await asyncio.gather(*(run(tmp_path / "b", "import", file, 10**6) for _ in range(2)))

    async with a_desk(tmp_path / "b", clock) as desk:
        after = await exported(desk, tmp_path / "2.jsonl")
        chain = await verify(desk.store)
    assert codes == [0, 0]
    assert after[0]["counts"] == before[0]["counts"]
    assert chain.first_bad is None
