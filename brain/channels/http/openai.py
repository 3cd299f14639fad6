"""What clients of OpenAI's API ask: `model` names a brain, and its runtime answers.

With a conversation header the runtime owns the history, and the last user message is what comes in.
Without one the messages are the history, and nothing is stored as a turn.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brain.channels.http.access import Caller, inbound_of
from brain.channels.http.bodies import NAME_RUNES, Fields, name_in, query_of, read_fields
from brain.channels.http.forms import refuse_other_forms
from brain.channels.http.ground import Ground, caller_of
from brain.channels.http.messages import TEXT_RUNES, pieces_of
from brain.channels.http.refusal import Refusal
from brain.channels.http.shapes import sse
from brain.channels.http.streams import EventStream
from brain.channels.shapes import reply_shape
from brain.channels.voice import Unforged, below
from brain.config import Channel, Config
from brain.ids import new_id
from brain.records import Inbound, JSONValue, Message, Reply

__all__ = ["complete", "get_model", "list_models", "routed_brains"]

Listener = Callable[[str], None]

PROMPT_ROLES: Final = ("system", "developer")
_ANSWERED: Final = ("answered", "command", "session", "repeated")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A request that was understood. Without `conversation` it stands apart."""

    model: str
    conversation: str
    prompt: str
    history: tuple[Message, ...]
    inbound: Inbound
    is_streamed: bool
    has_usage: bool


async def list_models(request: Request, ground: Ground) -> Response:
    """Return the brains that an http channel leads to."""
    query_of(request)
    names = routed_brains(ground.doors.config)
    return JSONResponse({"object": "list", "data": [_model(name) for name in names]})


async def get_model(request: Request, ground: Ground) -> Response:
    """Return one of them."""
    query_of(request)
    name: str = request.path_params["model"]
    _channel_of(ground.doors.config, name)
    return JSONResponse(_model(name))


async def complete(request: Request, ground: Ground) -> Response:
    """Answer as OpenAI's chat completions do, whole or as a stream."""
    query_of(request)
    asked = await _read(request, ground)
    answer = _answering(ground, asked)
    created = int(ground.clock.now().timestamp())
    if asked.is_streamed:
        frames = _frames(answer, asked, created, is_inline=_is_inline(ground))
        return EventStream(frames, clock=ground.clock)
    reply = await answer(_unheard)
    if reply.outcome not in _ANSWERED:
        raise _failure(reply)
    return JSONResponse(_completion(reply, asked, created, is_inline=_is_inline(ground)))


async def _read(request: Request, ground: Ground) -> _Asked:
    caller, config = caller_of(request), ground.doors.config
    fields = await read_fields(request)
    model = fields.text("model", at_most=NAME_RUNES, is_required=True)
    channel = _channel_of(config, model)
    prompt, said = _messages(fields.value("messages"))
    if not said or said[-1].role != "user":
        raise Refusal(
            400, "wrong_field", "the last message has to be one of the user", path="messages"
        )
    refuse_other_forms(fields)
    conversation = _conversation(request, config)
    return _Asked(
        model=model,
        conversation=conversation,
        prompt=prompt,
        history=tuple(said[:-1]),
        inbound=_inbound(caller, channel, conversation, said[-1].text, fields),
        is_streamed=fields.flag("stream"),
        has_usage=_wants_usage(fields.value("stream_options")),
    )


def _inbound(
    caller: Caller, channel: Channel, conversation: str, text: str, fields: Fields
) -> Inbound:
    """Return the message; the field `user` names the sender where a gateway asks."""
    user = fields.text("user", at_most=NAME_RUNES)
    sender = user if caller.role == "gateway" else ""
    inbound = inbound_of(caller, channel, conversation=conversation, text=text, sender=sender)
    return inbound if conversation else replace(inbound, conversation="")


def _messages(value: Any) -> tuple[str, list[Message]]:
    """Return the client's prompt, and what user and assistant said. Raises Refusal."""
    if not isinstance(value, list) or not value:
        raise Refusal(400, "wrong_field", "a list with one message at least", path="messages")
    prompts: list[str] = []
    said: list[Message] = []
    for index, item in enumerate(value):
        path = f"messages[{index}]"
        if not isinstance(item, Mapping):
            raise Refusal(400, "wrong_field", "a message is an object", path=path)
        role, text = item.get("role"), _text(item.get("content"), f"{path}.content")
        if role in PROMPT_ROLES:
            prompts.append(text)
        elif role == "user":
            said.append(Message(role="user", text=text))
        elif role == "assistant":
            said += [Message(role="assistant", text=text)] if text else []
        else:
            raise Refusal(
                400,
                "wrong_field",
                "one of system, developer, user, assistant: tools run here, not at the client",
                path=f"{path}.role",
            )
    if said and said[-1].role == "user" and not said[-1].text.strip():
        raise Refusal(400, "wrong_field", "the last message says nothing", path="messages")
    return "\n\n".join(prompt for prompt in prompts if prompt), said


