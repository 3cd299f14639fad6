"""Where a person writes at a terminal: with history and completion, or plainly."""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.cli.interrupts import on_interrupt
from brain.cli.lines import follow_lines
from brain.cli.talk import say_inert, warn
from brain.errors import Interrupted

if TYPE_CHECKING:
    from prompt_toolkit.history import History
    from prompt_toolkit.key_binding import KeyBindings

__all__ = ["LineEditor", "PlainEditor"]

_PROMPT = "> "
_SURROGATES = re.compile("[\ud800-\udfff]+")


class PlainEditor:
    """Reads lines and redraws nothing: for screen readers, and for terminals that can't."""

    def __init__(self, descriptor: int) -> None:
        self._lines: AsyncIterator[str] = follow_lines(descriptor)
        self._coming: asyncio.Future[str | None] | None = None

    def tell(self, text: str) -> None:
        """Print a line of talk."""
        warn(text)

    async def ask(self) -> str | None:
        pressed = asyncio.Event()
        press = asyncio.ensure_future(pressed.wait())
        try:
            with on_interrupt(pressed.set):  # before the prompt is seen: who sees it may press
                say_inert(_PROMPT, end="")
                if self._coming is None:
                    self._coming = asyncio.ensure_future(anext(self._lines, None))
                either: set[asyncio.Future[Any]] = {self._coming, press}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            press.cancel()
        if not self._coming.done():  # what is typed after Ctrl-C is still read by this one
            say_inert("")
            raise Interrupted("Ctrl-C was pressed")
        line, self._coming = self._coming.result(), None
        if line is None:
            say_inert("")  # whatever comes next begins its line
        return line


class LineEditor:
    """Edits a message with history, completion of commands and pasted lines kept together.

    The history lies in `history_file`, readable by its owner alone; None keeps none.
    """

    def __init__(self, *, commands: Sequence[str], history_file: Path | None) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.shortcuts import CompleteStyle

        self._session: PromptSession[str] = PromptSession(
            _PROMPT,
            history=_history(history_file),
            key_bindings=_own_keys(),
            completer=WordCompleter(list(commands), sentence=True),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
        )
        self._untold: list[str] = []

    def tell(self, text: str) -> None:
        """Print a line of talk: above what is being written, or after the answer that comes now."""
        if self._session.app.is_running:
            warn(text)
        else:
            self._untold.append(text)

    async def ask(self) -> str | None:
        from prompt_toolkit.patch_stdout import patch_stdout

        while self._untold:
            warn(self._untold.pop(0))
        pressed = asyncio.Event()

        def press() -> None:
            pressed.set()
            if self._session.app.is_running and not self._session.app.is_done:
                self._session.app.exit(exception=KeyboardInterrupt)

        try:
            # What is said meanwhile stands above the line being typed. Ctrl-C is a signal until the
            # terminal gives it as a key, and again when the line is done.
            with patch_stdout(raw=True), on_interrupt(press):
                typed = await self._session.prompt_async(
                    handle_sigint=False, pre_run=lambda: press() if pressed.is_set() else None
                )
        except EOFError:
            return None
        except KeyboardInterrupt:
            if self._session.default_buffer.text:
                return ""  # a line that was begun is dropped, as a shell does, and nobody leaves
            raise Interrupted("Ctrl-C was pressed") from None
        if pressed.is_set():
            raise Interrupted("Ctrl-C was pressed")
        return _SURROGATES.sub("\ufffd", typed)  # bytes that are no text, as in a pipe


def _history(path: Path | None) -> "History":
    """Return the history in `path`, or one in memory where that can't be read and written."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    class ForgivingHistory(FileHistory):
        """A line that the disk does not take is missed later; the talk goes on."""

        def store_string(self, string: str) -> None:
            with suppress(OSError):
                super().store_string(string)

    if path is None:
        return InMemoryHistory()
    try:
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600))
    except OSError as error:
        warn(f"what you type is not kept for next time: {path}: {error.strerror}")
        return InMemoryHistory()
    return ForgivingHistory(str(path))


def _own_keys() -> "KeyBindings":
    """Keys that mean nothing here: a colour that is pasted looks like a mouse, which none listens to."""
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.keys import Keys

    keys = KeyBindings()
    keys.add(Keys.Vt100MouseEvent)(lambda _: None)
    return keys
