"""Answers that go on: server-sent events, with a sign of life, ended when the server stops."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final, TypeVar

from starlette.responses import StreamingResponse
from starlette.types import Send

from brain.clock import Clock

__all__ = ["HEARTBEAT_SECONDS", "EventStream", "with_heartbeat"]

HEARTBEAT_SECONDS: Final = 15.0
"""How often a line comes at least: a proxy cuts what is silent for long, and a dead peer shows."""

HEARTBEAT: Final = ": alive\n\n"

T = TypeVar("T")


class EventStream(StreamingResponse):
    """Server-sent events. Whoever leaves closes the frames at once."""

    def __init__(self, frames: AsyncGenerator[str, None]) -> None:
        self._frames = frames
        super().__init__(
            frames,
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def stream_response(self, send: Send) -> None:
        async with aclosing(self._frames):
            await super().stream_response(send)


async def with_heartbeat(
    frames: AsyncIterator[str], *, clock: Clock, stopping: asyncio.Event | None = None
) -> AsyncGenerator[str, None]:
    """Yield the frames, and a heartbeat every 15 seconds; nothing more once `stopping` is set."""
    stop = asyncio.create_task((stopping or asyncio.Event()).wait())
    beat = asyncio.create_task(clock.sleep(HEARTBEAT_SECONDS))
    coming = asyncio.ensure_future(anext(frames, None))
    try:
        while True:
            await asyncio.wait({stop, beat, coming}, return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                frame = coming.result()
                if frame is None:
                    return
                coming = asyncio.ensure_future(anext(frames, None))
                yield frame
            elif stop.done():
                return
            else:
                beat = asyncio.create_task(clock.sleep(HEARTBEAT_SECONDS))
                yield HEARTBEAT
    finally:
        left = (stop, beat, coming)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
