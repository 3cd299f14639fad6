"""Where a command comes from: all that an answer may know of the message and its brain."""

from dataclasses import dataclass

from brain.config import Brain, Channel, Config
from brain.gate import Policy

__all__ = ["CommandContext"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext:
    """The message a command came in with.

    `config` and `policy` are those in force; `policy` is None for a brain without an agent.
    `conversation_id` and `actor_id` are the random ids that events carry, empty without a store.
    `session` is the number of the active session, 0 without a store. `model` is the model that
    answered last, or would; `is_local` is what its proof says, None while there is no proof yet.
    """

    config: Config
    brain: Brain
    channel: Channel
    conversation: str
    sender: str
    is_operator: bool
    exchange_id: str
    conversation_id: str = ""
    actor_id: str = ""
    session: int = 0
    policy: Policy | None = None
    model: str = ""
    is_local: bool | None = None

    @property
    def is_console(self) -> bool:
        return self.channel.type == "console"
