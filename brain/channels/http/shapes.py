"""What comes out, as JSON: replies and rows, field by field."""

import json

from brain.channels.http.ports import EventRow
from brain.clock import to_rfc3339
from brain.records import Box, Effect, JSONValue, Reply, Turn

__all__ = [
    "box_shape",
    "effect_shape",
    "event_shape",
    "reply_shape",
    "sse",
    "turn_shape",
]


def reply_shape(reply: Reply) -> dict[str, JSONValue]:
    """Return a reply; `effects[].line` and `truth` are the runtime's words, not the model's."""
    return {
        "text": reply.text,
        "outcome": reply.outcome,
        "ended": reply.ended,
        "effects": [effect_shape(effect) for effect in reply.effects],
        "truth": reply.truth,
        "notices": list(reply.notices),
        "exchange_id": reply.exchange_id,
        "model": reply.model,
        "code": reply.code,
    }


def effect_shape(effect: Effect) -> JSONValue:
    return {
        "kind": effect.kind,
        "number": effect.number,
        "reason": effect.reason,
        "line": effect.line,
    }


def box_shape(box: Box) -> JSONValue:
    return {
        "brain": box.brain,
        "scope": box.scope,
        "channel": box.channel,
        "conversation": box.conversation,
    }


def turn_shape(turn: Turn) -> JSONValue:
    return {
        "turn_id": turn.turn_id,
        "role": turn.role,
        "kind": turn.kind,
        "text": turn.text,
        "at": to_rfc3339(turn.at),
        "brain": turn.brain,
        "sender": turn.sender,
        "exchange_id": turn.exchange_id,
        "sensitivity": turn.sensitivity,
        "is_tainted": turn.is_tainted,
        "is_cut": turn.is_cut,
        "effects": [effect_shape(effect) for effect in turn.effects],
        "truth": turn.truth,
    }


def event_shape(row: EventRow) -> dict[str, JSONValue]:
    return dict(row)


def sse(value: JSONValue, *, event: str = "", seq: int | None = None) -> str:
    """Return one server-sent event: its id, its name and its value on one line of JSON."""
    head = f"id: {seq}\n" if seq is not None else ""
    head += f"event: {event}\n" if event else ""
    return f"{head}data: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n\n"
