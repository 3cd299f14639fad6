"""Where a call comes from: all that the executor and a tool may know of the exchange."""

from dataclasses import dataclass

from brain.config import Memory
from brain.gate import Policy
from brain.memory import Provenance
from brain.records import Box, Origin, Rehearsal, Sensitivity
from brain.store import Snapshot

__all__ = ["CallContext", "Policy", "is_outdated", "provenance_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """The exchange a call belongs to.

    `policy` is the snapshot the exchange began with; the executor also asks the policy in force.
    `box` is None for a brain without memory or an exchange without a conversation. `generation` is
    the box's, taken when the prompt was composed: a note of an older one is not stored.
    `talk_generation` is the conversation's, taken when the message came in, for the same reason.
    `conversation_id` and `actor_id` are the random ids that events carry. `taint_source` says in
    words of the runtime what tainted the exchange ("this talk read a file"). `has_private`: its prompt
    holds what was written under a private brain, and so may what comes of it. The executor sets
    `promoted_from` (the rehearsal that the operator promotes) and `shield` (the decision's).
    """

    exchange_id: str
    brain: str
    sensitivity: Sensitivity
    channel: str
    conversation: str
    conversation_id: str
    actor_id: str
    sender: str
    session: int
    turn_id: int
    policy: Policy
    origin: Origin = "model"
    model: str = ""
    is_local: bool = False
    is_tainted: bool = False
    taint_source: str = ""
    has_private: bool = False
    memory: Memory | None = None
    box: Box | None = None
    generation: int = 0
    talk_generation: int = 0
    tool_timeout_seconds: float = 30.0
    promoted_from: Rehearsal | None = None
    shield: bool = False


def provenance_of(context: CallContext) -> Provenance:
    """Return what a change to a box carries of the exchange that asked for it."""
    return Provenance(
        brain=context.brain,
        sensitivity="private" if context.has_private else context.sensitivity,
        channel=context.channel,
        origin=context.origin,
        revision=context.policy.revision,
        conversation_id=context.conversation_id,
        actor_id=context.actor_id,
        exchange_id=context.exchange_id,
        model=context.model,
        sender=context.sender,
        session=context.session,
        turn_id=context.turn_id,
        is_tainted=context.is_tainted,
    )


def is_outdated(snapshot: Snapshot, context: CallContext) -> bool:
    """Tell whether something was forgotten since the prompt was composed that may have led to a call.

    The operator's own calls never are: they are typed now, after any clear.
    """
    if context.origin == "operator":
        return False
    talk, box = context.conversation_id, context.box
    if talk and snapshot.talk_generation(talk) != context.talk_generation:
        return True
    return box is not None and snapshot.generation(box) != context.generation
