"""Talk at a terminal: a prompt, the reply as it comes, the effects line under it.

Ctrl-C cancels the answer; pressed again, or twice at the prompt, it leaves, and so does Ctrl-D. A line
that was begun it drops first.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, Protocol

from brain.channels import Console
from brain.cli.exits import DONE, INTERRUPTED
from brain.cli.interrupts import on_interrupt
from brain.cli.piped import Answering
from brain.cli.talk import say_inert, warn
from brain.cli.voice import Notices, ReplyText, below
from brain.cli.waiting import Sign
from brain.errors import Interrupted
from brain.records import Reply
from brain.runtime import Attendance

__all__ = ["Editor", "Look", "talk_at_terminal"]

_LEAVE_HINT: Final = "press Ctrl-C again, or Ctrl-D, to leave"


class Editor(Protocol):
    """Where the person writes."""

    async def ask(self) -> str | None:
        """Return a message, or None at its end. Raises Interrupted at Ctrl-C."""
        ...


class Look:
    """How the runtime's lines are set apart: dimmed, where the terminal and its user allow that."""

    def __init__(self, *, is_dimmed: bool) -> None:
        self._before, self._after = ("\x1b[2m", "\x1b[0m") if is_dimmed else ("", "")

    def line(self, text: str) -> None:
        """Print a line that was made inert already."""
        say_inert(f"{self._before}{text}{self._after}")


async def talk_at_terminal(
    runtime: Answering,
    console: Console,
    *,
    editor: Editor,
    look: Look,
    sign: Sign,
    told: Sequence[str] = (),
) -> int:
    """Talk until the person leaves, and return the exit code.

    `told` are the models that were said to be out of service.
    """
    prompt, notices = _Prompt(editor), Notices(told)
    with on_interrupt(prompt.press):
        while True:
            try:
                text = await prompt.next()
            except Interrupted:
                return INTERRUPTED
            if text is None:
                return DONE
            prompt.has_pressed = False
            if not text.strip():
                continue
            presses = await _answer(runtime, console, text, _Screen(look, sign, notices))
            if presses > 1:
                return INTERRUPTED
            prompt.has_pressed = presses == 1


class _Prompt:
    """Asks for the next message. A second Ctrl-C in a row leaves, wherever the two fall."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._asking: asyncio.Future[str | None] | None = None
        self._leaves = False
        self.has_pressed = False

    def press(self) -> None:
        """Take a Ctrl-C that falls beside the editor: the second one leaves, a first ends nothing."""
        self._leaves = self._leaves or self.has_pressed
        if self._leaves and self._asking is not None:
            self._asking.cancel()

    async def next(self) -> str | None:
        """Return the next line, or None after the last. Raises Interrupted where the person leaves."""
        while not self._leaves:
            self._asking = asyncio.ensure_future(self._editor.ask())
            try:
                return await self._asking
            except Interrupted:
                if self.has_pressed:
                    break
                self.has_pressed = True
                warn(_LEAVE_HINT)
            except asyncio.CancelledError:
                if not self._leaves:
                    raise
        raise Interrupted("Ctrl-C was pressed twice")


async def _answer(runtime: Answering, console: Console, text: str, screen: "_Screen") -> int:
    """Answer one message on the screen; return how often Ctrl-C was pressed meanwhile."""
    presses = 0
    waiting = screen.wait()
    attendance = Attendance(on_cut=screen.end)
    task = asyncio.ensure_future(
        runtime.handle(console.inbound(text), screen.piece, attendance=attendance)
    )

    def press() -> None:
        nonlocal presses
        presses += 1
        if presses == 1:  # a second one leaves, but only when what had come is stored
            task.cancel()

    try:
        with on_interrupt(press):
            await asyncio.wait([task])
    except asyncio.CancelledError:  # asked to stop: what is said of it begins on a line of its own
        screen.cut_off()
        raise
    finally:
        waiting.cancel()
    if task.cancelled():
        screen.cut_off()
    else:
        screen.end(task.result())
    return presses


class _Screen:
    """One reply on the screen, piece by piece."""

    def __init__(self, look: Look, sign: Sign, notices: Notices) -> None:
        self._look = look
        self._sign = sign
        self._notices = notices
        self._text = ReplyText()
        self._has_text = False
        self._is_at_start = True
        self._is_cut = False

    def wait(self) -> "asyncio.Task[None]":
        """Show that the reply is awaited, until something of it stands here."""
        return self._sign.begin()

    def piece(self, text: str) -> None:
        self._has_text = True
        self._print(self._text.feed(text))

    def end(self, reply: Reply) -> None:
        """Show what is left of the reply, and what the runtime says of it."""
        self._sign.clear()
        if self._has_text and reply.outcome != "answered":
            self._finish_line()  # what had come of the answer stays; why it ended stands below it
            self._text, self._has_text = ReplyText(), False
        if not self._has_text:
            self._print(self._text.feed(reply.text))
        self._finish_line()
        if reply.outcome == "cancelled":
            self.cut_off()
        for line in below(reply):
            self._look.line(line)
        for notice in self._notices.new(reply):
            warn(notice)

    def cut_off(self) -> None:
        """Say, once, that the answer was cancelled: what had been done by then may come after it."""
        self._sign.clear()
        self._finish_line()
        if not self._is_cut:
            self._look.line("(cancelled)")
        self._is_cut = True

    def _finish_line(self) -> None:
        self._print(self._text.finish())
        if not self._is_at_start:
            self._print("\n")

    def _print(self, text: str) -> None:
        if text:
            self._sign.clear()
            say_inert(text, end="")
            self._is_at_start = text.endswith("\n")
