"""What is remembered: notes and rehearsals, sessions, and what is recalled of them.

Decides what may be stored, under which key, and how it is quoted. Never decides whether a call is
permitted (the gate does), never talks to a model.
"""

from brain.memory.recall import RECALL_RUNES, Quote, Recalled, quote, recall
from brain.memory.sessions import Opened, current_session, cut_session, is_expired

__all__ = [
    "RECALL_RUNES",
    "Opened",
    "Quote",
    "Recalled",
    "current_session",
    "cut_session",
    "is_expired",
    "quote",
    "recall",
]
