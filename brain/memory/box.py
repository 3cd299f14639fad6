"""Which box a note or a rehearsal belongs to: one derivation, used by everything."""

from brain.config import Memory
from brain.records import Box

__all__ = ["box_for", "rehearsal_box_for"]


def box_for(brain: str, memory: Memory | None, channel: str, conversation: str) -> Box | None:
    """Return the note box of a talk.

    None for a brain without memory, and for scope conversation where there is no conversation:
    then nothing can be stored, never somewhere else.
    """
    if memory is None:
        return None
    if memory.scope == "brain":
        return Box(brain=brain, scope="brain")
    return _conversation_box(brain, channel, conversation)


def rehearsal_box_for(
    brain: str, memory: Memory | None, channel: str, conversation: str
) -> Box | None:
    """Return the box in which the rehearsals of a talk are kept.

    It is the note box. A brain without memory may have shadowed tools too: their rehearsals are
    kept for the conversation, if there is one.
    """
    if memory is None:
        return _conversation_box(brain, channel, conversation)
    return box_for(brain, memory, channel, conversation)


def _conversation_box(brain: str, channel: str, conversation: str) -> Box | None:
    if not channel or not conversation:
        return None
    return Box(brain=brain, scope="conversation", channel=channel, conversation=conversation)
