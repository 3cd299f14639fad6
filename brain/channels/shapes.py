"""Replies, notes, rehearsals and forgettings as JSON: the same fields whichever way they leave. Pure."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Protocol

from brain.clock import to_rfc3339
from brain.records import Effect, JSONValue, Note, Reader, Rehearsal, Reply

__all__ = [
    "NOT_PROMISED",
    "ForgettingRow",
    "effect_shape",
    "forgetting_shape",
    "note_shape",
    "rehearsal_shape",
    "reply_shape",
]

NOT_PROMISED: Final = (
    "exports, and backups and copies kept elsewhere, which brain does not know of",
    "snapshots of the file system, blocks that an SSD has set aside, swap",
    "what a model server keeps in memory of the prompts it was sent",
)
"""What no forgetting can reach, said with every receipt."""

_OPERATOR: Final = Reader()


class ForgettingRow(Protocol):
    """A forgetting; its `receipt` is None while the files behind it are not cleaned."""

    @property
    def forgetting_id(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def kind(self) -> str: ...
    @property
    def counts(self) -> Mapping[str, int]: ...
    @property
    def has_transcript(self) -> bool: ...
    @property
    def too_short(self) -> int: ...
    @property
    def done_at(self) -> datetime | None: ...
    @property
    def receipt(self) -> Mapping[str, JSONValue] | None: ...


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
        "effects": [effect_shape(effect, reply.reader) for effect in reply.effects],
        "truth": reply.truth,
        "notices": list(reply.notices),
        "exchange_id": reply.exchange_id,
        "model": reply.model,
        "code": reply.code,
    }


def effect_shape(effect: Effect, reader: Reader = _OPERATOR) -> JSONValue:
    """Return an effect, with its line as `reader` can use it."""
    return {
        "kind": effect.kind,
        "number": effect.number,
        "reason": effect.reason,
        "line": effect.told(reader),
    }


def forgetting_shape(forgetting: ForgettingRow) -> dict[str, JSONValue]:
    """Return a forgetting with its receipt: counts and names of files, no words."""
    return {
        "forgetting_id": forgetting.forgetting_id,
        "kind": forgetting.kind,
        "at": to_rfc3339(forgetting.at),
        "done_at": to_rfc3339(forgetting.done_at) if forgetting.done_at else None,
        "counts": dict(forgetting.counts),
        "with_transcript": forgetting.has_transcript,
        "too_short": forgetting.too_short,
        "receipt": dict(forgetting.receipt) if forgetting.receipt is not None else None,
        "not_promised": list(NOT_PROMISED),
    }
