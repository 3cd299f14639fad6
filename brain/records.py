"""The values that travel through brain: frozen, without behaviour of their own.

Every module may use these words; `docs/words.md` says what each means. Moments are aware
datetimes in UTC. `*_runes` counts Unicode code points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

__all__ = [
    "Box",
    "Conversation",
    "Effect",
    "Ended",
    "Inbound",
    "JSONValue",
    "Message",
    "Mode",
    "Note",
    "NoteOrigin",
    "Observation",
    "Origin",
    "Receipt",
    "Rehearsal",
    "Reply",
    "Role",
    "Scope",
    "Sensitivity",
    "Session",
    "ToolCall",
    "ToolSpec",
    "Turn",
    "TurnRole",
]

JSONValue = str | int | float | bool | None | Sequence["JSONValue"] | Mapping[str, "JSONValue"]

Mode = Literal["allow", "shadow", "deny"]
Origin = Literal["model", "operator", "mcp-client", "job"]
NoteOrigin = Literal["model", "operator", "promoted", "import"]
Scope = Literal["conversation", "brain"]
Sensitivity = Literal["public", "private"]
TurnRole = Literal["user", "assistant", "operator", "system"]
Role = Literal["system", "user", "assistant", "tool"]
Ended = Literal["stop", "length"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbound:
    """One message that came in from a channel.

    `conversation` is the channel's own id of the talk. `is_operator` is the channel's verdict on
    the sender, made from the config. `message_id` is the channel's id of the message, by which a
    repeat is known; None where the channel has none.
    """

    channel: str
    conversation: str
    sender: str
    text: str
    is_operator: bool = False
    message_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads a line of the runtime: it names no command that would be refused to them.

    `trigger` begins a new session for them whose talk is trusted, empty where none would.
    """

    is_operator: bool = True
    trigger: str = "/new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What an exchange did to the note box, said by the runtime and not by the model (P13).

    `fix` is the operator's command that lets the next note be stored, where one does.
    """

    kind: Literal["saved", "duplicate", "rehearsed", "held", "refused"]
    number: int = 0
    reason: str = ""
    fix: str = ""

    @property
    def line(self) -> str:
        """The effects line as the operator reads it."""
        return self.told(Reader())

    def told(self, reader: Reader) -> str:
        """Return the effects line that every face shows under the reply."""
        is_operator = reader.is_operator
        match self.kind:
            case "saved":
                return f"saved note {self.number}"
            case "duplicate":
                return f"not saved: note {self.number} says the same"
            case "rehearsed":
                told = "(/notes rehearsals)" if is_operator else "(the operator judges it)"
                return f"not saved: rehearsal {self.number} {told}"
            case "held":
                told = f"/notes promote {self.number} stores it"
                told = told if is_operator else "only the operator can store it"
                told += f", {reader.trigger} ends it" if reader.trigger else ""
                return f"held as {self.number}: {self.reason}; {told}"
            case "refused":
                told = self.fix if is_operator else "only the operator can make room"
                return f"not saved: {self.reason}" + (f", {told}" if self.fix else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What goes back to the channel.

    `outcome`: `answered` by the model, `command` by the runtime, `failed` honestly, `cancelled` by
    the person, `busy` when too many wait, `repeated` for a message that has its reply already or is
    being answered, `session` when a trigger alone opened one.
    `truth` is the runtime's line where a save was asked for or claimed and nothing was saved (P13).
    `notices` are lines of the runtime about the exchange (a fall back to another model, say).
    The tokens are those that the servers counted, of all calls of the exchange together.
    `reader` is who sent the message: the effects are told as they can use them.
    `ended` is how the model's last answer did: `length` where it was cut off before its end.
    """

    text: str
    outcome: Literal["answered", "command", "failed", "cancelled", "busy", "repeated", "session"]
    effects: tuple[Effect, ...] = ()
    reader: Reader = Reader()
    truth: str = ""
    notices: tuple[str, ...] = ()
    exchange_id: str = ""
    model: str = ""
    code: str = ""
    prompt_tokens: int = 0
    reply_tokens: int = 0
    ended: Ended = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """What a model is told of a tool. `parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, JSONValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One request of a model (or an operator) to use a tool.

    `arguments` is the parsed object; where the lane could not parse one, `malformed` says why in
    words that the model may read, and `arguments` is empty. Nothing is repaired in silence.
    """

    id: str
    name: str
    arguments: Mapping[str, JSONValue] = field(default_factory=dict)
    malformed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What the model is told of the outcome of a call."""

    call: ToolCall
    text: str
    outcome: Literal["ok", "error", "shadowed", "denied", "malformed", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a prompt. A `tool` message answers the call `call_id` of tool `tool_name`."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    tool_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One talk on one channel. `conversation_id` is the random id by which events name it."""

    conversation_id: str
    channel: str
    conversation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A stretch of a conversation. `number` counts from 1; the newest is active."""

    conversation_id: str
    number: int
    started_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One stored line of a session.

    `kind`: `said` is dialogue, `recalled` a quoted block, `failed` a user turn whose exchange ended
    without a reply is still `said`. `is_cut` marks a reply that was cancelled while it streamed.
    `effects` and `truth` are what the runtime said under it.
    """

    turn_id: int
    conversation_id: str
    session: int
    role: TurnRole
    kind: Literal["said", "recalled"]
    text: str
    at: datetime
    brain: str
    sensitivity: Sensitivity
    exchange_id: str
    sender: str = ""
    is_tainted: bool = False
    is_cut: bool = False
    effects: tuple[Effect, ...] = ()
    truth: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """The notes of one scope, as a key. A scope without its key cannot be made."""

    brain: str
    scope: Scope
    channel: str = ""
    conversation: str = ""

    def __post_init__(self) -> None:
        has_key = bool(self.channel) and bool(self.conversation)
        if not self.brain:
            raise ValueError("a box belongs to a brain")
        if self.scope == "conversation" and not has_key:
            raise ValueError("a box of scope conversation needs its channel and conversation")
        if self.scope == "brain" and (self.channel or self.conversation):
            raise ValueError("a box of scope brain has no channel and no conversation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A short fact in a box. `number` is given once per box and not used again until a clear."""

    note_id: str
    number: int
    box: Box
    text: str
    created_at: datetime
    origin: NoteOrigin
    sensitivity: Sensitivity
    revision: str
    channel: str = ""
    sender: str = ""
    session: int = 0
    turn_id: int = 0
    is_tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A call that was shadowed: what it asked for and what would have happened."""

    rehearsal_id: str
    number: int
    box: Box
    tool: str
    arguments: Mapping[str, JSONValue]
    would: str
    created_at: datetime
    expires_at: datetime
    sensitivity: Sensitivity
    revision: str
    exchange_id: str = ""
    channel: str = ""
    sender: str = ""
    session: int = 0
    turn_id: int = 0
    held_for: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What the last prompt of an exchange was made of (P14): sizes, numbers, ids, names, never a text.

    `parts` is what each part is counted as, in tokens; `estimated_tokens` is the whole prompt and
    `room_tokens` what there was room for. `notes` are the numbers of the notes that rode and
    `note_ids` their ids. `exchanges` earlier ones rode, the oldest `dropped` were left out.
    """

    exchange_id: str
    model: str
    proof_id: str
    is_local: bool
    lane: Literal["native", "text"]
    parts: Mapping[str, int]
    estimated_tokens: int
    room_tokens: int
    notes: tuple[int, ...]
    note_ids: tuple[str, ...]
    tools: tuple[str, ...]
    exchanges: int
    dropped: int
