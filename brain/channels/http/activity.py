"""`GET /v1/activity`: the record as a page of events, or as a feed that goes on."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brain.activity import EVENT_TYPES, FeedItem, Resync
from brain.channels.http.bodies import limit_of, number_of, query_of
from brain.channels.http.ground import Ground, token_of
from brain.channels.http.refusal import Refusal
from brain.channels.http.shapes import event_shape, sse
from brain.channels.http.streams import EventStream
from brain.errors import StoreError
from brain.records import JSONValue

__all__ = ["Frames", "activity"]

RECONNECT_MS: Final = 2000
FRAMES_AT_MOST: Final = 2000
"""How many frames are held: what the feed holds for all readers, and some for who lags."""


async def activity(request: Request, ground: Ground) -> Response:
    """Return events behind `after`, or the newest; with `Accept: text/event-stream` the feed."""
    query = query_of(request, "after", "type", "brain", "limit")
    types = tuple(name for name in query["type"].split(",") if name)
    for name in types:
        if name not in EVENT_TYPES:
            raise Refusal(400, "unknown_type", "there is no such type of event", path="type")
    after = number_of(request.query_params.get("after"), "after")
    last_seen = number_of(request.headers.get("last-event-id"), "Last-Event-ID")
    if "text/event-stream" in request.headers.get("accept", ""):
        start = last_seen if last_seen is not None else after
        if start is None:
            start = await ground.doors.head()
        frames = _frames(ground, after=start, types=types, brain=query["brain"])
        token = token_of(request)
        return EventStream(
            frames,
            clock=ground.clock,
            stopping=ground.stopping,
            may_go_on=lambda: ground.access.still_knows(token),
        )
    limit = limit_of(request)
    rows, head = await ground.doors.events(
        after=after, types=types, brain=query["brain"], limit=limit
    )
    return JSONResponse({"events": [event_shape(row) for row in rows], "head": head})


async def _frames(
    ground: Ground, *, after: int, types: tuple[str, ...], brain: str
) -> AsyncGenerator[bytes, None]:
    yield f"retry: {RECONNECT_MS}\n\n".encode()
    try:
        async with aclosing(ground.doors.follow(after=after, types=types, brain=brain)) as batches:
            async for batch in batches:
                yield b"".join([ground.frames.of(item) for item in batch])
    except StoreError:
        return  # the reader comes back with its Last-Event-ID and loses nothing


class Frames:
    """Events as frames, each made once however many readers get it."""

    def __init__(self) -> None:
        self._made: dict[JSONValue, bytes] = {}

    def of(self, item: FeedItem) -> bytes:
        """Return the frame of an event, or of what tells a reader to fetch anew."""
        if isinstance(item, Resync):
            return sse({"after": item.after, "first": item.first}, event="resync")
        frame = self._made.get(item["hash"])
        if frame is None:
            if len(self._made) >= FRAMES_AT_MOST:
                del self._made[next(iter(self._made))]
            seq = item["seq"]
            frame = sse(event_shape(item), event="event", seq=seq if isinstance(seq, int) else None)
            self._made[item["hash"]] = frame
        return frame
