"""Taking a message in: who spoke, is it a repeat, which session, and the user's turn on disk.

One function per write, each run inside a transaction. The user's turn is stored before any model
is called, so that a failure never loses what the person said.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from brain.activity import Draft, Recorder
from brain.config import Brain, Channel, SessionRules
from brain.memory import current_session, cut_session
from brain.records import Inbound
from brain.store import KeepReply, NewTurn, Snapshot, Transaction, keep_nothing

__all__ = [
    "Arrival",
    "Attendance",
    "Doorway",
    "FindPlace",
    "again",
    "arrive",
    "arrive_after_cut",
    "drop",
    "is_repeat",
    "store_turn",
    "was_forgotten",
]


def _nothing(_: Transaction) -> None:
    """Nobody keeps count of messages whose sender waits for the answer."""


def _always(_: Snapshot) -> bool:
    """Tell that a message is wanted whose sender waits for the answer."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """How the sender of a message gets its answer; by default it waits for it.

    Where nobody waits, the exchange has its id already, takes its `turn` before it begins, and does
    `begin` and `keep` in the commits of its message and of its reply. It does not begin where the
    message is not `is_wanted` any more: it was forgotten while it waited.
    """

    exchange_id: str = ""
    turn: AbstractAsyncContextManager[object] = field(default_factory=nullcontext)
    is_wanted: Callable[[Snapshot], bool] = _always
    begin: Callable[[Transaction], None] = _nothing
    keep: KeepReply = keep_nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Doorway:
    """What taking a message in needs to know besides the message."""

    inbound: Inbound
    exchange_id: str
    brain: Brain
    channel: Channel
    rules: SessionRules | None
    zone: tzinfo
    revision: str
    recorder: Recorder
    attendance: Attendance = field(default_factory=Attendance)

    @property
    def is_trusted(self) -> bool:
        """Tell whether what this sender writes taints no talk."""
        is_known = self.inbound.sender in self.channel.trusted
        return self.inbound.is_operator or is_known or self.channel.type == "console"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A message with its place. A repeat has been answered before, or forgotten: it is not taken up."""

    conversation_id: str
    actor_id: str
    session: int
    is_repeat: bool = False


def arrive(tx: Transaction, door: Doorway) -> Arrival:
    """Find the place of a message: repeats first, then the session, which may have expired."""
    if not door.attendance.is_wanted(tx):
        return Arrival(conversation_id="", actor_id="", session=0, is_repeat=True)
    inbound = door.inbound
    conversation_id = tx.open_conversation(inbound.channel, inbound.conversation)
    actor_id = tx.open_actor(inbound.channel, inbound.sender)
    draft = _draft(door, conversation_id, actor_id)
    if is_repeat(tx, door):
        return Arrival(
            conversation_id=conversation_id, actor_id=actor_id, session=0, is_repeat=True
        )
    opened = current_session(
        tx,
        door.recorder,
        conversation_id=conversation_id,
        rules=door.rules,
        zone=door.zone,
        event=draft,
    )
    return Arrival(
        conversation_id=conversation_id, actor_id=actor_id, session=opened.session.number
    )


def is_repeat(tx: Transaction, door: Doorway) -> bool:
    """Tell whether the message came before, and remember it; a repeat is recorded."""
    inbound = door.inbound
    if inbound.message_id is None or tx.mark_seen(inbound.channel, inbound.message_id):
        return False
    drop(tx, door, why="repeated")
    return True


def arrive_after_cut(tx: Transaction, door: Doorway) -> Arrival:
    """Find the place of a message that a trigger leads: the session it opens, in the same write."""
    arrival = arrive(tx, door)
    if arrival.is_repeat:
        return arrival
    opened = cut_session(
        tx,
        door.recorder,
        conversation_id=arrival.conversation_id,
        event=_draft(door, arrival.conversation_id, arrival.actor_id),
    )
    return replace(arrival, session=opened.session.number)


FindPlace = Callable[[Transaction, Doorway], Arrival]


def was_forgotten(tx: Transaction, arrival: Arrival) -> bool:
    """Tell whether the place of a message is gone: its talk was forgotten while it waited."""
    return not arrival.is_repeat and tx.session(arrival.conversation_id, arrival.session) is None


def again(door: Doorway) -> Doorway:
    """Return the doorway of a message that was taken in before: it is no repeat of itself."""
    return replace(door, inbound=replace(door.inbound, message_id=None))


def store_turn(tx: Transaction, door: Doorway, arrival: Arrival, text: str) -> int:
    """Store the user's turn with its event; return the id of the turn."""
    turn_id = tx.add_turn(
        NewTurn(
            conversation_id=arrival.conversation_id,
            session=arrival.session,
            role="user",
            text=text,
            brain=door.brain.name,
            sensitivity=door.brain.sensitivity,
            exchange_id=door.exchange_id,
            sender=door.inbound.sender,
            is_tainted=not door.is_trusted,
        )
    )
    door.recorder.append(tx, _draft(door, arrival.conversation_id, arrival.actor_id))
    door.attendance.begin(tx)
    return turn_id


def drop(tx: Transaction, door: Doorway, *, why: str) -> None:
    """Record that a message was not taken up."""
    conversation_id = tx.open_conversation(door.inbound.channel, door.inbound.conversation)
    actor_id = tx.open_actor(door.inbound.channel, door.inbound.sender)
    draft = _draft(door, conversation_id, actor_id)
    door.recorder.append(tx, replace(draft, type="message_dropped", outcome=why))


def _draft(door: Doorway, conversation_id: str, actor_id: str) -> Draft:
    return Draft(
        type="message_received",
        brain=door.brain.name,
        channel=door.inbound.channel,
        conversation=conversation_id,
        actor=actor_id,
        exchange=door.exchange_id,
        revision=door.revision,
    )
