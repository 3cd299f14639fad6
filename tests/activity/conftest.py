"""A file store, a recorder, and a way for a test to be the one who tampers."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from brain.activity import Draft, Facts, Recorder
from brain.config import Storage
from brain.store import Store, open_store
from tests.clocks import FakeClock

TALK = "a" * 32


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "home" / "brain.db"


@pytest.fixture
async def store(database: Path, clock: FakeClock) -> AsyncIterator[Store]:
    async with open_store(Storage(path=database), clock=clock) as opened:
        yield opened


@pytest.fixture
def recorder() -> Recorder:
    return Recorder(run_id="run1", revision="r1")


@pytest.fixture
def tamper(database: Path) -> Callable[..., None]:
    """Run statements on the file behind brain's back."""

    def run(*statements: str) -> None:
        with closing(sqlite3.connect(database)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return run


DRAFTS = (
    Draft(type="runtime_started", revision="r0", revision_before="r9", paths=("log.level",)),
    Draft(type="message_received", brain="home", channel="console", conversation=TALK),
    Draft(
        type="tool_denied",
        brain="home",
        channel="console",
        conversation=TALK,
        actor="b" * 32,
        exchange="x1",
        tool="memory_note",
        mode="deny",
        outcome="denied",
        rule="channel",
        origin="model",
        facts=Facts(local=True, sensitivity="private", tainted=False),
        model="ollama/llama3.2",
        proof="p1",
        tokens={"reply": 2, "prompt": 10},
        latency_ms=3,
        ref="c" * 32,
        counts={"notes": 1},
        codes=("full",),
    ),
    Draft(type="reply_sent", brain="home"),
    Draft(type="runtime_stopped"),
)


async def record(store: Store, recorder: Recorder, drafts: tuple[Draft, ...] = DRAFTS) -> None:
    for draft in drafts:
        await store.write(lambda tx, draft=draft: recorder.append(tx, draft))
