"""What is remembered: notes and rehearsals, sessions, and what is recalled of them.

Decides what may be stored, under which key, and how it is quoted. Never decides whether a call is
permitted (the gate does), never talks to a model.
"""

from brain.memory.sessions import Opened, current_session, cut_session, is_expired

__all__ = ["Opened", "current_session", "cut_session", "is_expired"]
