"""The prompt, part by part.

Pure: each part is one function of what the config, the grants and the stored rows hold. Order of
the system message: persona, lane block, the operator's system prompt, notes. No clock and no
counter has a place here: everything before history is the same bytes from one exchange to the
next while notes, grants and config are unchanged, and a server's prefix cache lives on that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from brain.config import Persona
from brain.records import Message

__all__ = ["Parts", "compose", "persona_block", "prefix"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of the system message, in their order. An empty one is left out.

    `system_prompt` is the operator's, `client_prompt` what a client brought along for one exchange.
    """

    persona: str = ""
    lane: str = ""
    system_prompt: str = ""
    client_prompt: str = ""
    notes: str = ""

    def of_config(self) -> str:
        """Return the beginning of the system message that the config alone decides."""
        return _joined(self.persona, self.lane, self.system_prompt)

    def text(self) -> str:
        return _joined(self.of_config(), self.client_prompt, self.notes)


def persona_block(persona: Persona) -> str:
    """Return what the assistant is told of itself; empty for an empty persona."""
    lines = [
        f"You are {persona.display_name}." if persona.display_name else "",
        f"Your tone: {persona.tone}" if persona.tone else "",
        f"Answer in {persona.language}." if persona.language else "",
        persona.instructions,
    ]
    return "\n".join(line for line in lines if line)


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def prefix(parts: Parts) -> tuple[Message, ...]:
    """Return what every prompt of a conversation begins with: one system message, or nothing."""
    text = parts.text()
    return (Message(role="system", text=text),) if text else ()


def compose(parts: Parts, history: Sequence[Message]) -> tuple[Message, ...]:
    """Return the whole prompt; `history` ends with the user's message."""
    return (*prefix(parts), *history)
