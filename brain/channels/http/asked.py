"""What each route is asked with, as JSON Schema, for the document of the routes. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from brain.activity import EVENT_TYPES
from brain.channels.http.bodies import LIMIT_AT_MOST
from brain.channels.http.forms import PLAIN

__all__ = ["BODIES", "COUNT", "HEADERS", "MARK", "QUERIES", "TEXT", "Key"]

Key = tuple[str, str]
"""Method and path of a route."""

TEXT: Final[Mapping[str, Any]] = {"type": "string"}
COUNT: Final[Mapping[str, Any]] = {"type": "integer", "minimum": 0, "maximum": 10**18}

_LIMIT: Final = {"limit": {"type": "integer", "minimum": 1, "maximum": LIMIT_AT_MOST}}
_NAME: Final[Mapping[str, Any]] = {"type": "string", "maxLength": 200}
_BOX: Final = {"channel": TEXT, "conversation": _NAME}
_TYPE: Final = f"(?:{'|'.join(EVENT_TYPES)})?"
MARK: Final = "^([0-9]{1,14})~([0-9a-f]{1,64})$"
"""A place in the listing of conversations: when the one before it was last spoken in, and its id."""
_TALK: Final = "/v1/conversations/{conversation_id}"
_OF_BRAIN: Final = "/v1/brains/{brain}"

QUERIES: Final[Mapping[Key, Mapping[str, Any]]] = {
    ("GET", "/v1/activity"): {
        "after": COUNT,
        "type": {"type": "string", "pattern": f"^{_TYPE}(?:,{_TYPE})*$"},
        "brain": TEXT,
        **_LIMIT,
    },
    ("GET", "/v1/conversations"): {
        "before": {"type": "string", "pattern": MARK, "description": "The `next` of an answer."},
        **_LIMIT,
    },
    ("GET", _TALK): {"before": COUNT, **_LIMIT},
    ("GET", f"{_TALK}/turns"): {"session": COUNT, "before": COUNT, **_LIMIT},
    **{
        (method, f"{_OF_BRAIN}{path}"): _BOX
        for method, path in (
            ("GET", "/notes"),
            ("POST", "/notes"),
            ("DELETE", "/notes"),
            ("DELETE", "/notes/{number}"),
            ("GET", "/rehearsals"),
            ("POST", "/rehearsals/{number}/promote"),
            ("DELETE", "/rehearsals/{number}"),
        )
    },
}

HEADERS: Final[Mapping[Key, Mapping[str, Any]]] = {
    ("PUT", "/v1/config"): {"If-Match": TEXT},
    ("POST", "/v1/messages"): {"X-Idempotency-Key": _NAME},
    ("POST", "/v1/chat/completions"): {"X-Conversation": _NAME},
    ("GET", "/v1/activity"): {"Last-Event-ID": COUNT},
}


def _filled(at_most: int) -> Mapping[str, Any]:
    return {"type": "string", "pattern": r"\S", "maxLength": at_most}


def _or_null(at_most: int) -> Mapping[str, Any]:
    return {"type": ["string", "null"], "maxLength": at_most}


def _closed(required: tuple[str, ...], **properties: Any) -> Mapping[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "additionalProperties": False,
        "properties": properties,
    }


_PART: Final = {
    "type": "object",
    "required": ["type", "text"],
    "properties": {"type": {"const": "text"}, "text": TEXT},
}
_MESSAGE: Final = {
    "type": "object",
    "required": ["role"],
    "properties": {
        "role": {"enum": ["system", "developer", "user", "assistant"]},
        "content": {"anyOf": [TEXT, {"type": "array", "items": _PART}, {"type": "null"}]},
    },
}

BODIES: Final[Mapping[Key, Mapping[str, Any]]] = {
    ("POST", "/v1/messages"): _closed(
        ("conversation", "text"),
        conversation=_filled(200),
        text=_filled(200_000),
        sender=_or_null(200),
        brain=_or_null(64),
        channel=_or_null(64),
    ),
    ("POST", "/v1/chat/completions"): {
        "type": "object",
        "required": ["model", "messages"],
        "properties": {
            "model": _filled(200),
            "messages": {
                "type": "array",
                "minItems": 1,
                "items": _MESSAGE,
                "description": "The last one is the user's, and says something.",
            },
            "stream": {"type": ["boolean", "null"]},
            "stream_options": {"type": ["object", "null"]},
            **{name: {"enum": [*plain, None]} for name, (_, plain) in PLAIN.items()},
            "user": _or_null(200),
        },
    },
    ("POST", f"{_OF_BRAIN}/notes"): _closed(("text",), text=_filled(20_000)),
    ("POST", "/v1/sign-in/redeem"): _closed(("code",), code=_filled(200)),
    ("PUT", "/v1/config"): {"type": "object"},
    ("POST", "/v1/config/replay"): {"type": "object"},
}
