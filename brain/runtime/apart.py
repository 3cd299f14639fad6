"""Messages that belong to no conversation: they bring their history along, and nothing of it is kept.

Chat pages send such ones, also for titles and tags, and edit and repeat: those must not become turns.
"""

from dataclasses import replace

from brain.activity import Draft
from brain.agent import Apart, Exchange
from brain.runtime.intake import Arrival, Doorway
from brain.store import Transaction

__all__ = ["apart_exchange", "arrive_apart", "receive"]


def receive(tx: Transaction, door: Doorway) -> str:
    """Record that a message came in that stands apart; return the random id of its sender."""
    actor_id = tx.open_actor(door.inbound.channel, door.inbound.sender)
    door.recorder.append(tx, _draft(door, actor_id))
    return actor_id


def apart_exchange(door: Doorway, apart: Apart, actor_id: str, text: str) -> Exchange:
    """Return the exchange of such a message. What its sender brought is as trusted as the sender."""
    return Exchange(
        exchange_id=door.exchange_id,
        channel=door.inbound.channel,
        conversation="",
        conversation_id="",
        actor_id=actor_id,
        sender=door.inbound.sender,
        session=0,
        turn_id=0,
        text=text,
        reader=door.reader,
        revision=door.revision,
        apart=replace(apart, is_tainted=not door.is_trusted),
        on_effects=door.attendance.on_effects,
    )


def arrive_apart(tx: Transaction, door: Doorway) -> Arrival:
    """Return the place of a command that belongs to no conversation: its sender alone is known."""
    actor_id = tx.open_actor(door.inbound.channel, door.inbound.sender)
    return Arrival(conversation_id="", actor_id=actor_id)


def _draft(door: Doorway, actor_id: str) -> Draft:
    return Draft(
        type="message_received",
        brain=door.brain.name,
        channel=door.inbound.channel,
        actor=actor_id,
        exchange=door.exchange_id,
        outcome="apart",
        revision=door.revision,
    )
