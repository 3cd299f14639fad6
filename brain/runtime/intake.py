"""Taking a message in: who spoke, is it a repeat, which session, and the user's turn on disk.

One function per write, each run inside a transaction. The user's turn is stored in the first, also
where the message has to wait for its turn, so that a failure never loses what the person said.

A message with an id is remembered by it: as waiting, then as one whose exchange has begun, and with
the commit of its reply as settled. So who sends it again is told what is true. One that still waited
when its process ended, or its sender left, is answered; one that had begun is not: its tools may
have run.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from typing import Literal

from brain.activity import Draft, Recorder
from brain.agent import Exchange
from brain.config import Brain, Channel, SessionRules
from brain.memory import current_session, cut_session
from brain.records import Effect, Inbound, Reader, Reply
from brain.store import (
    KeepReply,
    NewTurn,
    Seen,
    SeenState,
    Snapshot,
    Transaction,
    keep_nothing,
)

__all__ = [
    "Arrival",
    "Attendance",
    "Doorway",
    "FindPlace",
    "Refusal",
    "Taken",
    "arrive",
    "arrive_after_cut",
    "begin",
    "drop",
    "exchange_of",
    "is_repeat",
    "keeping",
    "leave",
    "line_up",
]

Refusal = Literal["repeated", "interrupted", "forgotten"]
"""Why a message is not answered: it was before, or its exchange had begun, or it was forgotten."""


def _nothing(_: Transaction) -> None:
    """Nobody keeps count of messages whose sender waits for the answer."""


def _untold(_: object) -> None:
    """Nobody is told before the reply is there."""


def _always(_: Snapshot) -> bool:
    """Tell that a message is wanted whose sender waits for the answer."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """How the sender of a message gets its answer; by default it waits for it.

    Where nobody waits, the exchange has its id already, takes its `turn` before it begins, and does
    `begin` and `keep` in the commits of its message and of its reply. It does not begin where the
    message is not `is_wanted` any more: it was forgotten while it waited. `is_kept`: the message is on
    disk until it has its reply, and needs no turn before its exchange begins.

    `on_cut` gets the reply where the answer is cancelled: what had been done to notes by then.
    `on_effects` is the runtime's own: it hears of that as it is done.
    """

    exchange_id: str = ""
    turn: AbstractAsyncContextManager[object] = field(default_factory=nullcontext)
    is_kept: bool = False
    is_wanted: Callable[[Snapshot], bool] = _always
    begin: Callable[[Transaction], None] = _nothing
    keep: KeepReply = keep_nothing
    on_cut: Callable[[Reply], None] = _untold
    on_effects: Callable[[tuple[Effect, ...]], None] = _untold


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

    @property
    def reader(self) -> Reader:
        """Return who reads the reply: what a trigger ends, a sender who taints begins anew."""
        triggers = self.rules.triggers if self.rules is not None else ()
        trigger = triggers[0] if triggers and self.is_trusted and self.inbound.conversation else ""
        return Reader(is_operator=self.inbound.is_operator, trigger=trigger)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A message whose turn is stored, under the exchange that is to answer it."""

    turn_id: int
    exchange_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A message with its place; `taken` once its turn is stored, `refused` where it is not taken up."""

    conversation_id: str
    actor_id: str
    session: int = 0
    taken: Taken | None = None
    refused: Refusal | None = None


FindPlace = Callable[[Transaction, Doorway], Arrival]


def arrive(tx: Transaction, door: Doorway) -> Arrival:
    """Find the place of a message: repeats first, then the session, which may have expired."""
    if not door.attendance.is_wanted(tx):
        return Arrival(conversation_id="", actor_id="", refused="repeated")
    inbound = door.inbound
    conversation_id = tx.open_conversation(inbound.channel, inbound.conversation)
    actor_id = tx.open_actor(inbound.channel, inbound.sender)
    place = Arrival(conversation_id=conversation_id, actor_id=actor_id)
    seen = None if inbound.message_id is None else tx.seen(inbound.channel, inbound.message_id)
    refused = None if seen is None else _refusal(seen, conversation_id)
    if refused is not None:
        drop(tx, door, why=refused)
        return replace(place, refused=refused)
    if seen is not None and (turn := seen.turn) is not None:
        taken = Taken(turn_id=turn.turn_id, exchange_id=turn.exchange_id, text=turn.text)
        return replace(place, session=turn.session, taken=taken)
    opened = current_session(
        tx,
        door.recorder,
        conversation_id=conversation_id,
        rules=door.rules,
        zone=door.zone,
        event=_draft(door, conversation_id, actor_id),
    )
    return replace(place, session=opened.session.number)


def _refusal(seen: Seen, conversation_id: str) -> Refusal | None:
    """Return why a message that came before is not answered now; None where it still waits.

    One that was forgotten while it waited is as new: whoever sends it again wants it answered.
    """
    match seen.state:
        case "settled":
            return "repeated"
        case "begun":
            return "repeated" if seen.turn is None else "interrupted"
        case "waiting":
            is_here = seen.turn is None or seen.turn.conversation_id == conversation_id
            return None if is_here else "interrupted"


def arrive_after_cut(tx: Transaction, door: Doorway) -> Arrival:
    """Find the place of a message that a trigger leads: the session it opens, in the same write."""
    arrival = arrive(tx, door)
    if arrival.refused or arrival.taken:
        return arrival
    opened = cut_session(
        tx,
        door.recorder,
        conversation_id=arrival.conversation_id,
        event=_draft(door, arrival.conversation_id, arrival.actor_id),
    )
    return replace(arrival, session=opened.session.number)


def is_repeat(tx: Transaction, door: Doorway) -> bool:
    """Tell whether a message that is kept elsewhere came before, and remember it; a repeat is recorded."""
    inbound = door.inbound
    if inbound.message_id is None:
        return False
    if tx.seen(inbound.channel, inbound.message_id) is not None:
        drop(tx, door, why="repeated")
        return True
    _mark(tx, door, "settled")
    return False


def line_up(tx: Transaction, door: Doorway, text: str, find_place: FindPlace) -> Arrival:
    """Bind a message that has to wait to the session it came in, and store its turn."""
    arrival = find_place(tx, door)
    if arrival.taken is not None:
        _take_up_again(tx, door, arrival, arrival.taken)
    if arrival.refused or arrival.taken or door.attendance.is_kept:
        return arrival
    arrival = _store_turn(tx, door, arrival, text)
    _mark(tx, door, "waiting", arrival.taken)
    return arrival


def begin(
    tx: Transaction, door: Doorway, text: str, find_place: FindPlace, lined_up: Arrival | None
) -> Arrival:
    """Store the turn of a message, unless it is already, and remember that its exchange begins."""
    if lined_up is not None and lined_up.taken and not tx.has_turn(lined_up.taken.turn_id):
        gone = _draft_of(lined_up.taken, door, lined_up)
        door.recorder.append(tx, replace(gone, type="message_dropped", outcome="forgotten"))
        return replace(lined_up, refused="forgotten")
    arrival = lined_up
    if arrival is None or (not arrival.taken and _is_lost(tx, door, arrival)):
        arrival = find_place(tx, door)
    if arrival.refused:
        return arrival
    if arrival.taken is None:
        arrival = _store_turn(tx, door, arrival, text)
    elif lined_up is None:
        _take_up_again(tx, door, arrival, arrival.taken)
    _mark(tx, door, "begun", arrival.taken)
    door.attendance.begin(tx)
    return arrival


def _take_up_again(tx: Transaction, door: Doorway, arrival: Arrival, taken: Taken) -> None:
    """Record that a message came in again which waited, and whose wait has its end on record."""
    state = tx.message_state(taken.exchange_id)
    if state is None or not state.is_open:
        door.recorder.append(tx, _draft_of(taken, door, arrival))


def _is_lost(tx: Transaction, door: Doorway, arrival: Arrival) -> bool:
    """Tell whether a place that holds no turn is gone: it, or its message, was forgotten."""
    has_session = tx.session(arrival.conversation_id, arrival.session) is not None
    return not has_session or not door.attendance.is_wanted(tx)


def leave(tx: Transaction, door: Doorway, arrival: Arrival) -> None:
    """Record that the sender of a message left before its turn came; what was said is kept."""
    if arrival.taken is not None and not arrival.refused:
        draft = _draft_of(arrival.taken, door, arrival)
        door.recorder.append(tx, replace(draft, type="exchange_cancelled", outcome="waiting"))


def keeping(door: Doorway) -> KeepReply:
    """Return what the commit of a message's reply does beside it: the message is settled."""

    def keep(tx: Transaction, reply: Reply) -> None:
        _mark(tx, door, "settled")
        door.attendance.keep(tx, reply)

    return keep


