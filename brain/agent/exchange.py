"""What the runtime hands to an agent: one inbound message whose user turn is already stored."""

from collections.abc import Callable
from dataclasses import dataclass

from brain.records import Effect, Message, Reader
from brain.store import KeepReply, keep_nothing

__all__ = ["Apart", "Exchange"]


def _unheeded(effects: tuple[Effect, ...]) -> None:
    """Nobody asks before the reply is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """What a message brings along that belongs to no conversation: its history, and a prompt.

    `history` are messages of user and assistant, `prompt` comes after the operator's own. Nothing of
    such an exchange is stored as a turn, and no receipt of it is kept.
    """

    history: tuple[Message, ...] = ()
    prompt: str = ""
    is_tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One inbound and all that an agent must know of where it came from.

    `turn_id` is the stored user turn and `text` its text. `session` is the session the exchange is
    bound to: its reply goes there, whatever was opened meanwhile. `conversation_id` and `actor_id`
    are the random ids that events carry; `generation` is the conversation's: once something of it is
    forgotten, nothing of this exchange is stored. `revision` is the config the exchange began under.
    `reader` is who sent it. One that is `apart` has no conversation and no stored turn. `keep` is what
    else the commit of its reply does. `on_effects` gets what became of notes so far, after each round
    of calls, however the exchange ends.
    """

    exchange_id: str
    channel: str
    conversation: str
    conversation_id: str
    actor_id: str
    sender: str
    session: int
    turn_id: int
    text: str
    reader: Reader
    revision: str
    generation: int = 0
    apart: Apart | None = None
    keep: KeepReply = keep_nothing
    on_effects: Callable[[tuple[Effect, ...]], None] = _unheeded
