"""What a command is told of its talk: whose model would answer there now, and under which taint."""

import sys
from collections.abc import Callable

from brain.agent import Exchange, load
from brain.commands import CommandContext
from brain.memory import box_for
from brain.runtime.in_force import Wired
from brain.runtime.intake import Arrival, Doorway, keeping
from brain.store import Snapshot

__all__ = ["command_context"]


async def command_context(wired: Wired, door: Doorway, arrival: Arrival) -> CommandContext:
    """Return all that an answer may know of the message that a command came in with."""
    model, is_local = await _likely_model(wired, door.brain.name)
    return CommandContext(
        config=wired.config,
        brain=door.brain,
        channel=door.channel,
        conversation=door.inbound.conversation,
        sender=door.inbound.sender,
        is_operator=door.inbound.is_operator,
        exchange_id=door.exchange_id,
        conversation_id=arrival.conversation_id,
        actor_id=arrival.actor_id,
        session=arrival.session,
        policy=wired.policies[door.brain.name],
        model=model,
        is_local=is_local,
        is_tainted=_taint_of_next(door, arrival, may_read_private=bool(is_local)),
        keep=keeping(door),
    )


async def _likely_model(wired: Wired, brain: str) -> tuple[str, bool | None]:
    """Return the model that would be asked now, and what its proof says; asks none."""
    standings = await wired.lineups[brain].standings()
    ready = [standing for standing in standings if standing.state == "ready"]
    likely = (ready or list(standings))[0]
    return likely.model, likely.proof.is_local if likely.proof else None


def _taint_of_next(
    door: Doorway, arrival: Arrival, *, may_read_private: bool
) -> Callable[[Snapshot], bool]:
    """Return what tells whether the next message of this sender would be answered under taint.

    It is read as the agent reads it: what would ride in the prompt, and the message itself.
    """
    settings, inbound = door.brain.agent, door.inbound
    exchange = Exchange(
        exchange_id=door.exchange_id,
        channel=inbound.channel,
        conversation=inbound.conversation,
        conversation_id=arrival.conversation_id,
        actor_id=arrival.actor_id,
        sender=inbound.sender,
        session=arrival.session,
        turn_id=sys.maxsize,
        text="",
        reader=door.reader,
        revision=door.revision,
    )

    def look(snapshot: Snapshot) -> bool:
        if settings is None or not door.is_trusted:
            return not door.is_trusted
        box = box_for(door.brain.name, settings.memory, inbound.channel, inbound.conversation)
        return load(
            snapshot,
            exchange,
            box,
            history_turns=settings.history_turns,
            may_read_private=may_read_private,
        ).is_tainted

    return look
