"""The job behind a forgetting: no byte is left, whatever was under way, and the receipt says so."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.activity import verify
from brain.errors import StoreUnusable
from brain.memory import Target
from brain.runtime import cleaning
from brain.store import PROMPT_HISTORY, back_up_store, hold_forgetting, hold_restore
from tests.clocks import FakeClock
from tests.flows.test_commands import Held
from tests.flows.test_first_conversation import noting
from tests.flows.world import World, grant, open_world, sample
from tests.forgetting.bytes_left import bytes_left
from tests.forgetting.job import finished

CANARY = 'The canary "Zoë" sings at 4 o’clock beside the THIRD flowerpot in our back yard.'
LONG = " ".join(f"canary{random.Random(7).random()}{each}" for each in range(250))  # noqa: S311 - a text
MAIN = {"kind": "conversation", "channel": "console", "conversation": "main"}


def allowing(scope: str = "conversation") -> dict[str, Any]:
    document = grant(sample(), "memory_note", "allow")
    document["brains"][0]["agent"]["memory"]["scope"] = scope
    return document


async def forget(world: World, **target: Any) -> None:
    await world.runtime.desk("owner").forget(Target(**target))


@pytest.mark.proves("P11")
@pytest.mark.parametrize("text", [CANARY, LONG], ids=["short", "over many pages"])
async def test_no_byte_of_a_forgotten_conversation_is_left_while_brain_runs_and_after(
    tmp_path: Path, text: str
) -> None:
    replies = [noting(CANARY), f"Noted: {text}", "Hello."]
    async with open_world(tmp_path, allowing(), replies) as world:
        assert (await world.say(f"Remember this. {text}")).text == f"Noted: {text}"
        await world.say("hi", conversation="other")
        assert bytes_left(text, tmp_path / "state") != []
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)

        assert bytes_left(text, tmp_path / "state") == []
        assert done.receipt is not None
        assert (done.receipt["outcome"], done.receipt["found"]) == ("clean", [])
        assert (await verify(world.runtime.store)).is_whole
        assert (await world.events("type"))[-1] == ("forgotten",)
    assert bytes_left(text, tmp_path) == []


@pytest.mark.proves("P11")
@pytest.mark.parametrize("command", ["/notes drop 1", "/notes clear"])
async def test_a_command_goes_the_same_road_and_the_rehearsal_in_json_goes_too(
    tmp_path: Path, command: str
) -> None:
    replies = [noting(CANARY), "It was only rehearsed."]
    async with open_world(tmp_path, sample(), replies) as world:
        await world.say("Remember what I told you of the bird.")
        await world.say(f"/notes add {CANARY}")
        assert bytes_left(CANARY, tmp_path / "state") != []
        reply = await world.say(command)
        done = await finished(world.runtime.store, world.clock)

        assert "brain forget receipt" in reply.text
        assert dict(done.counts) == {"notes": 1, "rehearsals": 1}
        assert bytes_left(CANARY, tmp_path / "state") == []


@pytest.mark.proves("P11")
async def test_an_answer_under_way_puts_nothing_back_and_its_person_is_told(tmp_path: Path) -> None:
    model = Held(f"You said: {CANARY}", clock=FakeClock())
    async with open_world(tmp_path, allowing("brain"), model=model, clock=FakeClock()) as world:
        answering = asyncio.create_task(world.say(f"Listen. {CANARY}"))
        await model.is_asked.wait()
        await forget(world, **MAIN)
        model.may_answer.set()
        reply = await answering
        await finished(world.runtime.store, world.clock)

        assert reply.text == f"You said: {CANARY}"
        assert any("of this talk was forgotten meanwhile" in notice for notice in reply.notices)
        assert ("reply_sent",) in await world.events("type"), "what happened is on record"
    assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
@pytest.mark.parametrize("mode", ["allow", "shadow"])
async def test_a_call_under_way_puts_no_note_and_no_rehearsal_back(
    tmp_path: Path, mode: str
) -> None:
    document = grant(allowing("brain"), "memory_note", mode)
    model = Held(noting(CANARY), "Done.", clock=FakeClock())  # type: ignore[arg-type] # any script
    async with open_world(tmp_path, document, model=model, clock=FakeClock()) as world:
        answering = asyncio.create_task(world.say(f"Remember: {CANARY}"))
        await model.is_asked.wait()
        await forget(world, **MAIN)
        model.may_answer.set()
        reply = await answering
        await finished(world.runtime.store, world.clock)

        assert [effect.kind for effect in reply.effects] == ["refused"]
    assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
@pytest.mark.parametrize("scope", ["conversation", "brain"])
async def test_an_answer_under_way_with_a_note_in_its_prompt_does_not_keep_its_words(
    tmp_path: Path, scope: str
) -> None:
    model = Held(f"As I noted: {CANARY}", clock=FakeClock())
    async with open_world(tmp_path, allowing(scope), model=model, clock=FakeClock()) as world:
        await world.say(f"/notes add {CANARY}")
        answering = asyncio.create_task(world.say("What do you know?"))
        await model.is_asked.wait()
        desk = world.runtime.desk("owner")
        await desk.forget(desk.meant(desk.place(), kind="note", number=1, has_transcript=True))
        model.may_answer.set()
        assert (await answering).outcome == "answered"
        await finished(world.runtime.store, world.clock)
    assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
async def test_an_answer_that_is_cancelled_after_its_talk_was_forgotten_keeps_nothing(
    tmp_path: Path,
) -> None:
    model = Held(CANARY, clock=FakeClock())
    async with open_world(tmp_path, sample(), model=model, clock=FakeClock()) as world:
        answering = asyncio.create_task(world.say(CANARY))
        await model.is_asked.wait()
        await forget(world, **MAIN)
        answering.cancel()
        await asyncio.gather(answering, return_exceptions=True)
        await finished(world.runtime.store, world.clock)
        assert ("exchange_cancelled",) in await world.events("type")
    assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
async def test_a_message_that_waits_while_its_talk_is_forgotten_goes_with_it_and_may_come_again(
    tmp_path: Path,
) -> None:
    model = Held("One.", "Two.", clock=FakeClock())
    async with open_world(tmp_path, sample(), model=model, clock=FakeClock()) as world:
        first = asyncio.create_task(world.say("hi"))
        await model.is_asked.wait()
        second = asyncio.create_task(world.say(CANARY, message_id="m2"))
        while (await world.events("type")).count(("message_received",)) < 2:
            await world.say("/help")
        await forget(world, **MAIN)
        model.may_answer.set()
        replies = await asyncio.gather(first, second)
        await finished(world.runtime.store, world.clock)

        assert [(reply.text[:4], reply.code) for reply in replies] == [
            ("One.", ""),
            ("This", "forgotten"),
        ]
        assert bytes_left(CANARY, tmp_path) == []
        assert (await world.say("hello", message_id="m2")).text == "Two."
        rows = await world.runtime.store.read(lambda rows: rows.talks(limit=10))
        assert [(row.conversation, row.turns) for row in rows] == [("main", 2)]


@pytest.mark.proves("P11")
async def test_the_same_message_afterwards_works_as_new_and_is_no_remainder(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        await world.say(CANARY)
        before = await world.runtime.store.read(
            lambda rows: rows.conversation_id("console", "main")
        )
        await forget(world, **MAIN)
        reply = await world.say(CANARY)
        done = await finished(world.runtime.store, world.clock)
        after = await world.runtime.store.read(lambda rows: rows.conversation_id("console", "main"))

        assert (reply.text, after == before) == ("Two.", False)
        assert len(world.model.requests[-1].messages) == 1, "no history came along"
        assert done.receipt is not None
        assert done.receipt["outcome"] in ("clean", "elsewhere"), "what is told anew is a row"
        assert done.receipt["found"] == []


@pytest.mark.proves("P11")
async def test_the_receipt_names_the_rows_and_the_copies_that_hold_the_same_words(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        await world.say(CANARY)
        await world.say(f"As I said: {CANARY}", conversation="other")
        backup = tmp_path / "state-backup-20260302T090000Z"
        shutil.copytree(tmp_path / "state", backup, ignore=shutil.ignore_patterns("locks"))
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)

        assert done.receipt is not None
        assert done.receipt["outcome"] == "elsewhere"
        assert done.receipt["rows"] == {"turns": 1}
        assert str(backup / "brain.db-wal") in done.receipt["copies"]
        assert done.receipt["found"] == []


@pytest.mark.proves("P11")
async def test_copies_that_are_too_much_to_be_searched_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        for name, size in (("backup-1", 10), ("before-m9-2", 200), ("replaced-3", 10)):
            folder = tmp_path / f"state-{name}"
            folder.mkdir()
            (folder / "brain.db").write_bytes(CANARY.encode() + bytes(size))
        monkeypatch.setattr(cleaning, "COPIES_BYTES", 250)
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)

        assert done.receipt is not None
        held, unsearched = done.receipt["copies"], done.receipt["copies_unsearched"]
        assert isinstance(held, list)
        assert isinstance(unsearched, list)
        assert len(held) + len(unsearched) == 3
        assert str(tmp_path / "state-before-m9-2") in unsearched
        assert done.receipt["outcome"] == "elsewhere"


@pytest.mark.proves("P11")
async def test_a_folder_that_goes_while_it_is_looked_at_ends_one_try_and_not_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks = 0

    def vanishing(database: Path) -> tuple[Path, ...]:
        nonlocal looks
        looks += 1
        if looks == 1:
            raise FileNotFoundError(2, "No such file or directory")
        return ()

    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        monkeypatch.setattr(cleaning, "copied_folders", vanishing)
        await world.say(CANARY)
        await forget(world, **MAIN)
        async with asyncio.timeout(20):
            while looks == 0:
                await asyncio.to_thread(len, "")  # the job runs in the background
        await world.say("Something else.")
        await forget(world, **MAIN)  # whoever forgets next wakes it
        done = await finished(world.runtime.store, world.clock, jobs=2)

    assert done.receipt is not None
    assert done.receipt["outcome"] == "clean"
    assert "not_finished" in "".join(capsys.readouterr())


@pytest.mark.proves("P11")
async def test_rows_that_go_while_it_is_searched_are_searched_for_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, calls = cleaning.search_files, 0

    async def first_with_a_remainder(*words: Any, jobs: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        found = await search(*words, jobs=jobs, **named)
        return found if calls > 1 else replace(found, residue=dict.fromkeys(jobs, 1))

    monkeypatch.setattr(cleaning, "search_files", first_with_a_remainder)
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)

        assert done.receipt is not None
        assert (calls, done.receipt["rounds"], done.receipt["outcome"]) == (2, 2, "clean")


@pytest.mark.proves("P11")
async def test_bytes_in_the_database_that_no_row_explains_are_told(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        with closing(sqlite3.connect(tmp_path / "state" / "brain.db")) as connection:
            connection.execute("CREATE TABLE stray (content BLOB)")
            connection.execute("INSERT INTO stray VALUES (?)", (CANARY.encode(),))
            connection.commit()
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)

        assert done.receipt is not None
        assert (done.receipt["rounds"], done.receipt["outcome"]) == (3, "found")
        assert done.receipt["found"] == [str(tmp_path / "state" / "brain.db")]


@pytest.mark.proves("P11")
async def test_bytes_that_are_left_in_a_file_of_brain_are_told_and_not_passed_over(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        left = tmp_path / "state" / "brain.db.incoming"
        left.write_bytes(b"\0" * 5000 + CANARY.encode())
        with hold_restore(tmp_path / "state"):  # it is copied in by a process that lives
            await forget(world, **MAIN)
            done = await finished(world.runtime.store, world.clock)

        assert done.receipt is not None
        assert (done.receipt["outcome"], done.receipt["found"]) == ("found", [str(left)])
        assert (await world.events("type", "outcome"))[-1] == ("forgotten", "found")


@pytest.mark.proves("P11")
async def test_what_killed_processes_left_half_made_is_removed(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        for name in (".copy-x1", "brain.db.incoming", ".brain.db.incoming-x2"):
            (tmp_path / "state" / name).write_bytes(CANARY.encode())
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)

        assert done.receipt is not None
        assert done.receipt["outcome"] == "clean"
        assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
async def test_files_of_others_in_the_data_folder_are_searched_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        (folder / "kept").mkdir()
        held = [folder / "brain.db.bak", folder / "kept" / "notes.txt"]
        for each in held:
            each.write_bytes(CANARY.encode())
        (folder / "other.txt").write_text("nothing of it")
        (folder / "huge").write_bytes(bytes(5000) + CANARY.encode())
        monkeypatch.setattr(cleaning, "COPIES_BYTES", 5000)
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)

        assert done.receipt is not None
        assert done.receipt["outcome"] == "elsewhere"
        assert sorted(done.receipt["other_files"]) == list(map(str, held))  # type: ignore[arg-type]
        assert done.receipt["copies_unsearched"] == [str(folder / "huge")]
        assert str(folder / "other.txt") not in str(done.receipt["files"])


@pytest.mark.proves("P11")
async def test_short_words_and_commands_go_from_the_history_of_the_prompt_with_their_talk(
    tmp_path: Path,
) -> None:
    history = tmp_path / "state" / PROMPT_HISTORY
    typed = ["PIN 4711", "/recall WALRUS secret matter", "my PIN 4711 is not yours", "/new ok"]
    lines = "".join(f"\n# then\n+{line}\n" for line in typed)
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        history.write_text(lines, "utf-8")
        await world.say("PIN 4711")
        await forget(world, **MAIN)
        await finished(world.runtime.store, world.clock)

        assert history.read_text("utf-8") == "\n# then\n+my PIN 4711 is not yours\n"


@pytest.mark.proves("P11")
async def test_a_short_note_goes_from_the_command_that_wrote_it_and_other_commands_stay(
    tmp_path: Path,
) -> None:
    history = tmp_path / "state" / PROMPT_HISTORY
    async with open_world(tmp_path, allowing(), []) as world:
        history.write_text("\n# then\n+/notes add PIN 4711\n\n# then\n+/notes\n", "utf-8")
        await world.say("/notes add PIN 4711")
        await world.say("/notes drop 1")
        await finished(world.runtime.store, world.clock)

        assert history.read_text("utf-8") == "\n# then\n+/notes\n"


@pytest.mark.proves("P11")
async def test_the_history_of_the_prompt_loses_what_was_forgotten_and_keeps_the_rest(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["One."]) as world:
        history = tmp_path / "state" / PROMPT_HISTORY
        history.write_text(
            "\n# 2026-03-02 09:00:00\n+good morning\n"
            f"\n# 2026-03-02 09:01:00\n+first line\n+{CANARY}\n"
            "\n# 2026-03-02 09:02:00\n+and good night\n",
            encoding="utf-8",
        )
        await world.say(f"first line\n{CANARY}")
        await forget(world, **MAIN)
        await finished(world.runtime.store, world.clock)

        lines = history.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if line.startswith("+")] == [
            "+good morning",
            "+and good night",
        ]
    assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
async def test_what_is_forgotten_while_others_are_cleaned_up_after_is_not_left_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second command finds the lock held and leaves its job to whoever holds it."""
    end, ended = cleaning.Cleaner._end, 0
    async with open_world(tmp_path, sample(), ["One.", "Two."]) as world:
        await world.say(CANARY)
        await world.say(f"again: {CANARY}", conversation="other")
        cleaner = world.runtime._cleaner
        cleaner.wake = lambda: None  # type: ignore[method-assign] # one cleans, when it is told to

        async def ending(self: cleaning.Cleaner, *words: Any) -> None:
            nonlocal ended
            ended += 1
            await end(self, *words)
            if ended == 1:
                await forget(world, **MAIN | {"conversation": "other"})

        monkeypatch.setattr(cleaning.Cleaner, "_end", ending)
        await forget(world, **MAIN)
        assert await cleaner.clean()

        assert await world.runtime.store.read(lambda rows: rows.waiting_forgettings()) == ()
        assert ended == 2
    assert bytes_left(CANARY, tmp_path) == []


