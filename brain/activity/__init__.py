"""The record of what happened: events, their chain, and what reads it.

Decides which fields an event has and how events are chained. Never holds content: no text of a
note, a message, an argument, a path, nor a name that a model or a stranger made up.
"""

from brain.activity.events import EVENT_TYPES, FIELDS, Draft, Facts
from brain.activity.journal import Journal
from brain.activity.recorder import Recorder

__all__ = ["EVENT_TYPES", "FIELDS", "Draft", "Facts", "Journal", "Recorder"]
