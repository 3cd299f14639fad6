"""The roads in and out: what a face was given becomes an Inbound.

Decides who the sender is, from what the face knows. Never answers anything itself, and knows
neither store nor tools, models or policy.
"""

from brain.channels.console import Console

__all__ = ["Console"]
