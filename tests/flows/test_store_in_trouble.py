"""What a person sees while the database can't be written, and when it can again."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from brain.records import Reply
from brain.store.sqlite import opening
from tests.flows.world import World, grant, open_world, sample


@pytest.fixture(autouse=True)
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a tenth of a second for a lock, not five: what follows is the same."""
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.1)


@contextmanager
def lock_held_elsewhere(folder: Path) -> Iterator[None]:
    """Hold the write lock of the world's database, as another program might."""
    connection = sqlite3.connect(folder / "state" / "brain.db", isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
    finally:
        connection.close()


async def outcomes(world: World, *texts: str) -> list[tuple[str, str]]:
    replies = [await world.say(text) for text in texts]
    return [(reply.outcome, reply.code) for reply in replies]


async def test_a_locked_database_fails_messages_honestly_and_service_resumes_by_itself(
    tmp_path: Path,
):
    document = grant(sample(), "memory_note", "allow")
    async with open_world(tmp_path, document, ["Hello.", "Back again."]) as world:
        assert await outcomes(world, "Hello") == [("answered", "")]
        with lock_held_elsewhere(tmp_path):
            failed = await world.say("Are you there?")
            assert (failed.outcome, failed.code) == ("failed", "store")
            assert "another" in failed.text.lower()
            assert len(world.model.requests) == 1
            noted = await world.say("/notes add The gate code is 7.")
            assert "nothing" in noted.text.lower()
        assert "gate" not in (await world.say("/notes")).text
        assert await outcomes(world, "And now?") == [("answered", "")]
        recovered = [row for row in await world.events("type", "counts") if "recovered" in row[0]]
        assert len(recovered) == 1
        assert recovered[0][1]["writes_failed"] >= 2
        said = [m.text for m in world.model.requests[-1].messages if m.role == "user"]
        assert said == ["Hello", "And now?"]


async def test_help_is_answered_while_the_database_is_locked(tmp_path: Path):
    async with open_world(tmp_path, sample()) as world:
        with lock_held_elsewhere(tmp_path):
            reply = await world.say("/help")

        assert reply.outcome == "command"
        assert "/notes" in reply.text


@contextmanager
def taken_away(folder: Path) -> Iterator[None]:
    """Move the world's database elsewhere for a while."""
    path = folder / "state" / "brain.db"
    elsewhere = path.rename(folder / "brain.db")
    try:
        yield
    finally:
        elsewhere.rename(path)


async def test_too_many_waiting_messages_are_refused_in_words_also_while_the_database_is_away(
    tmp_path: Path,
):
    async with open_world(tmp_path, sample()) as world:
        with taken_away(tmp_path):
            asked = [asyncio.create_task(world.say(f"message {number}")) for number in range(18)]
            replies: list[Reply] = await asyncio.gather(*asked)

        assert [reply.code for reply in replies] == ["store"] * 17 + ["busy"]
        assert replies[-1].text.startswith("16 messages of this conversation are waiting already")
