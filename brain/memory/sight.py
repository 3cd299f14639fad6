"""What of a box is shown to whom: one decision for the commands and for the server. Pure."""

from dataclasses import dataclass

from brain.records import Box, Sensitivity

__all__ = ["Sight", "sight_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What one sees of a box: its notes, those among them that are private, and the rehearsals."""

    notes: bool
    private: bool
    rehearsals: bool


def sight_of(box: Box, *, sensitivity: Sensitivity, is_operator: bool) -> Sight:
    """Return what is seen of a box of a brain that is as sensitive as this now.

    The operator sees all: the store is theirs. Another sees the box of their own talk, and in a
    brain that is public now not what was written while it was private: whoever the answer goes to,
    or through, was not who it was written for.
    """
    return Sight(
        notes=is_operator or box.scope == "conversation",
        private=is_operator or sensitivity == "private",
        rehearsals=is_operator,
    )