async def test_another_process_that_cleans_is_waited_for_and_not_for_ever(tmp_path: Path) -> None:
    clock, heard = FakeClock(), list[str]()
    async with open_world(tmp_path, sample(), ["One."], clock=clock) as world:
        await world.say(CANARY)
        cleaner = world.runtime._cleaner
        cleaner.wake = lambda: None  # type: ignore[method-assign] # killed here
        assert world.runtime._cleaning is not None
        world.runtime._cleaning.cancel()  # the job is that of the command alone
        await forget(world, **MAIN)

        async def outcome() -> bool:
            waiting = asyncio.create_task(
                cleaner.clean_or_wait(tell=heard.append, patience_seconds=1e6)
            )
            while not waiting.done():
                clock.advance(cleaning.OTHERS_SECONDS / 4)
                await asyncio.to_thread(len, "")
            return await waiting

        with hold_forgetting(tmp_path / "state"):
            assert await outcome() is False
        assert heard == ["another brain process cleans the files; it is waited for"]
        assert await outcome() is True
        assert await world.runtime.store.read(lambda rows: rows.waiting_forgettings()) == ()


@pytest.mark.parametrize("left", [b"", b"half a key"])
async def test_a_damaged_key_is_made_anew_for_its_owner_alone(tmp_path: Path, left: bytes) -> None:
    key = tmp_path / "state" / "forgetting.key"
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        world.runtime._cleaner.wake = lambda: None  # type: ignore[method-assign] # nobody cleans
        key.write_bytes(left)
        key.chmod(0o644)
        await forget(world, **MAIN)

        assert (len(key.read_bytes()), key.stat().st_mode & 0o777) == (32, 0o600)


