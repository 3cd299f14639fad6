"""The body of a delivery: a reply as the receiver's program reads it. Pure."""

import json
from datetime import datetime

from brain.channels.shapes import reply_shape
from brain.channels.voice import Unforged, below
from brain.clock import to_rfc3339
from brain.records import Inbound, JSONValue, Reply

__all__ = ["delivery_body"]


def delivery_body(inbound: Inbound, reply: Reply, *, in_reply_to: str, at: datetime) -> str:
    """Return the JSON of a reply with where it belongs.

    `in_reply_to` is the sender's own id of the message, empty where it gave none. `lines` are the runtime's words on what was saved, as they are shown below a text; no line of
    the text itself begins with their mark.
    """
    text = Unforged()
    body: dict[str, JSONValue] = {
        "channel": inbound.channel,
        "conversation": inbound.conversation,
        "sender": inbound.sender,
        "in_reply_to": in_reply_to,
        "at": to_rfc3339(at),
        **reply_shape(reply),
        "text": text.feed(reply.text) + text.finish(),
        "lines": list(below(reply)),
    }
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