def _text(content: Any, path: str) -> str:
    """Return the text of a content: a text, a list of text parts, or null. Raises Refusal."""
    if content is None:
        return ""
    if isinstance(content, str):
        text = content
    elif isinstance(content, list):
        text = "\n".join(_part(part, f"{path}[{at}]") for at, part in enumerate(content))
    else:
        raise Refusal(400, "wrong_field", "a text, a list of parts, or null", path=path)
    if len(text) > TEXT_RUNES:
        raise Refusal(400, "wrong_field", f"at most {TEXT_RUNES} characters", path=path)
    return text


def _part(part: Any, path: str) -> str:
    text = part.get("text") if isinstance(part, Mapping) and part.get("type") == "text" else None
    if not isinstance(text, str):
        raise Refusal(400, "wrong_field", "only parts of type text are read here", path=path)
    return text


def _wants_usage(options: Any) -> bool:
    if options is None:
        return False
    if not isinstance(options, Mapping):
        raise Refusal(400, "wrong_field", "an object", path="stream_options")
    return options.get("include_usage") is True


def _conversation(request: Request, config: Config) -> str:
    names = config.server.conversation_headers
    return next(filter(None, (name_in(request, name) for name in names)), "")


def _answering(ground: Ground, asked: _Asked) -> Callable[[Listener], Awaitable[Reply]]:
    doors = ground.doors
    if asked.conversation:
        return lambda listen: doors.handle(asked.inbound, listen)
    return lambda listen: doors.handle_apart(asked.inbound, asked.history, asked.prompt, listen)


async def _frames(
    answer: Callable[[Listener], Awaitable[Reply]],
    asked: _Asked,
    created: int,
    *,
    is_inline: bool,
) -> AsyncGenerator[bytes, None]:
    head: dict[str, JSONValue] = {
        "id": f"chatcmpl-{new_id()}",
        "object": "chat.completion.chunk",
        "created": created,
        "model": asked.model,
    }
    yield _chunk(head, {"role": "assistant", "content": ""})
    lines, has_shown = Unforged(), False
    async with aclosing(pieces_of(answer)) as pieces:
        async for piece in pieces:
            if isinstance(piece, str):
                has_shown = True
                if shown := lines.feed(piece):
                    yield _chunk(head, {"content": shown})
                continue
            if piece.outcome not in _ANSWERED:
                failure = _failure(piece)
                yield sse({"error": {"code": failure.code, "message": failure.message}})
                return
            rest = "" if has_shown else lines.feed(piece.text)
            rest += lines.finish() + (_tail(piece) if is_inline else "")
            if rest:
                yield _chunk(head, {"content": rest})
            yield sse({**head, "choices": [_choice({}, piece.ended)], "brain": _brain(piece)})
            if asked.has_usage:
                yield sse({**head, "choices": [], "usage": _usage(piece)})
    yield b"data: [DONE]\n\n"


def _completion(
    reply: Reply, asked: _Asked, created: int, *, is_inline: bool
) -> dict[str, JSONValue]:
    lines = Unforged()
    content = lines.feed(reply.text) + lines.finish() + (_tail(reply) if is_inline else "")
    return {
        "id": f"chatcmpl-{reply.exchange_id}",
        "object": "chat.completion",
        "created": created,
        "model": asked.model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, "refusal": None},
                "finish_reason": reply.ended,
                "logprobs": None,
            }
        ],
        "usage": _usage(reply),
        "brain": _brain(reply),
    }


def _tail(reply: Reply) -> str:
    """Return the runtime's lines as the last ones of the text, or nothing."""
    lines = below(reply)
    return "\n\n" + "\n".join(lines) if lines else ""


def _failure(reply: Reply) -> Refusal:
    """Return a reply that is no answer as an error, with what was saved before it failed."""
    text = reply.text + _tail(reply)
    if reply.outcome == "busy":
        return Refusal(429, "busy", text, headers={"Retry-After": "2"})
    return Refusal(503, reply.code or "failed", text)


def _brain(reply: Reply) -> JSONValue:
    shape = reply_shape(reply)
    del shape["text"]
    return shape


def _usage(reply: Reply) -> JSONValue:
    return {
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.reply_tokens,
        "total_tokens": reply.prompt_tokens + reply.reply_tokens,
    }


def _chunk(head: Mapping[str, JSONValue], delta: Mapping[str, JSONValue]) -> bytes:
    return sse({**head, "choices": [_choice(delta, None)]})


def _choice(delta: Mapping[str, JSONValue], reason: str | None) -> JSONValue:
    return {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}


def _is_inline(ground: Ground) -> bool:
    return ground.doors.config.server.openai_effects == "inline"


def routed_brains(config: Config) -> Sequence[str]:
    """Return the names of the brains that an http channel leads to."""
    routed = [config.brain_of(each.name).name for each in config.channels if each.type == "http"]
    return [brain.name for brain in config.brains if brain.name in routed]


def _channel_of(config: Config, model: str) -> Channel:
    for channel in config.channels:
        if channel.type == "http" and config.brain_of(channel.name).name == model:
            return channel
    raise Refusal(
        404, "model_not_found", "no http channel leads to a brain of this name", path="model"
    )


def _model(name: str) -> JSONValue:
    return {"id": name, "object": "model", "created": 0, "owned_by": "brain"}


def _unheard(_: str) -> None:
    """Nobody listens to pieces of an answer that goes out whole."""
