"""Talk through a pipe: one line is one message; stdout holds replies, effects lines and reports."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

from brain.channels import Console
from brain.cli.exits import DONE, FAILED
from brain.cli.talk import say_inert, warn
from brain.cli.voice import Notices, ReplyText, below
from brain.records import Inbound, Reply
from brain.runtime import Attendance

__all__ = ["Answering", "talk_piped"]


class Answering(Protocol):
    """The part of the runtime that a face needs."""

    async def handle(
        self,
        inbound: Inbound,
        on_text: Callable[[str], None] | None = None,
        *,
        attendance: Attendance | None = None,
    ) -> Reply: ...


async def talk_piped(
    runtime: Answering, console: Console, lines: AsyncIterator[str], *, told: Sequence[str] = ()
) -> int:
    """Answer each line in turn and return the exit code: 1 if one exchange failed.

    `told` are the models that were said to be out of service.

    A line without a character that shows is passed over. The next line is read when the one
    before it was answered.
    """
    code, notices = DONE, Notices(told)
    async for line in lines:
        if not line.strip():
            continue
        attendance = Attendance(on_cut=_show_below)
        reply = await runtime.handle(console.inbound(line), attendance=attendance)
        for notice in notices.new(reply):
            warn(notice)
        show(reply)
        if has_failed(reply):
            code = FAILED
    return code


def has_failed(reply: Reply) -> bool:
    """Tell whether a message came to nothing: no answer, or a command that the store did not take."""
    return reply.outcome in ("failed", "busy") or reply.code == "store_failed"


def show(reply: Reply) -> None:
    """Print a whole reply: its text, and its effects below."""
    text = ReplyText()
    say_inert(text.feed(reply.text) + text.finish())
    _show_below(reply)


def _show_below(reply: Reply) -> None:
    """Print what the runtime says of what was saved: all there is where the answer was cut off."""
    for line in below(reply):
        say_inert(line)
