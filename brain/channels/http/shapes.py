"""What comes out, as JSON: replies and rows, field by field."""

import json

from brain.channels.http.ports import EventRow
from brain.records import Effect, JSONValue, Reply

__all__ = ["event_shape", "reply_shape", "sse"]


def reply_shape(reply: Reply) -> dict[str, JSONValue]:
    """Return a reply; `effects[].line` and `truth` are the runtime's words, not the model's."""
    return {
        "text": reply.text,
        "outcome": reply.outcome,
        "effects": [_effect(effect) for effect in reply.effects],
        "truth": reply.truth,
        "notices": list(reply.notices),
        "exchange_id": reply.exchange_id,
        "model": reply.model,
        "code": reply.code,
    }


def _effect(effect: Effect) -> JSONValue:
    return {
        "kind": effect.kind,
        "number": effect.number,
        "reason": effect.reason,
        "line": effect.line,
    }


def event_shape(row: EventRow) -> dict[str, JSONValue]:
    return dict(row)


def sse(value: JSONValue, *, event: str = "", seq: int | None = None) -> str:
    """Return one server-sent event: its id, its name and its value on one line of JSON."""
    head = f"id: {seq}\n" if seq is not None else ""
    head += f"event: {event}\n" if event else ""
    return f"{head}data: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n\n"
