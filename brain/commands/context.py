"""Where a command comes from: all that an answer may know of the message and its brain."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from brain.config import Brain, Channel, Config, Memory
from brain.gate import Policy
from brain.memory import Provenance, Sight, box_for, rehearsal_box_for, sight_of
from brain.records import Box
from brain.store import KeepReply, Snapshot, keep_nothing
from brain.tools import CallContext

__all__ = ["CommandContext"]


def _untainted(_: Snapshot) -> bool:
    """Nothing is known of the talk."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext:
    """The message a command came in with.

    `config` and `policy` are those in force. `conversation_id` and `actor_id` are the random ids
    that events carry, empty without a store. `session` is the number of the active session, 0
    without a store. `model` is the model that answered last, or would; `is_local` is what its
    proof says, None while there is no proof yet. `is_tainted` tells whether the next message from
    here would be answered under taint. `keep` is what else the commit of the answer does.
    """

    config: Config
    policy: Policy
    brain: Brain
    channel: Channel
    conversation: str
    sender: str
    is_operator: bool
    exchange_id: str
    conversation_id: str = ""
    actor_id: str = ""
    session: int = 0
    model: str = ""
    is_local: bool | None = None
    is_tainted: Callable[[Snapshot], bool] = _untainted
    keep: KeepReply = keep_nothing

    @property
    def memory(self) -> Memory | None:
        return self.brain.agent.memory if self.brain.agent is not None else None

    @property
    def box(self) -> Box | None:
        return box_for(self.brain.name, self.memory, self.channel.name, self.conversation)

    @property
    def rehearsal_box(self) -> Box | None:
        return rehearsal_box_for(self.brain.name, self.memory, self.channel.name, self.conversation)

    def sight_of(self, box: Box) -> Sight:
        """Return what of the box is shown here."""
        return sight_of(box, sensitivity=self.brain.sensitivity, is_operator=self.is_operator)

    def by_operator(self) -> Provenance:
        """Return who changes a box: the operator, from here."""
        return Provenance(
            brain=self.brain.name,
            sensitivity=self.brain.sensitivity,
            channel=self.channel.name,
            origin="operator",
            revision=self.config.revision,
            conversation_id=self.conversation_id,
            actor_id=self.actor_id,
            exchange_id=self.exchange_id,
            sender=self.sender,
            session=self.session,
        )

    def call_context(
        self,
        *,
        origin: Literal["model", "operator"],
        generation: int = 0,
        is_tainted: bool = False,
    ) -> CallContext:
        """Return what the executor has to know of a call from here. The operator's has no model."""
        return CallContext(
            exchange_id=self.exchange_id,
            brain=self.brain.name,
            sensitivity=self.brain.sensitivity,
            channel=self.channel.name,
            conversation=self.conversation,
            conversation_id=self.conversation_id,
            actor_id=self.actor_id,
            sender=self.sender,
            session=self.session,
            turn_id=0,
            policy=self.policy,
            origin=origin,
            model=self.model if origin == "model" else "",
            is_local=bool(self.is_local),
            is_tainted=is_tainted,
            memory=self.memory,
            box=self.box,
            generation=generation,
        )
