"""Hand-written doubles for the faces: somebody who answers, somebody who types."""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence

from brain.channels import Console
from brain.errors import Interrupted
from brain.records import Inbound, Reply
from brain.runtime import Attendance
from tests.clocks import FakeClock

CONSOLE = Console(channel="console", conversation="main", sender="ada")


class Answers:
    """Answers with the replies it was given, each in pieces where it has any."""

    def __init__(self, *replies: Reply, pieces: Sequence[str] = ()) -> None:
        self.replies = list(replies)
        self.pieces = pieces
        self.heard: list[Inbound] = []

    async def handle(
        self,
        inbound: Inbound,
        on_text: Callable[[str], None] | None = None,
        *,
        attendance: Attendance | None = None,
    ) -> Reply:
        self.heard.append(inbound)
        for piece in self.pieces:
            if on_text is not None:
                on_text(piece)
        return self.replies.pop(0)


class TakesLong(Answers):
    """Answers after so many seconds, its pieces before them."""

    def __init__(
        self, *replies: Reply, clock: FakeClock, seconds: int, pieces: Sequence[str] = ()
    ) -> None:
        super().__init__(*replies, pieces=pieces)
        self.clock = clock
        self.seconds = seconds

    async def handle(
        self,
        inbound: Inbound,
        on_text: Callable[[str], None] | None = None,
        *,
        attendance: Attendance | None = None,
    ) -> Reply:
        reply = await super().handle(inbound, on_text, attendance=attendance)
        for _ in range(self.seconds):
            self.clock.advance(1)
            for _ in range(4):  # whoever sleeps wakes up and goes to sleep again
                await asyncio.sleep(0)
        return reply


class NeverEnds:
    """Says a little and then thinks until it is cancelled, after `presses` of Ctrl-C."""

    def __init__(self, *, presses: int) -> None:
        self.presses = presses
        self.was_cancelled = False

    async def handle(
        self,
        inbound: Inbound,
        on_text: Callable[[str], None] | None = None,
        *,
        attendance: Attendance | None = None,
    ) -> Reply:
        if on_text is not None:
            on_text("Let me th")
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            for _ in range(self.presses - 1):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0)
            raise
        raise AssertionError("nothing ends this but a cancellation")


class Types:
    """Types what it was given: a text, None for Ctrl-D, an Interrupted for Ctrl-C."""

    def __init__(self, *keys: str | Interrupted | None) -> None:
        self.keys = list(keys)

    async def ask(self) -> str | None:
        key = self.keys.pop(0)
        if isinstance(key, Interrupted):
            raise key
        return key
