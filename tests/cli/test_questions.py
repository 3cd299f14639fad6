"""What a command asks at a terminal, and how one leaves it there."""

import json
import termios
from collections.abc import Iterator

import pytest

from tests.cli.program import Program
from tests.cli.servers import ollama_server
from tests.cli.talks import ALLOW_SCRIPTED, talks
from tests.cli.terminals import WAIT_SECONDS, terminal

CONFIG = ("--config", "talk.json")

QUESTIONS = [
    pytest.param(("init", "--config", "new.json"), "", b"[1]: ", id="which model"),
    pytest.param(("init", "--config", "new.json"), "\r", b"[Y/n]: ", id="private or not"),
    pytest.param(("run",), "", b"[y/N]: ", id="a config that came along"),
    pytest.param(("forget", "everything", *CONFIG), "", b"[y/N]: ", id="forget"),
    pytest.param(("import", "kept.jsonl", *CONFIG), "", b"[y/N]: ", id="import"),
]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A folder with everything that a command has questions about."""
    with ollama_server("--model", "qwen2.5:3b", "--model", "llama3.2") as url:
        environ = {**ALLOW_SCRIPTED, "OLLAMA_HOST": url}
        program = Program(folder=tmp_path_factory.mktemp("asked"), environ=environ)
        program.write("brain.json", talks("Hello."))
        program.write("talk.json", talks("Hello."))
        program.run("notes", "add", "likes rain", *CONFIG)
        program.run("export", "kept.jsonl", *CONFIG)
        program.run("notes", "clear", *CONFIG)
        yield program


@pytest.mark.parametrize(("words", "before", "question"), QUESTIONS)
@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_one_press_at_a_question_leaves_and_changes_nothing(
    asked: Program, words: tuple[str, ...], before: str, question: bytes, key: str
) -> None:
    with terminal(asked, *words) as (process, screen):
        modes = termios.tcgetattr(screen.descriptor)
        if before:
            screen.until(b"[1]: ")
            screen.type(before)
        screen.until(question)
        screen.type(key)
        told = screen.until(b"interrupted\r\n")
        code = process.wait(WAIT_SECONDS)
        after = termios.tcgetattr(screen.descriptor)

    assert code == 130
    assert told.endswith(b"\r\ninterrupted\r\n")
    assert after == modes
    assert not (asked.folder / "new.json").exists()


def test_ctrl_c_drops_an_answer_that_was_begun(asked: Program) -> None:
    with terminal(asked, "init", "--config", "new.json") as (process, screen):
        screen.until(b"[1]: ")
        screen.type("2")
        screen.until(b"2")
        screen.type("\x03\x03")
        code = process.wait(WAIT_SECONDS)

    assert code == 130
    assert not (asked.folder / "new.json").exists()


def test_an_answer_that_is_none_is_asked_for_again(asked: Program) -> None:
    with terminal(asked, "init", "--config", "other.json") as (process, screen):
        for odd in ("9", "0", "-1", "two", "9" * 3000, "²"):
            screen.until(b"[1]: ")
            screen.type(f"{odd}\r")
            screen.until(b"a number from 1 to ")
        screen.until(b"[1]: ")
        screen.type(" 2 \r")
        screen.until(b"[Y/n]: ")
        screen.type("perhaps\r")
        screen.until(b"y or n is understood")
        screen.until(b"[Y/n]: ")
        screen.type("NO\r")
        screen.until(b"next: brain run")
        code = process.wait(WAIT_SECONDS)

    brain = json.loads((asked.folder / "other.json").read_text(encoding="utf-8"))["brains"][0]
    assert code == 0
    assert brain["sensitivity"] == "public"
    assert brain["models"][0]["model_id"] == "llama3.2"
