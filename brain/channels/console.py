"""The console: whoever types at the machine's own terminal, who is the operator."""

from dataclasses import dataclass

from brain.records import Inbound

__all__ = ["Console"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """One conversation at a terminal or a pipe. `sender` is the name of the machine's user."""

    channel: str
    conversation: str
    sender: str

    def inbound(self, text: str) -> Inbound:
        """Return the message that `text` is. Nothing of it is changed, not even its spaces."""
        return Inbound(
            channel=self.channel,
            conversation=self.conversation,
            sender=self.sender,
            text=text,
            is_operator=True,
        )
