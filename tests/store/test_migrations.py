"""From the oldest schema, with data, to one that this test makes up."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brain.config import Storage
from brain.errors import MigrationFailed
from brain.store import open_store
from brain.store.sqlite import archive, schema
from tests.clocks import FakeClock
from tests.store.test_contract import BOX, a_note, a_rehearsal

EVERY = schema.MIGRATIONS
FIRST = schema.MIGRATIONS[:1]


@pytest.fixture(autouse=True)
def only_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the steps of these tests follow the oldest schema, whatever has been added since."""
    monkeypatch.setattr(schema, "MIGRATIONS", FIRST)


def m002_colours(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE notes ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'")
    connection.execute("UPDATE notes SET colour = 'green'")


def m003_breaks(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM notes")
    connection.execute("INSERT INTO no_such_table VALUES (1)")


def m003_orphans(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM boxes")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "home" / "brain.db"


@pytest.fixture
async def old(database: Path, clock: FakeClock) -> Path:
    """A database as the first release leaves it."""
    async with open_store(Storage(path=database), clock=clock) as store:
        await store.write(lambda tx: [tx.add_note(a_note(text)) for text in ("one", "two")])
        await store.write(lambda tx: tx.keep_rehearsal(a_rehearsal("three"), at_most=9))
    (database.parent / "server.token").write_text("secret", encoding="utf-8")
    (database.parent / "prompt-history").write_text("+hello", encoding="utf-8")
    (database.parent / "unknown.txt").write_text("not ours", encoding="utf-8")
    return database


def add(monkeypatch: pytest.MonkeyPatch, *migrations: schema.Migration) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, *migrations))


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


EVERYTHING = "SELECT sql FROM sqlite_master UNION ALL SELECT text FROM notes"


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


async def open_and_count(path: Path, clock: FakeClock) -> int:
    async with open_store(Storage(path=path), clock=clock) as store:
        return await store.read(lambda rows: rows.note_count(BOX))


def test_the_migrations_are_named_in_order_and_none_was_lost() -> None:
    names = [migration.__name__ for migration in EVERY]

    assert names[:2] == ["m001_first_schema", "m002_receipts"]
    assert [name[:4] for name in names] == [f"m{n:03}" for n in range(1, len(names) + 1)]


async def test_a_migration_runs_once_and_is_recorded_with_its_time(
    old: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(monkeypatch, m002_colours)
    clock.advance(3600)

    assert await open_and_count(old, clock) == 2
    assert await open_and_count(old, clock) == 2

    assert query(old, "SELECT text, colour FROM notes ORDER BY number") == [
        ("one", "green"),
        ("two", "green"),
    ]
    assert query(old, "SELECT name, at FROM migrations ORDER BY position") == [
        ("m001_first_schema", "2026-03-02T09:00:00.000Z"),
        ("m002_colours", "2026-03-02T10:00:00.000Z"),
    ]


async def test_a_database_of_the_first_release_keeps_its_rows_and_is_as_a_new_one_is(
    old: Path, clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", EVERY)
    new = tmp_path / "new" / "brain.db"

    assert await open_and_count(old, clock) == 2
    assert await open_and_count(new, clock) == 0

    made = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    assert query(old, made) == query(new, made)


async def test_before_the_first_step_what_is_ours_is_archived_beside_the_folder(
    old: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(monkeypatch, m002_colours)

    await open_and_count(old, clock)

    kept = old.parent.with_name("home-before-m002_colours-20260302T090000Z")
    assert names(old.parent.parent) == ["home", kept.name]
    assert names(kept) == ["brain.db", "prompt-history", "server.token"]
    assert query(kept / "brain.db", "SELECT text FROM notes ORDER BY number") == [
        ("one",),
        ("two",),
    ]
    assert query(kept / "brain.db", "SELECT name FROM migrations") == [("m001_first_schema",)]
    assert (kept / "server.token").read_text(encoding="utf-8") == "secret"
    assert [f"{entry.stat().st_mode & 0o777:o}" for entry in (kept, kept / "brain.db")] == [
        "700",
        "600",
    ]


async def test_an_older_program_refuses_the_newer_file_and_reads_the_archive(
    old: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        add(newer, m002_colours)
        await open_and_count(old, clock)

    with pytest.raises(Exception, match="written by a newer brain"):
        await open_and_count(old, clock)
    kept = old.parent.with_name("home-before-m002_colours-20260302T090000Z")
    assert await open_and_count(kept / "brain.db", clock) == 2


@pytest.mark.parametrize(
    ("bad", "found"),
    [(m003_breaks, "no such table"), (m003_orphans, "lost what they refer to")],
    ids=["a step that fails", "rows that lost their parent"],
)
async def test_a_failed_upgrade_leaves_the_file_as_it_was_and_names_the_archive(
    old: Path,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    bad: schema.Migration,
    found: str,
) -> None:
    with monkeypatch.context() as newer:
        add(newer, m002_colours, bad)
        with pytest.raises(MigrationFailed, match=found) as caught:
            await open_and_count(old, clock)

    assert bad.__name__ in caught.value.message
    assert "home-before-m002_colours-20260302T090000Z" in caught.value.message
    assert "The file is as it was and nothing was started" in caught.value.message
    assert await open_and_count(old, clock) == 2
    assert query(old, "SELECT name FROM migrations") == [("m001_first_schema",)]


@pytest.mark.parametrize("reason", ["damaged copy", "no room"])
async def test_without_an_archive_nothing_is_upgraded(
    old: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    before = query(old, EVERYTHING)
    if reason == "no room":
        # A file where the archive's folder has to be made stands for a disk that refuses.
        (old.parent.parent / "home-before-m002_colours-20260302T090000Z.partial").touch()
    else:
        counts = iter([{"notes": 2}, {"notes": 1}])
        monkeypatch.setattr(archive, "count_rows", lambda _connection: next(counts))
    with monkeypatch.context() as newer:
        add(newer, m002_colours)
        with pytest.raises(MigrationFailed, match="no archive of it could be made") as caught:
            await open_and_count(old, clock)

    assert "make room beside the data folder" in caught.value.fix
    assert "-before-" not in "".join(names(old.parent.parent)).replace(".partial", "") or (
        reason == "no room"
    )
    assert query(old, EVERYTHING) == before
    assert await open_and_count(old, clock) == 2


async def test_two_that_open_an_old_file_at_once_upgrade_it_once(
    old: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(monkeypatch, m002_colours)

    counts = await asyncio.gather(*(open_and_count(old, clock) for _ in range(3)))

    assert counts == [2, 2, 2]
    assert len(query(old, "SELECT name FROM migrations")) == 2
    assert len(names(old.parent.parent)) == 2


TALK = "INSERT INTO conversations (id, channel, conversation) VALUES ('talk', 'http', 'main')"
SESSION = "INSERT INTO sessions (conversation_id, number, started_at) VALUES ('talk', 1, 0)"
ACTOR = "INSERT INTO actors (id, channel, sender) VALUES (?, ?, ?)"
TURN = (
    "INSERT INTO turns (id, conversation_id, session, role, kind, text, at, brain, sensitivity, "
    "exchange_id, sender, is_tainted, is_cut) VALUES "
    "(?, 'talk', 1, 'user', 'said', 'tea', 0, 'assistant', 'private', 'e', ?, 0, 0)"
)
SEEN = "INSERT INTO seen_messages (channel, message_id, at, state, turn_id) VALUES (?, ?, 0, ?, ?)"

SENDERS_OF_BEFORE = {
    # by its turn, whatever its id begins with: a gateway names the senders of its messages
    ("http", "gate/1", "waiting", 11): "ana",
    ("http", "gate/2", "begun", 12): "bo",
    ("http", "gate/3", "settled", 12): "bo",
    # its turn is not known, or was forgotten since: by the name that its id begins with
    ("http", "ana/1", "settled", 0): "ana",
    ("http", "ana/2", "begun", 99): "ana",
    ("http", "ana/x/1", "settled", 0): "ana/x",
    # nobody of that name, there or at all
    ("http", "anabel/1", "settled", 0): "",
    ("http", "vice/1", "settled", 0): "",
    ("http", "1001", "waiting", 0): "",
    ("bot", "vice/1", "settled", 0): "vice",
    ("bot", "ana/1", "begun", 0): "",
}


async def test_marks_of_messages_from_before_get_the_sender_that_a_forgetting_finds_them_by(
    database: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [step.__name__ for step in EVERY].index("m007_senders_of_messages")
    with monkeypatch.context() as older:
        older.setattr(schema, "MIGRATIONS", EVERY[:before])
        await open_and_count(database, clock)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(TALK)
        connection.execute(SESSION)
        people = [("http", "ana"), ("http", "ana/x"), ("http", "bo"), ("bot", "vice")]
        connection.executemany(ACTOR, [(f"{of}-{name}", of, name) for of, name in people])
        connection.executemany(TURN, [(11, "ana"), (12, "bo")])
        connection.executemany(SEEN, list(SENDERS_OF_BEFORE))
    monkeypatch.setattr(schema, "MIGRATIONS", EVERY)

    await open_and_count(database, clock)
    after = "SELECT channel, message_id, state, turn_id, sender FROM seen_messages"
    found = {tuple(row[:4]): row[4] for row in query(database, after)}
    async with open_store(Storage(path=database), clock=clock) as store:
        gone = await store.write(lambda tx: tx.erase_seen("http", "ana"))

    assert found == SENDERS_OF_BEFORE
    assert gone == 3


async def test_what_listings_tell_is_counted_once_for_what_was_there_before(
    database: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [step.__name__ for step in EVERY].index("m009_what_listings_tell")
    with monkeypatch.context() as older:
        older.setattr(schema, "MIGRATIONS", EVERY[:before])
        await open_and_count(database, clock)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(TALK)
        connection.execute(SESSION)
        connection.execute(TALK.replace("'talk'", "'other'").replace("'main'", "'other'"))
        connection.executemany(TURN.replace(" 0, 'assistant'", " 7000, 'assistant'"), [(1, "a")])
        connection.executemany(TURN, [(2, "a"), (3, "b")])
        connection.execute("UPDATE turns SET at = 9000 WHERE id = 3")
    monkeypatch.setattr(schema, "MIGRATIONS", EVERY)

    async with open_store(Storage(path=database), clock=clock) as store:
        listed = await store.read(lambda rows: rows.talks(limit=9))
        sessions = await store.read(lambda rows: rows.sessions("talk", limit=9))

    assert [(each.conversation_id, each.sessions, each.turns) for each in listed] == [
        ("talk", 1, 3),
        ("other", 0, 0),
    ]
    assert listed[0].last_at is not None
    assert (listed[0].last_at.timestamp(), listed[1].last_at) == (9, None)
    assert [each.turns for each in sessions] == [3]
