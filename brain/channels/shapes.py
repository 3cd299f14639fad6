"""Replies, notes and rehearsals as JSON: the same fields whichever way they leave. Pure."""

from brain.clock import to_rfc3339
from brain.records import Effect, JSONValue, Note, Rehearsal, Reply

__all__ = ["effect_shape", "note_shape", "rehearsal_shape", "reply_shape"]


def note_shape(note: Note) -> JSONValue:
    return {
        "note_id": note.note_id,
        "number": note.number,
        "text": note.text,
        "created_at": to_rfc3339(note.created_at),
        "origin": note.origin,
        "sensitivity": note.sensitivity,
        "channel": note.channel,
        "sender": note.sender,
        "session": note.session,
        "is_tainted": note.is_tainted,
        "revision": note.revision,
    }


def rehearsal_shape(rehearsal: Rehearsal) -> JSONValue:
    return {
        "rehearsal_id": rehearsal.rehearsal_id,
        "number": rehearsal.number,
        "tool": rehearsal.tool,
        "arguments": rehearsal.arguments,
        "would": rehearsal.would,
        "held_for": rehearsal.held_for,
        "created_at": to_rfc3339(rehearsal.created_at),
        "expires_at": to_rfc3339(rehearsal.expires_at),
        "channel": rehearsal.channel,
        "sender": rehearsal.sender,
        "session": rehearsal.session,
    }


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
