"""The newcomer's tour of the README, done word for word with the real program.

A scripted server answers in the place of the model, with the notes that the tour asks for. Everything
that is shown is the runtime's.
"""

import json
import re
import shutil
import sys
from contextlib import ExitStack
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from brain.activity import EVENT_TYPES
from tests.cli.program import ROOT, Program
from tests.cli.servers import ollama_server
from tests.cli.terminals import EDITOR_IS_READY, WAIT_SECONDS, Reader, at_terminal
from tests.docs.tours import Step, grant_saved, tours

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
TOURS = tuple(tours(PAGE))
TO_REMEMBER = re.compile(r"Remember that ([^.]+)\.")
OF_THE_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?|^ *\d+(?=  )|^\d+ events|\d+(?= ms )")
FEED_LINE = re.compile(r" *(\d+)  (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)  (\w+)  ")
COUNTED = re.compile(r"^(\d+) events are as written")
MODEL_OF_THE_PAGE, MODEL_HERE = "embedded/qwen2.5-coder-1.5b-instruct", "ollama/llama3.2"
RUNS = "import os, sys; os.execvp(sys.argv[1], sys.argv[1:])"


def test_the_page_has_a_piped_talk_and_a_tour_with_everything_a_newcomer_needs() -> None:
    piped, tour = TOURS
    done = [(step.kind, step.text) for step in tour]

    assert [step.kind for step in piped] == ["command"]
    assert ("command", "make run") in done
    assert ("message", "/notes promote 1") in done
    assert any("brain activity" in text and "--follow" in text for _, text in done)
    assert [json.loads(text)["mode"] for kind, text in done if kind == "save"] == ["allow", "deny"]


def test_the_lines_of_the_record_on_the_page_are_numbered_and_dated_as_those_of_a_record() -> None:
    shown = [line for steps in TOURS for step in steps for line in step.shown]
    feed = [line for line in shown if begins_with_an_event(line)]
    rows = [in_columns(line) for line in feed]
    counted = [int(found[1]) for line in shown if (found := COUNTED.match(line))]

    assert rows
    in_their_order(rows)
    assert [count for count in counted if count < max(seq for seq, _ in rows)] == []


def test_a_line_of_the_record_with_a_wrong_column_is_found() -> None:
    right = (
        "    8  2026-11-30T04:48:26.575Z  tool_used  assistant/console  A call was allowed and ran."
    )
    wrong = [
        right.replace("8  2026", "2026"),
        right.replace("    8", "eight"),
        right.replace("11-30", "11-31"),
        right.replace(".575Z", "Z"),
        right.replace("T04", " 04"),
        right.replace("  tool_used", " tool_used"),
    ]

    assert in_columns(right)[0] == 8
    for line in wrong:
        assert begins_with_an_event(line)
        with pytest.raises((AssertionError, ValueError)):
            in_columns(line)
    with pytest.raises(AssertionError):
        in_their_order([in_columns(right)] * 2)


@pytest.mark.parametrize("steps", TOURS, ids=["piped", "tour"])
def test_what_the_page_shows_is_what_happens(steps: list[Step], tmp_path: Path) -> None:
    with ollama_server("--script", str(script(steps, tmp_path))) as url, ExitStack() as held:
        walk = Walk(newcomer(tmp_path, url), held)
        for step in steps:
            walk.take(step)
        walk.leave()


