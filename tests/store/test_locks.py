import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from brain.config import Storage
from brain.errors import StoreBusy
from brain.store import Store, hold_conversation, hold_server, open_store
from tests.clocks import FakeClock

HOLDER = """
import asyncio, sys
from pathlib import Path
from brain.clock import SystemClock
from brain.config import Storage
from brain.store import hold_conversation, hold_server, open_store
folder = Path(sys.argv[1])
async def main():
    async with open_store(Storage(path=folder / "brain.db"), clock=SystemClock()) as store:
        with hold_conversation(folder, "console", "main"), hold_server(folder):
            await store.write(lambda tx: tx.open_run("child"))
            print("holding", flush=True)
            await asyncio.to_thread(sys.stdin.read)
        await store.write(lambda tx: tx.close_run("child"))
asyncio.run(main())
"""


@asynccontextmanager
async def holder(folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Another process with a run, the conversation and the server of this folder."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDER, str(folder), stdin=PIPE, stdout=PIPE
    )
    assert child.stdout is not None
    assert await child.stdout.readline() == b"holding\n"
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.communicate()


@pytest.fixture
async def store(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Store]:
    async with open_store(Storage(path=tmp_path / "brain.db"), clock=clock) as opened:
        yield opened


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


async def test_a_second_process_on_a_conversation_is_refused_by_name(tmp_path: Path) -> None:
    async with holder(tmp_path) as child:
        with (
            pytest.raises(StoreBusy) as caught,
            hold_conversation(tmp_path, "console", "main"),
        ):
            pass
        assert caught.value.message == (
            f"The conversation 'main' on 'console' is open in another brain (process {child.pid}), "
            "and one conversation is held by one process at a time. Nothing was started."
        )
        assert "--conversation NAME" in caught.value.fix
        with hold_conversation(tmp_path, "console", "other"):
            pass


async def test_a_second_server_on_a_store_is_refused(tmp_path: Path) -> None:
    async with holder(tmp_path) as child:
        with pytest.raises(StoreBusy, match=f"process {child.pid}"), hold_server(tmp_path):
            pass
    with hold_server(tmp_path):
        pass


async def test_a_lock_is_free_as_soon_as_its_process_is_dead(tmp_path: Path) -> None:
    async with holder(tmp_path) as child:
        child.kill()
        await child.wait()
        with hold_conversation(tmp_path, "console", "main"), hold_server(tmp_path):
            pass
    assert not [name for name in names(tmp_path / "locks") if not name.startswith("run-")]


def test_a_lock_names_no_content_and_leaves_no_file(tmp_path: Path) -> None:
    with hold_conversation(tmp_path, "console", "about my divorce"):
        (name,) = names(tmp_path / "locks")
        assert name.startswith("conversation-")
        assert "divorce" not in name
    assert names(tmp_path / "locks") == []


async def test_a_run_is_alive_while_its_process_is_and_dead_after(
    tmp_path: Path, store: Store
) -> None:
    await store.write(lambda tx: tx.open_run("mine"))
    async with holder(tmp_path) as child:
        assert await store.read(lambda rows: rows.open_runs()) == ("child", "mine")
        assert await store.read(lambda rows: rows.dead_runs()) == ()
        child.kill()
        await child.wait()
        assert await store.read(lambda rows: rows.dead_runs()) == ("child",)

    await store.write(lambda tx: tx.close_run("child"))
    assert await store.read(lambda rows: rows.dead_runs()) == ()
    assert "run-child.lock" not in names(tmp_path / "locks")


async def test_a_run_that_stopped_as_it_should_leaves_nothing(tmp_path: Path, store: Store) -> None:
    async with holder(tmp_path) as child:
        await child.communicate(b"")
    assert await store.read(lambda rows: rows.open_runs()) == ()
    assert names(tmp_path / "locks") == []


async def test_a_run_id_that_is_a_path_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="letters and digits only"):
        await store.write(lambda tx: tx.open_run("../x"))
