"""`brain forget`: what it asks, what it tells, and that nothing is left behind it."""

import json
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED, saves, talks
from tests.cli.terminals import terminal
from tests.forgetting.bytes_left import bytes_left

CANARY = "the spare key lies under the third flowerpot"
KINDS = (
    ("note", "1"),
    ("box",),
    ("session", "1"),
    ("conversation", "main"),
    ("sender", "somebody"),
    ("everything",),
)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A brain that was told the canary, noted it and repeated it."""
    brain = Program(folder=tmp_path, environ={**ALLOW_SCRIPTED, "LOGNAME": "somebody"})
    brain.write("brain.json", talks(saves(CANARY), f"I know that {CANARY}.", "Hello."))
    said = brain.run("run", "--config", "brain.json", typed=f"Remember that {CANARY}.\nHi.\n")
    assert said.returncode == 0, said.stderr
    return brain


def forget(program: Program, *words: str) -> tuple[int, str, str]:
    done = program.run("forget", *words, "--config", "brain.json")
    return done.returncode, done.stdout, done.stderr.removeprefix("config: brain.json\n")


@pytest.mark.proves("P11")
@pytest.mark.parametrize("words", KINDS, ids=[kind[0] for kind in KINDS])
def test_each_kind_goes_at_once_and_its_receipt_says_what_was_searched(
    program: Program, words: tuple[str, ...]
) -> None:
    code, out, error = forget(program, *words, "--yes")
    shown = forget(program, "receipt")
    again = forget(program, *words, "--yes")

    assert (code, shown[0]) == (0, 0), out + error
    assert error.startswith("forgotten: ")
    assert f"({words[0]}, " in out
    assert "brain.db" in out
    assert out.splitlines()[0] == shown[1].splitlines()[0]
    left = bytes_left(CANARY, program.folder / "state")
    is_of_notes, is_session = words[0] in ("note", "box"), words[0] == "session"
    assert left == (["brain.db"] if is_of_notes or is_session else []), "what was not meant stays"
    assert ("the transcript holds what was said" in out) == is_of_notes
    assert ("1 note saved from it: brain forget note N" in out) == is_session
    told = "nothing is kept of it" if words[0] in ("box", "everything") else "nothing was"
    assert told in again[2]


@pytest.mark.proves("P11")
def test_with_its_transcript_nothing_of_a_note_is_left_and_the_rest_of_the_talk_is(
    program: Program,
) -> None:
    code, out, _ = forget(program, "note", "1", "--with-transcript", "--yes", "--json")
    told = json.loads(out)

    assert code == 0
    assert told["counts"] == {"notes": 1, "turns": 2}
    assert (told["with_transcript"], told["receipt"]["outcome"]) == (True, "clean")
    assert bytes_left(CANARY, program.folder / "state") == []
    assert program.run("why", "--config", "brain.json").returncode == 0, (
        "of the exchange that stays"
    )


@pytest.mark.proves("P11")
def test_a_dry_run_lists_and_changes_nothing(program: Program) -> None:
    code, out, _ = forget(program, "conversation", "main", "--dry-run")
    data = json.loads(forget(program, "conversation", "main", "--dry-run", "--json")[1])
    receipt = forget(program, "receipt")

    assert code == 0
    assert out.splitlines()[0].startswith("would go: 1 session, 4 turns, 1 receipt, 1 note")
    assert f"note 1 of console / main: {CANARY}" in out
    assert data["counts"]["turns"] == 4
    assert (receipt[0], "nothing was forgotten yet" in receipt[2]) == (1, True)
    assert bytes_left(CANARY, program.folder / "state") != []


def test_without_a_terminal_it_takes_a_word_that_it_is_meant(program: Program) -> None:
    code, out, error = forget(program, "everything")

    assert (code, out) == (2, "")
    assert "there is no terminal to ask at; nothing was forgotten" in error
    assert "--yes" in error
    assert bytes_left(CANARY, program.folder / "state") != []


@pytest.mark.parametrize(("answer", "is_gone"), [("n", False), ("y", True)])
def test_a_terminal_is_asked_after_it_was_shown_what_would_go(
    program: Program, answer: str, is_gone: bool
) -> None:
    words = ("forget", "conversation", "main", "--config", "brain.json")
    with terminal(program, *words) as (process, screen):
        asked = screen.until(b"Forget this for good? [y/N]: ")
        screen.type(f"{answer}\n")
        screen.until(b"no promise" if is_gone else b"nothing was forgotten")
        process.wait(timeout=10)

    assert b"would go: 1 session" in asked
    assert (bytes_left(CANARY, program.folder / "state") == []) == is_gone
    assert process.returncode == (0 if is_gone else 2)


@pytest.mark.proves("P11")
def test_a_backup_beside_the_data_folder_is_named_by_its_file(program: Program) -> None:
    assert program.run("backup", "--config", "brain.json").returncode == 0
    code, out, _ = forget(program, "conversation", "main", "--yes")

    [backup] = program.folder.glob("state-backup-*")
    assert code == 0
    assert f"still there a copy of the data folder: {backup / 'brain.db'}" in out
    assert bytes_left(CANARY, program.folder / "state") == []
    assert bytes_left(CANARY, backup) == ["brain.db"]
    assert not (backup / "forgetting.key").exists()


def test_what_is_not_there_is_told_with_what_mends_it(program: Program) -> None:
    unknown = forget(program, "conversation", "nobody", "--yes")
    note = forget(program, "note", "7", "--yes")
    receipt = forget(program, "receipt", "0" * 32)
    channel = forget(program, "sender", "x", "--channel", "nowhere", "--yes")

    assert [each[0] for each in (unknown, note, receipt, channel)] == [1, 1, 1, 2]
    assert "there is no such conversation; nothing was forgotten" in unknown[2]
    assert "there is no note 7 here" in note[2]
    assert "there is no such forgetting" in receipt[2]
    assert "there are: console" in channel[2]
    assert "Traceback" not in "".join(each[2] for each in (unknown, note, receipt, channel))


@pytest.mark.parametrize("name", ["", "  "])
@pytest.mark.parametrize("kind", ["conversation", "sender"])
def test_an_empty_name_is_a_fault_of_the_line_and_nothing_goes(
    program: Program, kind: str, name: str
) -> None:
    code, out, error = forget(program, kind, name, "--yes")

    assert (code, out) == (2, "")
    assert "NAME" in error
    assert "it is empty, and names nothing" in error
    assert "Traceback" not in error
    assert bytes_left(CANARY, program.folder / "state") != []
