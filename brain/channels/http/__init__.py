"""The HTTP channel: tokens become callers, requests become messages and questions.

Decides who asks and whether a request may be read at all. Never decides what may happen: each route
asks a door of the running brain. Called by `brain serve`; the web framework is known here alone.
"""

from brain.channels.http.access import Access, Caller
from brain.channels.http.keeping import (
    ADDRESS_FILE,
    TOKEN_FILE,
    KeptToken,
    keep_token,
    named_url,
    read_token,
)
from brain.channels.http.ports import Doors
from brain.channels.http.server import listen, serve, url_of

__all__ = [
    "ADDRESS_FILE",
    "TOKEN_FILE",
    "Access",
    "Caller",
    "Doors",
    "KeptToken",
    "keep_token",
    "listen",
    "named_url",
    "read_token",
    "serve",
    "url_of",
]
