"""Notes and rehearsals as JSON: the same fields on the command line and over HTTP. Pure."""

from brain.clock import to_rfc3339
from brain.records import JSONValue, Note, Rehearsal

__all__ = ["note_shape", "rehearsal_shape"]


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
