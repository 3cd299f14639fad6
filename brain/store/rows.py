"""The rows that pass in and out of the store, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from brain.records import (
    Box,
    Effect,
    JSONValue,
    NoteOrigin,
    Sensitivity,
    Turn,
    TurnRole,
)

__all__ = [
    "EventFilter",
    "EventRow",
    "MessageState",
    "ModelBreak",
    "NewNote",
    "NewRehearsal",
    "NewTurn",
    "Seen",
    "SeenState",
    "SessionRow",
    "TalkMark",
    "TalkRow",
]

EventRow = Mapping[str, JSONValue]
"""An event by field name, as `brain.activity.FIELDS` lists them; `hash` and `prev` included."""

SeenState = Literal["waiting", "begun", "settled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A turn to be stored; the store stamps id and time."""

    conversation_id: str
    session: int
    role: TurnRole
    text: str
    brain: str
    sensitivity: Sensitivity
    exchange_id: str
    kind: str = "said"
    sender: str = ""
    is_tainted: bool = False
    is_cut: bool = False
    effects: tuple[Effect, ...] = ()
    truth: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is known of a message id. `turn` is that of its message; None once it was forgotten.

    The message is `waiting` until its exchange has `begun`, and `settled` once it has its reply.
    """

    state: SeenState
    turn: Turn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNote:
    """A note to be stored; the store stamps id, number and time. `folded` is what duplicates share."""

    box: Box
    text: str
    folded: str
    origin: NoteOrigin
    sensitivity: Sensitivity
    revision: str
    channel: str = ""
    sender: str = ""
    session: int = 0
    turn_id: int = 0
    is_tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRehearsal:
    """A rehearsal to be kept; the store stamps id, number and time."""

    box: Box
    tool: str
    arguments: Mapping[str, JSONValue]
    would: str
    keep_days: int
    sensitivity: Sensitivity
    revision: str
    exchange_id: str = ""
    channel: str = ""
    sender: str = ""
    session: int = 0
    turn_id: int = 0
    held_for: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageState:
    """The last event of a message: that it came in, or how it ended."""

    type: str
    outcome: str

    @property
    def is_open(self) -> bool:
        """Tell whether its end is still to come."""
        return self.type == "message_received"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBreak:
    """A model that is out of service because it lied about being local."""

    model: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkMark:
    """A place in the listing of conversations: behind the one of this id and `last_at`."""

    last_at: datetime | None
    conversation_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkRow:
    """A conversation in a listing. `last_at` is when its newest turn was stored."""

    conversation_id: str
    channel: str
    conversation: str
    sessions: int
    turns: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """A session in a listing."""

    number: int
    started_at: datetime
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """Which events are wanted; an empty field does not restrict."""

    after: int = 0
    types: tuple[str, ...] = ()
    brain: str = ""
    conversation: str = ""
    since: datetime | None = None
    tools_only: bool = False
    tool: str = ""
    mode: str = ""
