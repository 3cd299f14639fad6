"""The line `nothing was saved`, under a reply of an exchange that did nothing to the notes (P13).

Pure. It follows where the user asked to have something remembered, whatever the reply says of it, and
where the reply says so unasked. Asked what is kept already, a model that has notes before it speaks of
those: there the line would deny what is true.
"""

from brain.agent.asked import asks_to_remember, asks_what_is_kept
from brain.agent.claims import claims_save
from brain.agent.languages import language_of, nothing_saved

__all__ = ["truth_line"]


def truth_line(said: str, reply: str, *, has_notes: bool) -> str:
    """Return the line that follows `reply` to what the user `said`; empty where none is due.

    `has_notes`: notes rode in the prompt.
    """
    is_due = asks_to_remember(said) or (
        claims_save(reply) and not (has_notes and asks_what_is_kept(said))
    )
    return nothing_saved(language_of(said)) if is_due else ""
