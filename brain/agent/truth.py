"""The line `nothing was saved`, under a reply of an exchange that did nothing to the notes (P13).

Pure. It follows where the user asked to have something remembered, whatever the reply says of it, and
where the reply says so unasked. In either case it is true, and who reads it can act on it.
"""

from brain.agent.asked import asks_to_remember
from brain.agent.claims import claims_save
from brain.agent.languages import language_of, nothing_saved

__all__ = ["truth_line"]


def truth_line(said: str, reply: str) -> str:
    """Return the line that follows `reply` to what the user `said`; empty where none is due."""
    if asks_to_remember(said) or claims_save(reply):
        return nothing_saved(language_of(said))
    return ""
