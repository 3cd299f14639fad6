"""The record of what happened: events, their chain, and what reads it.

Decides which fields an event has and how events are chained. Never holds content: no text of a
note, a message, an argument, a path, nor a name that a model or a stranger made up.
"""

from brain.activity.anchor import Anchor, Anchors, read_anchors
from brain.activity.events import EVENT_TYPES, FIELDS, Draft, Facts
from brain.activity.feed import Feed, FeedItem, Resync, open_feed
from brain.activity.journal import Journal
from brain.activity.listing import list_events
from brain.activity.prune import prune_events
from brain.activity.recorder import Recorder
from brain.activity.verify import Verification, verify
from brain.activity.words import RULES, decision_words, line

__all__ = [
    "EVENT_TYPES",
    "FIELDS",
    "RULES",
    "Anchor",
    "Anchors",
    "Draft",
    "Facts",
    "Feed",
    "FeedItem",
    "Journal",
    "Recorder",
    "Resync",
    "Verification",
    "decision_words",
    "line",
    "list_events",
    "open_feed",
    "prune_events",
    "read_anchors",
    "verify",
]
