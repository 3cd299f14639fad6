"""`POST /v1/messages`: one message in, the reply out, whole or as it comes."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brain.channels.http.access import inbound_of
from brain.channels.http.bodies import NAME_RUNES, key_of, query_of, read_fields
from brain.channels.http.ground import Ground, caller_of
from brain.channels.http.ports import Doors
from brain.channels.http.refusal import Refusal
from brain.channels.http.shapes import sse
from brain.channels.http.streams import EventStream
from brain.channels.shapes import reply_shape
from brain.config import Channel, Config
from brain.records import Inbound, Reply

__all__ = ["channel_of", "messages", "pieces_of"]

TEXT_RUNES: Final = 200_000


async def messages(request: Request, ground: Ground) -> Response:
    """Answer one message; with `Accept: text/event-stream` the pieces come as they are made."""
    caller = caller_of(request)
    query_of(request)
    fields = await read_fields(request)
    conversation = fields.text("conversation", at_most=NAME_RUNES, is_required=True)
    text = fields.text("text", at_most=TEXT_RUNES, is_required=True)
    sender = fields.text("sender", at_most=NAME_RUNES)
    brain, channel = fields.text("brain", at_most=64), fields.text("channel", at_most=64)
    fields.end()
    if sender and caller.role != "gateway":
        raise Refusal(403, "sender_not_yours", "only a gateway names the sender", path="sender")
    inbound = inbound_of(
        caller,
        channel_of(ground.doors.config, brain=brain, channel=channel),
        conversation=conversation,
        text=text,
        sender=sender,
        message_id=key_of(request),
    )
    if "text/event-stream" in request.headers.get("accept", ""):
        frames = _frames(ground.doors, inbound)
        return EventStream(frames, clock=ground.clock)
    reply = await ground.doors.handle(inbound)
    return JSONResponse(
        reply_shape(reply), headers=busy_headers(reply), status_code=status_of(reply)
    )


def status_of(reply: Reply) -> int:
    return 429 if reply.outcome == "busy" else 200


def busy_headers(reply: Reply) -> dict[str, str]:
    return {"Retry-After": "2"} if reply.outcome == "busy" else {}


def channel_of(config: Config, *, brain: str = "", channel: str = "") -> Channel:
    """Return the http channel that is meant: the named one, or the first that leads to `brain`.

    Raises Refusal.
    """
    channels = [each for each in config.channels if each.type == "http"]
    if not channels:
        raise Refusal(
            409,
            "no_http_channel",
            'the config has no channel of type http; add {"type": "http"} to "channels"',
        )
    for each in channels:
        is_named = not channel or each.name == channel
        if is_named and (not brain or config.brain_of(each.name).name == brain):
            return each
    if channel and channel not in {each.name for each in channels}:
        raise Refusal(404, "unknown_channel", "there is no such http channel", path="channel")
    raise Refusal(404, "unknown_brain", "no http channel leads to such a brain", path="brain")


async def pieces_of(
    answer: Callable[[Callable[[str], None]], Awaitable[Reply]],
) -> AsyncGenerator[str | Reply, None]:
    """Yield the pieces of the answer as they come, and the reply at the end.

    Closing it early cancels the exchange: what had come is stored and marked.
    """
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    task = asyncio.ensure_future(answer(queue.put_nowait))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (piece := await queue.get()) is not None:
            yield piece
        yield task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _frames(doors: Doors, inbound: Inbound) -> AsyncGenerator[bytes, None]:
    async with aclosing(pieces_of(lambda listen: doors.handle(inbound, listen))) as pieces:
        async for piece in pieces:
            if isinstance(piece, str):
                yield sse({"text": piece}, event="text")
            else:
                yield sse(reply_shape(piece), event="reply")
