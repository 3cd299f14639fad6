"""Where a person writes at a terminal: with history and completion, or plainly."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from brain.cli.interrupts import on_interrupt
from brain.cli.lines import follow_lines
from brain.cli.talk import say_inert, warn
from brain.errors import Interrupted

__all__ = ["LineEditor", "PlainEditor"]

_PROMPT = "> "


class PlainEditor:
    """Reads lines and redraws nothing: for screen readers, and for terminals that can't."""

    def __init__(self, descriptor: int) -> None:
        self._lines: AsyncIterator[str] = follow_lines(descriptor)
        self._coming: asyncio.Future[str | None] | None = None

    def tell(self, text: str) -> None:
        """Print a line of talk."""
        warn(text)

    async def ask(self) -> str | None:
        say_inert(_PROMPT, end="")
        if self._coming is None:
            self._coming = asyncio.ensure_future(anext(self._lines, None))
        pressed = asyncio.Event()
        press = asyncio.ensure_future(pressed.wait())
        try:
            with on_interrupt(pressed.set):
                either: set[asyncio.Future[Any]] = {self._coming, press}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            press.cancel()
        if not self._coming.done():  # what is typed after Ctrl-C is still read by this one
            raise Interrupted("Ctrl-C was pressed")
        line, self._coming = self._coming.result(), None
        return line


class LineEditor:
    """Edits a message with history, completion of commands and pasted lines kept together.

    The history lies in `history_file`, readable by its owner alone; None keeps none.
    """

    def __init__(self, *, commands: Sequence[str], history_file: Path | None) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.history import FileHistory, InMemoryHistory
        from prompt_toolkit.shortcuts import CompleteStyle

        if history_file is not None:
            os.close(os.open(history_file, os.O_CREAT | os.O_APPEND, 0o600))
        history = InMemoryHistory() if history_file is None else FileHistory(str(history_file))
        self._session: PromptSession[str] = PromptSession(
            _PROMPT,
            history=history,
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
        try:
            with patch_stdout(raw=True):  # what is said meanwhile stands above the line being typed
                return await self._session.prompt_async(handle_sigint=False)
        except EOFError:
            return None
        except KeyboardInterrupt:
            raise Interrupted("Ctrl-C was pressed") from None
