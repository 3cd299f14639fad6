"""`brain backup` and `brain restore`, as a person types them."""

import json
import re
from pathlib import Path

import pytest

from brain.config import Storage
from brain.store import open_store
from tests.cli.program import SMALL, Program
from tests.cli.test_following import REMEMBERS
from tests.clocks import FakeClock

CONFIG = ("--config", "keeps.json")


@pytest.fixture
def noted(program: Program) -> Program:
    program.write("keeps.json", REMEMBERS)
    program.run("notes", "add", "likes rain", *CONFIG)
    return program


def notes_of(program: Program) -> list[str]:
    done = program.run("notes", "list", "--json", *CONFIG)
    assert done.returncode == 0, done.stderr
    return re.findall(r'"text": "([^"]*)"', done.stdout)


def test_what_was_backed_up_comes_back_and_what_was_there_is_kept(noted: Program) -> None:
    saved = noted.run("backup", "saved", *CONFIG)
    noted.run("notes", "add", "likes snow", *CONFIG)
    both = notes_of(noted)
    restored = noted.run("restore", "saved", *CONFIG)

    assert saved.returncode == 0, saved.stderr
    assert saved.stdout.splitlines() == [
        f"{noted.folder / 'store'} is copied to {noted.folder / 'saved'}",
        "brain.db: opened again, checked, and counted: 2 events, 0 turns, 1 note, 0 rehearsals",
    ]
    assert both == ["likes rain", "likes snow"]
    assert restored.returncode == 0, restored.stderr
    first, second = restored.stdout.splitlines()
    assert first == (
        f"{noted.folder / 'store'} holds brain.db of saved: 2 events, 0 turns, 1 note, 0 rehearsals"
    )
    kept = Path(second.removeprefix("what was there is in ").partition(";")[0])
    assert kept.parent == noted.folder
    assert kept.name.startswith("store-replaced-")
    assert notes_of(noted) == ["likes rain"]
    noted.write("keeps.json", {**REMEMBERS, "storage": {"path": f"{kept.name}/brain.db"}})
    assert notes_of(noted) == ["likes rain", "likes snow"]


def test_without_a_folder_a_backup_lies_beside_the_data_folder(noted: Program) -> None:
    done = noted.run("backup", "--json", *CONFIG)

    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    folder = Path(made["folder"])
    assert folder.parent == noted.folder
    assert re.fullmatch(r"store-backup-\d{8}T\d{6}Z", folder.name)
    assert made["files"] == ["brain.db"]
    assert (made["rows"]["notes"], made["rows"]["events"]) == (1, 2)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "brain.db").stat().st_mode & 0o777 == 0o600


async def test_a_restore_is_refused_while_a_brain_runs_and_names_its_process(
    noted: Program,
) -> None:
    noted.run("backup", "saved", *CONFIG)
    storage = Storage(path=noted.folder / "store" / "brain.db")
    async with open_store(storage, clock=FakeClock()) as store:
        await store.write(lambda tx: tx.open_run("run1"))
        done = noted.run("restore", "saved", *CONFIG)

    assert (done.returncode, done.stdout) == (1, "")
    assert re.search(r"is in use \(process \d+\)\. Nothing was changed\.", done.stderr)
    assert notes_of(noted) == ["likes rain"]


def test_a_folder_that_is_no_backup_or_is_there_already_is_refused_in_words(
    noted: Program,
) -> None:
    (noted.folder / "empty").mkdir()

    over = noted.run("backup", "empty", *CONFIG)
    back = noted.run("restore", "empty", *CONFIG)

    assert (over.returncode, back.returncode) == (1, 1)
    assert "there is something already" in over.stderr
    assert "name the folder that 'brain backup' or an upgrade made" in back.stderr
    assert notes_of(noted) == ["likes rain"]


def test_a_config_that_keeps_nothing_has_nothing_to_back_up(program: Program) -> None:
    program.write("keeps.json", SMALL)

    assert program.run("backup", *CONFIG).returncode == 2
    assert program.run("restore", "saved", *CONFIG).returncode == 2