def exchange_of(door: Doorway, arrival: Arrival, generation: int) -> Exchange:
    """Return the exchange that is to answer a message whose turn is stored."""
    if (taken := arrival.taken) is None:
        raise LookupError("the turn of a message is stored before its exchange begins")
    return Exchange(
        exchange_id=taken.exchange_id,
        channel=door.inbound.channel,
        conversation=door.inbound.conversation,
        conversation_id=arrival.conversation_id,
        actor_id=arrival.actor_id,
        sender=door.inbound.sender,
        session=arrival.session,
        turn_id=taken.turn_id,
        text=taken.text,
        reader=door.reader,
        revision=door.revision,
        keep=keeping(door),
        on_effects=door.attendance.on_effects,
        generation=generation,
    )


def _mark(tx: Transaction, door: Doorway, state: SeenState, taken: Taken | None = None) -> None:
    """Remember how far a message got, where its sender can send it again under the same id."""
    inbound = door.inbound
    if inbound.message_id is not None:
        turn_id = taken.turn_id if taken else 0
        tx.mark_seen(
            inbound.channel, inbound.message_id, state, sender=inbound.sender, turn_id=turn_id
        )


def _store_turn(tx: Transaction, door: Doorway, arrival: Arrival, text: str) -> Arrival:
    """Store the user's turn with its event."""
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
    taken = Taken(turn_id=turn_id, exchange_id=door.exchange_id, text=text)
    return replace(arrival, taken=taken)


def drop(tx: Transaction, door: Doorway, *, why: str) -> None:
    """Record that a message was not taken up."""
    inbound = door.inbound
    conversation_id = tx.open_conversation(inbound.channel, inbound.conversation)
    actor_id = tx.open_actor(inbound.channel, inbound.sender)
    draft = _draft(door, conversation_id, actor_id)
    door.recorder.append(tx, replace(draft, type="message_dropped", outcome=why))


def _draft_of(taken: Taken, door: Doorway, arrival: Arrival) -> Draft:
    """Return the event of a message under the exchange that it had when it first came."""
    draft = _draft(door, arrival.conversation_id, arrival.actor_id)
    return replace(draft, exchange=taken.exchange_id)


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