class Walk:
    """Somebody who does what a page says, in as many terminals as it takes."""

    def __init__(self, program: Program, held: ExitStack) -> None:
        self._program = program
        self._held = held
        self._talk: tuple[Popen[bytes], Reader] | None = None
        self._is_asked = False
        self._screen: Reader | None = None
        self._feed: list[tuple[int, datetime]] = []
        self._config = program.folder / "config" / "brain.json"

    def take(self, step: Step) -> None:
        match step.kind:
            case "command":
                screen = self._screen = self._start(step.text)
            case "goes on":
                assert self._screen is not None
                screen = self._screen
            case "message":
                screen = self._prompt()
                screen.type(f"{step.text}\r")
                self._is_asked = False
            case "save":
                self._save(json.loads(step.text))
                return
        for line in step.shown:
            came = b"".join(screen.until(piece.encode()) for piece in pieces(line))
            if begins_with_an_event(line):
                self._feed.append(in_columns(came.decode().splitlines()[-1]))
                in_their_order(self._feed)

    def leave(self) -> None:
        """Press Ctrl-D in the talk, if one is open."""
        if self._talk is None:
            return
        self._prompt().type("\x04")
        assert self._talk[0].wait(WAIT_SECONDS) == 0
        self._talk, self._is_asked = None, False

    def _start(self, command: str) -> Reader:
        if command.endswith("make run"):
            self.leave()
        started = self._held.enter_context(at_terminal(self._program, RUNS, "sh", "-c", command))
        if command == "make run":
            self._talk = started
        return started[1]

    def _prompt(self) -> Reader:
        """Wait until the talk asks for a message, where it does not do so already."""
        assert self._talk is not None
        screen = self._talk[1]
        if not self._is_asked:
            screen.until(EDITOR_IS_READY)
            self._is_asked = True
        return screen

    def _save(self, grant: Any) -> None:
        screen = self._prompt()
        text = self._config.read_text(encoding="utf-8")
        self._program.write("config/brain.json", grant_saved(text, grant))
        screen.until(b"config applied")


def begins_with_an_event(line: str) -> bool:
    """Tell whether a line is one of the record: it names the type of an event where those do."""
    columns = re.split(r" {2}", line.strip(), maxsplit=3)
    return any(word in EVENT_TYPES for column in columns[:3] for word in column.split())


def in_columns(line: str) -> tuple[int, datetime]:
    """Return the number and the moment of a line of the record, which is as the program writes it."""
    found = FEED_LINE.match(line)
    assert found, f"no number, moment and type of an event: {line!r}"
    assert found[3] in EVENT_TYPES, line
    return int(found[1]), datetime.fromisoformat(found[2])


def in_their_order(rows: list[tuple[int, datetime]]) -> None:
    for (seq, at), (later_seq, later_at) in pairwise(rows):
        assert seq < later_seq, f"{later_seq} stands after {seq}"
        assert at <= later_at, f"{later_at} stands after {at}"


def pieces(line: str) -> list[str]:
    """Return what a line shows on every day and with every model."""
    parts = OF_THE_MOMENT.split(line.replace(MODEL_OF_THE_PAGE, MODEL_HERE))
    return [part.strip() for part in parts if part.strip()]


def script(steps: list[Step], folder: Path) -> Path:
    """Write what the model says: a call for each fact that it is to remember."""
    facts = [fact for step in steps for fact in TO_REMEMBER.findall(step.text)]
    rules = [{"when": fact, "reply": json.dumps(noted(fact))} for fact in facts]
    path = folder / "model.json"
    models = {"llama3.2": {"capabilities": ["completion"]}}  # as that of the page: no native tools
    path.write_text(json.dumps({"models": models, "rules": rules}), encoding="utf-8")
    return path


def noted(fact: str) -> dict[str, str]:
    """Return the call with the note as the page lists it: the model keeps a full stop, or does not."""
    note = fact[0].upper() + fact[1:]
    listed = re.search(
        rf"\d\. (?:memory_note: )?({re.escape(note)}\.?)(?: \(|$)", PAGE, re.MULTILINE
    )
    return {"do": "memory_note", "note": listed[1] if listed else note}


def newcomer(folder: Path, url: str) -> Program:
    """A folder as a clone is after its set-up, with the config that `make run` runs."""
    shutil.copytree(ROOT / "config", folder / "config")
    for name, words in (
        ("bin/make", '-m brain "$@" --config config/brain.json'),
        (".venv/bin/brain", '-m brain "$@"'),
    ):
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\nexec {sys.executable} {words}\n", encoding="utf-8")
        path.chmod(0o755)
    path_of_commands = f"{folder / 'bin'}:{Program(folder=folder).environment()['PATH']}"
    return Program(folder=folder, environ={"OLLAMA_HOST": url, "PATH": path_of_commands})
