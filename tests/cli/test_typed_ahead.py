"""What is typed while nobody asks for it: it stands in no answer, and at the prompt that reads it."""

import asyncio
import signal
import subprocess
import termios

import pytest

from tests.cli.program import SMALL, Program
from tests.cli.terminals import EDITOR_IS_READY, WAIT_SECONDS, Reader, terminal
from tests.ollama_server import Hold, OllamaServer, chunk, last_chunk, ndjson

RUN = ("run", "--config", "talk.json")
SPINNER_IS_SHOWN = b"Ctrl-C cancels"


def modes(screen: Reader) -> int:
    """Return whether typing is shown and read by the line, as the terminal is set now."""
    found = termios.tcgetattr(screen.descriptor)[3]
    assert isinstance(found, int)
    return found & (termios.ECHO | termios.ICANON | termios.ISIG)


async def test_what_is_typed_while_an_answer_is_awaited_stands_at_the_next_prompt_alone(
    program: Program,
) -> None:
    hold = Hold()
    slow = ndjson([hold, chunk("Good "), chunk("morning."), last_chunk()])
    async with OllamaServer(replies=[slow, "And to you."]) as server:
        program = Program(folder=program.folder, environ={"OLLAMA_HOST": server.url})
        program.write("talk.json", SMALL)
        loop = asyncio.get_running_loop()

        def talk() -> tuple[bytes, bytes, int]:
            with terminal(program, *RUN) as (process, screen):
                screen.until(EDITOR_IS_READY)
                screen.type("hello\r")
                screen.until(SPINNER_IS_SHOWN)
                screen.type("typed ahead of time\r")
                loop.call_soon_threadsafe(hold.go_on.set)
                awaited = screen.until(EDITOR_IS_READY)
                answered = screen.until(b"And to you.")
                screen.until(EDITOR_IS_READY)
                screen.type("\x04")
                return awaited, answered, process.wait(WAIT_SECONDS)

        awaited, answered, code = await asyncio.to_thread(talk)

    assert b"Good morning." in awaited
    assert b"typed" not in awaited
    assert b"typed ahead of time" in answered
    assert code == 0


async def test_ctrl_d_that_was_typed_ahead_leaves_at_the_prompt(program: Program) -> None:
    hold = Hold()
    async with OllamaServer(replies=[ndjson([hold, chunk("Hi."), last_chunk()])]) as server:
        program = Program(folder=program.folder, environ={"OLLAMA_HOST": server.url})
        program.write("talk.json", SMALL)
        loop = asyncio.get_running_loop()

        def talk() -> int:
            with terminal(program, *RUN) as (process, screen):
                screen.until(EDITOR_IS_READY)
                screen.type("hello\r")
                screen.until(SPINNER_IS_SHOWN)
                screen.type("\x04")
                loop.call_soon_threadsafe(hold.go_on.set)
                screen.until(b"Hi.")
                return process.wait(WAIT_SECONDS)

        assert await asyncio.to_thread(talk) == 0


@pytest.mark.parametrize("leaves", ["Ctrl-D", "Ctrl-C twice", "SIGTERM"])
async def test_however_a_talk_ends_the_terminal_is_as_it_was(program: Program, leaves: str) -> None:
    async with OllamaServer(replies=[ndjson([Hold()])]) as server:
        program = Program(folder=program.folder, environ={"OLLAMA_HOST": server.url})
        program.write("talk.json", SMALL)

        def talk() -> tuple[int, int, int, int]:
            with terminal(program, *RUN) as (process, screen):
                before = modes(screen)
                screen.until(EDITOR_IS_READY)
                if leaves == "Ctrl-D":
                    screen.type("\x04")
                    return before, 0, process.wait(WAIT_SECONDS), modes(screen)
                screen.type("hello\r")
                screen.until(SPINNER_IS_SHOWN)
                meanwhile = modes(screen)
                leave(process, screen, leaves)
                return before, meanwhile, process.wait(WAIT_SECONDS), modes(screen)

        before, meanwhile, code, after = await asyncio.to_thread(talk)

    assert before == termios.ECHO | termios.ICANON | termios.ISIG
    assert meanwhile == (0 if leaves == "Ctrl-D" else termios.ISIG)
    assert code == (0 if leaves == "Ctrl-D" else 130)
    assert after == before


def leave(process: subprocess.Popen[bytes], screen: Reader, how: str) -> None:
    if how == "Ctrl-C twice":
        screen.type("\x03")
        screen.until(b"(cancelled)")
        screen.until(EDITOR_IS_READY)
        screen.type("\x03")
    else:
        process.send_signal(getattr(signal, how))


async def test_a_shell_that_shows_typing_again_meanwhile_has_its_way_only_until_brain_goes_on(
    program: Program,
) -> None:
    async with OllamaServer(replies=[ndjson([Hold()])]) as server:
        program = Program(folder=program.folder, environ={"OLLAMA_HOST": server.url})
        program.write("talk.json", SMALL)

        def talk() -> int:
            with terminal(program, *RUN) as (process, screen):
                screen.until(EDITOR_IS_READY)
                screen.type("hello\r")
                screen.until(SPINNER_IS_SHOWN)
                process.send_signal(signal.SIGSTOP)
                changed = termios.tcgetattr(screen.descriptor)
                changed[3] |= termios.ECHO | termios.ICANON
                termios.tcsetattr(screen.descriptor, termios.TCSANOW, changed)
                process.send_signal(signal.SIGCONT)
                screen.until(SPINNER_IS_SHOWN)
                screen.until(SPINNER_IS_SHOWN)
                return modes(screen)

        assert await asyncio.to_thread(talk) == termios.ISIG


def test_on_a_terminal_too_narrow_for_the_sign_it_stays_on_one_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from brain.cli.table import one_row

    monkeypatch.setenv("COLUMNS", "12")

    assert one_row("⠋ 12 s  Ctrl-C cancels") == "⠋ 12 s  Ctr"
    assert one_row("日本茶日本茶日本茶") == "日本茶日本"
    assert one_row("short") == "short"