async def test_a_forgetting_that_is_taken_back_leaves_no_key(tmp_path: Path) -> None:
    key = tmp_path / "state" / "forgetting.key"

    def failing(tx: Any) -> None:
        tx.open_forgetting(kind="note", texts=[CANARY], counts={}, has_transcript=False)
        assert key.exists(), "it is there before anything is hashed with it"
        tx._sql.row("PRAGMA max_page_count = 1")
        tx._sql.run("CREATE TABLE more AS SELECT zeroblob(1000000)")

    async with open_world(tmp_path, sample(), []) as world:
        store = world.runtime.store
        with pytest.raises(StoreUnusable, match="no room left"):
            await store.write(failing)
        assert not key.exists()

        outcomes = await asyncio.gather(
            *(store.write(failing), store.write(lambda tx: tx.now)), return_exceptions=True
        )
        assert isinstance(outcomes[0], StoreUnusable)
        assert not key.exists()
        assert await store.read(lambda rows: rows.waiting_forgettings()) == ()


async def test_a_key_of_a_process_that_was_killed_before_its_job_was_kept_goes_with_the_next(
    tmp_path: Path,
) -> None:
    key = tmp_path / "state" / "forgetting.key"
    async with open_world(tmp_path, sample(), []) as world:
        key.write_bytes(bytes(32))
        assert await world.runtime._cleaner.clean()
        assert not key.exists()


