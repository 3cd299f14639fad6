"""What comes out, as JSON: replies and rows, field by field."""

import json
from collections.abc import Mapping
from typing import Final

from brain.channels.http.ports import EventRow, MessageState
from brain.channels.shapes import effect_shape
from brain.clock import to_rfc3339
from brain.records import Box, JSONValue, Turn

__all__ = [
    "STATES",
    "box_shape",
    "event_shape",
    "sse",
    "turn_shape",
]


def box_shape(box: Box) -> JSONValue:
    return {
        "brain": box.brain,
        "scope": box.scope,
        "channel": box.channel,
        "conversation": box.conversation,
    }


STATES: Final[Mapping[str, str]] = {
    "message_received": "open",
    "reply_sent": "answered",
    "exchange_failed": "failed",
    "exchange_cancelled": "cancelled",
    "message_dropped": "dropped",
}
"""What became of a message, by the last event of it. One that is open is being answered, or waits."""


def turn_shape(turn: Turn, state: MessageState | None) -> JSONValue:
    """Return a turn; `state` says what became of the message where it is the user's."""
    is_message = state is not None and turn.role == "user" and turn.kind == "said"
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
        "state": STATES[state.type] if state is not None and is_message else "",
        "code": state.outcome if state is not None and is_message else "",
    }


def event_shape(row: EventRow) -> dict[str, JSONValue]:
    return dict(row)


def sse(value: JSONValue, *, event: str = "", seq: int | None = None) -> bytes:
    """Return one server-sent event: its id, its name and its value on one line of JSON."""
    head = f"id: {seq}\n" if seq is not None else ""
    head += f"event: {event}\n" if event else ""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"{head}data: {data}\n\n".encode()
