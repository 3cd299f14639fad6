"""`brain notes`: the operator's hand on the box, beside the talk."""

import json
from typing import Any

import pytest

from tests.cli.program import SMALL, Program
from tests.cli.talks import ALLOW_SCRIPTED, saves, talks


@pytest.fixture
def rehearsed(program: Program) -> Program:
    """Two notes were rehearsed in a talk; the box takes two and is empty."""
    scripted = Program(folder=program.folder, environ=ALLOW_SCRIPTED)
    scripted.write(
        "talk.json", talks(saves("likes rain"), "Ok.", saves("has a dog"), "Ok.", mode="shadow")
    )
    scripted.run("run", "--config", "talk.json", typed="I like rain.\nI have a dog.\n")
    return scripted


def notes(program: Program, *words: str) -> tuple[int, str, str]:
    done = program.run("notes", *words, "--config", "talk.json")
    return done.returncode, done.stdout, done.stderr.replace("config: talk.json\n", "")


def listed(program: Program, *words: str) -> Any:
    code, out, _ = notes(program, *words, "list", "--json")
    assert code == 0
    return json.loads(out)


@pytest.mark.proves("P3")
def test_rehearsals_are_read_compared_promoted_and_dropped_from_the_shell(
    rehearsed: Program,
) -> None:
    before = listed(rehearsed, "rehearsals")
    promoted = notes(rehearsed, "rehearsals", "promote", "2")
    dropped = notes(rehearsed, "rehearsals", "drop", "1")
    box = listed(rehearsed)

    assert [(each["number"], each["arguments"], each["would"]) for each in before] == [
        (1, {"note": "likes rain"}, "stored"),
        (2, {"note": "has a dog"}, "stored"),
    ]
    assert promoted == (0, "saved note 1\n", "")
    assert dropped == (0, "dropped rehearsal 1\n", "")
    assert [(each["number"], each["text"], each["origin"]) for each in box["notes"]] == [
        (1, "has a dog", "promoted")
    ]
    assert listed(rehearsed, "rehearsals") == []


@pytest.mark.proves("P3")
def test_the_box_as_it_is_stands_beside_the_box_as_it_would_be(rehearsed: Program) -> None:
    empty = notes(rehearsed, "rehearsals", "diff")
    notes(rehearsed, "add", "lives in Faro")
    some = notes(rehearsed, "rehearsals", "diff")
    as_data = json.loads(notes(rehearsed, "rehearsals", "diff", "--json")[1])

    assert empty[1].splitlines() == [
        "as it is: 0 of 2  as it would be: 2 of 2",
        "                  + likes rain (rehearsal 1)",
        "                  + has a dog (rehearsal 2)",
    ]
    assert some[1].splitlines() == [
        "as it is: 1 of 2  as it would be: 2 of 2",
        "1. lives in Faro  1. lives in Faro",
        "                  + likes rain (rehearsal 1)",
        "",
        "rehearsal  note       refused because",
        "2          has a dog  the box is full",
    ]
    kept = {"state": "kept", "number": 1, "text": "lives in Faro"}
    assert as_data == {
        "max_notes": 2,
        "as_it_is": [kept],
        "would_be": [kept, {"state": "stored", "number": 1, "text": "likes rain"}],
        "refused": [{"state": "full", "number": 2, "text": "has a dog"}],
        "other_tools": 0,
    }


@pytest.mark.proves("P4")
def test_a_full_box_takes_no_further_note_and_loses_none(rehearsed: Program) -> None:
    for text in ("one", "two"):
        assert notes(rehearsed, "add", text)[0] == 0

    code, out, error = notes(rehearsed, "add", "three")

    assert (code, out) == (1, "")
    assert "the box is full (2 of 2), brain notes clear empties it" in error
    assert [note["text"] for note in listed(rehearsed)["notes"]] == ["one", "two"]


def test_a_note_is_added_listed_dropped_and_the_box_cleared(rehearsed: Program) -> None:
    added = notes(rehearsed, "add", "the bike", "is in the cellar")
    shown = notes(rehearsed, "list")
    dropped = notes(rehearsed, "drop", "1")
    cleared = notes(rehearsed, "clear")

    assert added == (0, "saved note 1\n", "")
    assert shown[1] == "1. the bike is in the cellar\n"
    clean = "no copy is left in brain's files (brain forget receipt)"
    assert dropped == (0, f"dropped note 1; {clean}\n", "")
    assert cleared[1] == f"cleared 0 notes and 2 rehearsals (scope conversation); {clean}\n"


@pytest.mark.parametrize(
    ("words", "shown_by"),
    [
        (("drop", "7"), "brain notes list shows"),
        (("rehearsals", "promote", "7"), "brain notes rehearsals list shows"),
        (("rehearsals", "drop", "1", "7"), "brain notes rehearsals list shows"),
    ],
)
def test_what_is_not_there_is_said_as_a_shell_shows_it_and_nothing_is_changed(
    rehearsed: Program, words: tuple[str, ...], shown_by: str
) -> None:
    code, out, error = notes(rehearsed, *words)

    assert (code, out) == (1, "")
    assert "7" in error
    assert shown_by in error
    assert "/notes" not in error
    assert len(listed(rehearsed, "rehearsals")) == 2


@pytest.mark.proves("P2")
def test_a_grant_that_denies_binds_the_operator_and_the_exit_code_is_3(
    rehearsed: Program,
) -> None:
    rehearsed.write("talk.json", talks("Ok.", mode="deny"))

    code, out, error = notes(rehearsed, "add", "nothing")

    assert (code, out) == (3, "")
    assert "policy" in error
    assert listed(rehearsed)["notes"] == []


def test_a_brain_without_notes_and_a_brain_that_is_not_there_are_told_apart(
    program: Program,
) -> None:
    program.write("talk.json", {**SMALL, "storage": {"path": "state/brain.db"}})

    without = notes(program, "list")
    unknown = notes(program, "list", "--brain", "nobody")

    assert (without[0], unknown[0]) == (2, 2)
    assert "agent.memory" in without[2]
    assert "'nobody'" in unknown[2]
    assert "assistant" in unknown[2]
