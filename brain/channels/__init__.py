"""The roads in and out: what a face was given becomes an Inbound.

Decides who the sender is, from what the face knows. Never answers anything itself, and knows
neither store nor tools, models or policy.
"""

from brain.channels.console import Console
from brain.channels.shapes import (
    NOT_PROMISED,
    effect_shape,
    forgetting_shape,
    note_shape,
    rehearsal_shape,
    reply_shape,
)
from brain.channels.voice import MARK, Unforged, below, marked

__all__ = [
    "MARK",
    "NOT_PROMISED",
    "Console",
    "Unforged",
    "below",
    "effect_shape",
    "forgetting_shape",
    "marked",
    "note_shape",
    "rehearsal_shape",
    "reply_shape",
]
