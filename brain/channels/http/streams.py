"""Answers that go on: server-sent events, with a sign of life, ended when the server stops."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from brain.clock import Clock

__all__ = ["HEARTBEAT_SECONDS", "HURRY", "EventStream"]

HURRY: Final = "hurry"
"""The name, in the state of a request, of what lets its connection wait for a stalled reader no longer:
an answer's end is behind all that was written, and would never come to one who does not read."""

HEARTBEAT_SECONDS: Final = 15.0
"""How often a line comes at least: a proxy cuts what is silent for long, and a dead peer shows."""

HEARTBEAT: Final = b": alive\n\n"


class EventStream(Response):
    """Server-sent events, with a heartbeat every 15 seconds. Whoever leaves closes the frames at once.

    Each piece that `frames` yields is sent as it is, so it holds whole frames. Where `stopping` is
    given the answer ends, between two pieces, when that is set; else it is finished first. It ends
    as well once `may_go_on`, asked as often as the heart beats, says no: then, as when the server
    stops, one who has stalled is cut off.
    """

    def __init__(
        self,
        frames: AsyncGenerator[bytes, None],
        *,
        clock: Clock,
        stopping: asyncio.Event | None = None,
        may_go_on: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
        del self.headers["content-length"]
        self._frames = frames
        self._clock = clock
        self._stopping = stopping or asyncio.Event()
        self._may_go_on = may_go_on

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(
            {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        )  # fmt: skip
        sending = asyncio.create_task(self._send_frames(send))
        beating = asyncio.create_task(self._send_heartbeats(send))
        ends = (
            asyncio.create_task(_left(receive)),
            asyncio.create_task(self._stopping.wait()),
            asyncio.create_task(self._forbidden()),
        )
        try:
            await asyncio.wait({sending, *ends}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = (sending, beating, *ends)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if not sending.cancelled() and (error := sending.exception()) is not None:
            raise error
        if not self._may_go_on():
            scope["state"][HURRY]()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_frames(self, send: Send) -> None:
        async with aclosing(self._frames):
            async for piece in self._frames:
                await send({"type": "http.response.body", "body": piece, "more_body": True})

    async def _send_heartbeats(self, send: Send) -> None:
        while True:
            await self._clock.sleep(HEARTBEAT_SECONDS)
            await send({"type": "http.response.body", "body": HEARTBEAT, "more_body": True})

    async def _forbidden(self) -> None:
        """Return once it may not go on, also where the reader has stalled."""
        while self._may_go_on():
            await self._clock.sleep(HEARTBEAT_SECONDS)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
