"""The webhook channel's way out: a reply becomes a body, and is posted where the config says.

Decides what the receiver reads and what its answer means. Never decides when a reply is tried
again: that is the runtime's, which keeps it until it was delivered. The way in is a route of the
HTTP server.
"""

from brain.channels.webhook.bodies import delivery_body
from brain.channels.webhook.posted import Posted

__all__ = ["Posted", "delivery_body"]
