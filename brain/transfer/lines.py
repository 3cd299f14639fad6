"""Records as the lines of an export, and lines as records. Pure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from brain.clock import to_rfc3339
from brain.records import Box, Conversation, Note, Rehearsal, Session, Turn
from brain.transfer.shapes import VERSION

__all__ = ["Header", "Record", "kind_of", "record_from", "render"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line. `counts` is by the names of COUNTED; empty `brains` are all."""

    at: datetime
    holds: tuple[str, ...]
    brains: tuple[str, ...]
    counts: Mapping[str, int]


Record = Header | Conversation | Session | Turn | Note | Rehearsal

_OBEYED: Final = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
"""What JSON leaves as it is and a terminal, or an editor, may obey or hide."""


def render(record: Record) -> str:
    """Return the line of a record, without its end. It is safe to be printed."""
    text = json.dumps(_line(record), ensure_ascii=False, separators=(",", ":"))
    return _OBEYED.sub(lambda found: json.dumps(found[0])[1:-1], text)


def kind_of(record: Record) -> str:
    """Return the kind of the record's line."""
    match record:
        case Header():
            return "export"
        case Conversation():
            return "conversation"
        case Session():
            return "session"
        case Turn():
            return "turn"
        case Note():
            return "note"
        case Rehearsal():
            return "rehearsal"


def _line(record: Record) -> Mapping[str, Any]:
    match record:
        case Header():
            return {
                "kind": "export",
                "v": VERSION,
                "at": to_rfc3339(record.at),
                "holds": list(record.holds),
                "brains": list(record.brains),
                "counts": dict(record.counts),
            }
        case Conversation():
            return {
                "kind": "conversation",
                "id": record.conversation_id,
                "channel": record.channel,
                "conversation": record.conversation,
            }
        case Session():
            return {
                "kind": "session",
                "conversation_id": record.conversation_id,
                "number": record.number,
                "started_at": to_rfc3339(record.started_at),
            }
        case Turn():
            return _turn_line(record)
        case Note():
            return _note_line(record)
        case Rehearsal():
            return _rehearsal_line(record)


def _turn_line(turn: Turn) -> Mapping[str, Any]:
    return {
        "kind": "turn",
        "conversation_id": turn.conversation_id,
        "session": turn.session,
        "id": turn.turn_id,
        "role": turn.role,
        "form": turn.kind,
        "text": turn.text,
        "at": to_rfc3339(turn.at),
        "brain": turn.brain,
        "sensitivity": turn.sensitivity,
        "exchange": turn.exchange_id,
        "sender": turn.sender,
        "tainted": turn.is_tainted,
        "cut": turn.is_cut,
    }


def _note_line(note: Note) -> Mapping[str, Any]:
    return {
        "kind": "note",
        "id": note.note_id,
        "number": note.number,
        "box": _box_line(note.box),
        "text": note.text,
        "created_at": to_rfc3339(note.created_at),
        "origin": note.origin,
        "sensitivity": note.sensitivity,
        "revision": note.revision,
        **_cause_line(note),
        "tainted": note.is_tainted,
    }


def _rehearsal_line(rehearsal: Rehearsal) -> Mapping[str, Any]:
    return {
        "kind": "rehearsal",
        "id": rehearsal.rehearsal_id,
        "number": rehearsal.number,
        "box": _box_line(rehearsal.box),
        "tool": rehearsal.tool,
        "arguments": rehearsal.arguments,
        "would": rehearsal.would,
        "created_at": to_rfc3339(rehearsal.created_at),
        "expires_at": to_rfc3339(rehearsal.expires_at),
        "sensitivity": rehearsal.sensitivity,
        "revision": rehearsal.revision,
        "exchange": rehearsal.exchange_id,
        **_cause_line(rehearsal),
        "held_for": rehearsal.held_for,
    }


def _box_line(box: Box) -> Mapping[str, Any]:
    return {
        "brain": box.brain,
        "scope": box.scope,
        "channel": box.channel,
        "conversation": box.conversation,
    }


def _cause_line(row: Note | Rehearsal) -> Mapping[str, Any]:
    return {
        "channel": row.channel,
        "sender": row.sender,
        "session": row.session,
        "turn": row.turn_id,
    }


def record_from(line: Mapping[str, Any]) -> Record:
    """Return the record of a line that has the shape of its kind.

    Raises ValueError for a box whose scope and key do not belong together.
    """
    match line["kind"]:
        case "export":
            return Header(
                at=_moment(line["at"]),
                holds=tuple(line["holds"]),
                brains=tuple(line["brains"]),
                counts=line["counts"],
            )
        case "conversation":
            return Conversation(
                conversation_id=line["id"],
                channel=line["channel"],
                conversation=line["conversation"],
            )
        case "session":
            return Session(
                conversation_id=line["conversation_id"],
                number=line["number"],
                started_at=_moment(line["started_at"]),
            )
        case "turn":
            return _turn_from(line)
        case "note":
            return _note_from(line)
        case _:
            return _rehearsal_from(line)


def _turn_from(line: Mapping[str, Any]) -> Turn:
    return Turn(
        turn_id=line["id"],
        conversation_id=line["conversation_id"],
        session=line["session"],
        role=line["role"],
        kind=line["form"],
        text=line["text"],
        at=_moment(line["at"]),
        brain=line["brain"],
        sensitivity=line["sensitivity"],
        exchange_id=line["exchange"],
        sender=line["sender"],
        is_tainted=line["tainted"],
        is_cut=line["cut"],
    )


def _note_from(line: Mapping[str, Any]) -> Note:
    return Note(
        note_id=line["id"],
        number=line["number"],
        box=Box(**line["box"]),
        text=line["text"],
        created_at=_moment(line["created_at"]),
        origin=line["origin"],
        sensitivity=line["sensitivity"],
        revision=line["revision"],
        is_tainted=line["tainted"],
        **_cause_from(line),
    )


def _rehearsal_from(line: Mapping[str, Any]) -> Rehearsal:
    return Rehearsal(
        rehearsal_id=line["id"],
        number=line["number"],
        box=Box(**line["box"]),
        tool=line["tool"],
        arguments=line["arguments"],
        would=line["would"],
        created_at=_moment(line["created_at"]),
        expires_at=_moment(line["expires_at"]),
        sensitivity=line["sensitivity"],
        revision=line["revision"],
        exchange_id=line["exchange"],
        held_for=line["held_for"],
        **_cause_from(line),
    )


def _cause_from(line: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "channel": line["channel"],
        "sender": line["sender"],
        "session": line["session"],
        "turn_id": line["turn"],
    }


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
