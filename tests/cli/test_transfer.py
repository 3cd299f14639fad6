"""`brain export`, `brain import` and `brain notes move`, as a person types them."""

import json
import re
import shlex
from typing import Any

import pytest

from tests.cli.program import SMALL, Program
from tests.cli.test_following import REMEMBERS

PRIVATE = {**REMEMBERS, "brains": [{**REMEMBERS["brains"][0], "sensitivity": "private"}]}
CONFIG = ("--config", "keeps.json")
NEW = ("--config", "new.json")


@pytest.fixture
def noted(program: Program) -> Program:
    program.write("keeps.json", PRIVATE)
    program.write("new.json", {**PRIVATE, "storage": {"path": "other/brain.db"}})
    program.run("notes", "add", "likes rain", *CONFIG)
    return program


def notes_of(program: Program, *config: str) -> Any:
    done = program.run("notes", "list", "--json", *config)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["notes"]


def test_notes_go_to_another_store_through_a_file(noted: Program) -> None:
    out = noted.run("export", "mine.jsonl", *CONFIG)
    first = noted.run("import", "mine.jsonl", "--yes", *NEW)
    second = noted.run("import", "mine.jsonl", "--yes", "--json", *NEW)

    assert (out.returncode, out.stdout) == (0, "")
    assert out.stderr.splitlines()[-1] == (
        "exported 1 conversation, 0 sessions, 0 turns, 1 note, 0 rehearsals"
    )
    assert first.returncode == 0, first.stderr
    assert first.stdout == "imported 1 conversation, 0 sessions, 0 turns, 1 note, 0 rehearsals\n"
    assert "  notes: 1 new\n" in first.stderr
    assert json.loads(second.stdout)["counts"]["notes"] == {
        "new": 0, "there": 1, "expired": 0, "refused": 0,
    }  # fmt: skip
    assert [(each["text"], each["origin"]) for each in notes_of(noted, *NEW)] == [
        ("likes rain", "import")
    ]


def test_without_a_file_the_lines_go_to_stdout_and_the_talk_to_stderr(noted: Program) -> None:
    done = noted.run("export", "--what", "notes", *CONFIG)

    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["kind"] for line in lines] == ["export", "note"]
    assert lines[0]["holds"] == ["notes"]
    assert "exported" in done.stderr


def test_where_nobody_can_be_asked_the_plan_is_shown_and_nothing_is_done(noted: Program) -> None:
    noted.run("export", "mine.jsonl", *CONFIG)

    done = noted.run("import", "mine.jsonl", *NEW)

    assert (done.returncode, done.stdout) == (2, "")
    assert "  notes: 1 new\n" in done.stderr
    assert "fix: if you mean it: --yes" in done.stderr
    assert notes_of(noted, *NEW) == []


def test_what_can_not_be_exported_or_imported_is_said_in_words(noted: Program) -> None:
    noted.run("export", "mine.jsonl", *CONFIG)
    file = noted.folder / "mine.jsonl"
    whole = file.read_text(encoding="utf-8")

    over = noted.run("export", "mine.jsonl", *CONFIG)
    file.write_text(whole.replace('"private"', '"secret"'), encoding="utf-8")
    edited = noted.run("import", "mine.jsonl", "--yes", *NEW)
    gone = noted.run("import", "nowhere.jsonl", *NEW)
    folder = noted.run("import", "other", *NEW)
    what = noted.run("export", "--what", "events", *CONFIG)
    noted.write("none.json", SMALL)
    keeps_nothing = noted.run("export", "--config", "none.json")
    odd = noted.run("export", "--brain", "Foo Bar", *CONFIG)

    assert over.returncode == 2
    assert "there is a file 'mine.jsonl' already; nothing was written" in over.stderr
    assert edited.returncode == 1
    assert (
        "line 3: found sensitivity 'secret'; expected one of 'public', 'private'" in edited.stderr
    )
    assert (gone.returncode, folder.returncode, what.returncode) == (2, 2, 2)
    assert "No such file" in gone.stderr
    assert "no file that can be read twice" in folder.stderr
    assert "there are: conversations, notes, rehearsals" in what.stderr
    assert (keeps_nothing.returncode, odd.returncode) == (2, 2)
    assert "no brain can have the name 'Foo Bar'" in odd.stderr
    assert "Traceback" not in "".join(
        each.stderr for each in (over, edited, gone, folder, what, keeps_nothing, odd)
    )
    assert notes_of(noted, *NEW) == []


@pytest.mark.parametrize("scope", ["conversation", "brain"])
def test_the_command_that_a_check_names_brings_notes_back_within_reach(
    noted: Program, scope: str
) -> None:
    brain = PRIVATE["brains"][0]
    renamed = {
        **brain,
        "name": "butler",
        "agent": {**brain["agent"], "memory": {"scope": scope}},
    }
    noted.write("keeps.json", {**PRIVATE, "brains": [renamed]})
    warned = noted.run("check", *CONFIG)
    command = re.search(r"brain (notes move [^\n]*)", warned.stderr + warned.stdout)
    assert command, warned.stderr + warned.stdout

    moved = noted.run(*shlex.split(command[1]), *CONFIG)
    after = noted.run("check", *CONFIG)

    assert moved.stdout == "note 1 of assistant is note 1 of butler, private\n", moved.stderr
    assert [each["text"] for each in notes_of(noted, *CONFIG)] == ["likes rain"]
    assert "notes move" not in after.stderr + after.stdout


def test_notes_that_are_named_become_public_by_the_operators_word(noted: Program) -> None:
    nothing = noted.run("notes", "move", *CONFIG)
    moved = noted.run("notes", "move", "1", "--to-public", "--json", *CONFIG)

    assert nothing.returncode == 2
    assert "it is not said which notes are meant" in nothing.stderr
    assert [(each["number"], each["sensitivity"]) for each in json.loads(moved.stdout)] == [
        (1, "public")
    ]
    assert [each["sensitivity"] for each in notes_of(noted, *CONFIG)] == ["public"]