async def test_a_job_without_its_key_says_that_nothing_was_searched(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        world.runtime._cleaner.wake = lambda: None  # type: ignore[method-assign] # killed here
        await forget(world, **MAIN)
        (tmp_path / "state" / "forgetting.key").unlink()
    async with open_world(tmp_path, sample(), []) as world:
        done = await finished(world.runtime.store, world.clock)
        assert done.receipt is not None
        assert done.receipt["outcome"] == "unsearched"
    assert bytes_left(CANARY, tmp_path) == []


@pytest.mark.proves("P11")
async def test_what_waits_can_not_be_read_and_its_key_goes_with_the_last_job(
    tmp_path: Path,
) -> None:
    key = tmp_path / "state" / "forgetting.key"
    async with open_world(tmp_path, sample(), ["One."]) as world:
        await world.say(CANARY)
        world.runtime._cleaner.wake = lambda: None  # type: ignore[method-assign] # nobody cleans
        await forget(world, **MAIN)
        with closing(sqlite3.connect(tmp_path / "state" / "brain.db")) as connection:
            dump = "\n".join(connection.iterdump()).encode()
        waiting = await world.runtime.store.read(lambda rows: rows.waiting_forgettings())
        assert key.stat().st_mode & 0o077 == 0
        storage = world.runtime.config.storage
        assert storage is not None
        backup = await back_up_store(storage, into=tmp_path / "copy", now=world.clock.now())
        assert key.name not in {path.name for path in backup.folder.iterdir()}
        assert len(waiting[0].fingerprints) > 0
        assert not any(CANARY[at : at + 9].encode() in dump for at in range(len(CANARY) - 9))
    async with open_world(tmp_path, sample(), []) as world:
        await finished(world.runtime.store, world.clock)
        assert not key.exists()


async def test_texts_that_are_too_short_to_be_told_apart_are_removed_and_counted(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path, sample(), ["Good."]) as world:
        await world.say("hi there")
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)
        assert (done.too_short, done.receipt and done.receipt["outcome"]) == (2, "clean")


async def test_a_store_in_memory_forgets_at_once(tmp_path: Path) -> None:
    document = allowing()
    del document["storage"]
    document["brains"][0]["agent"].pop("memory")
    document["brains"][0]["agent"]["tools"] = ["time"]
    document["brains"][0]["agent"]["governance"] = [{"tool": "time", "mode": "allow"}]
    document.pop("session")
    async with open_world(tmp_path, document, ["One."]) as world:
        await world.say(CANARY)
        await forget(world, **MAIN)
        done = await finished(world.runtime.store, world.clock)
        assert done.receipt is not None
        assert (done.receipt["outcome"], done.receipt["files"]) == ("clean", [])


async def test_settings_of_sqlite_that_forgetting_rests_on_are_on(tmp_path: Path) -> None:
    async with open_world(tmp_path, sample(), []) as world:

        def look(tx: Any) -> tuple[int, int]:
            return (
                tx._sql.row("PRAGMA secure_delete")[0],
                tx._sql.row("PRAGMA temp_store")[0],
            )

        assert await world.runtime.store.write(look) == (1, 2)
