"""`GET /openapi.json`: the routes for programs, made from the tables that they are served from."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from brain import __version__
from brain.config import Channel, Webhook
from brain.records import JSONValue

__all__ = ["openapi_document"]

_PARAMETER: Final = re.compile(r"{(\w+)(?::(\w+))?}")

_TEXT: Final[Mapping[str, JSONValue]] = {"type": "string"}
_COUNT: Final[Mapping[str, JSONValue]] = {"type": "integer", "minimum": 0}
_BOX: Final = {"channel": _TEXT, "conversation": _TEXT}
_LIMIT: Final = {"limit": {"type": "integer", "minimum": 0, "maximum": 1000}}

QUERIES: Final[Mapping[tuple[str, str], Mapping[str, Any]]] = {
    ("GET", "/v1/activity"): {"after": _COUNT, "type": _TEXT, "brain": _TEXT, **_LIMIT},
    ("GET", "/v1/conversations"): _LIMIT,
    ("GET", "/v1/conversations/{conversation_id}/turns"): {"session": _COUNT, **_LIMIT},
}
BODIES: Final[Mapping[tuple[str, str], Mapping[str, Any]]] = {
    ("POST", "/v1/messages"): {
        "type": "object",
        "required": ["conversation", "text"],
        "additionalProperties": False,
        "properties": {
            "conversation": {"type": "string", "minLength": 1, "maxLength": 200},
            "text": {"type": "string", "minLength": 1, "maxLength": 200_000},
            "sender": {"type": "string", "maxLength": 200},
            "brain": {"type": "string", "maxLength": 64},
            "channel": {"type": "string", "maxLength": 64},
        },
    },
    ("POST", "/v1/chat/completions"): {
        "type": "object",
        "required": ["model", "messages"],
        "properties": {
            "model": _TEXT,
            "messages": {"type": "array", "minItems": 1, "items": {"type": "object"}},
            "stream": {"type": ["boolean", "null"]},
            "stream_options": {"type": ["object", "null"]},
            "n": {"enum": [1, None]},
            "user": {"type": ["string", "null"]},
        },
    },
    ("POST", "/v1/brains/{brain}/notes"): {
        "type": "object",
        "required": ["text"],
        "additionalProperties": False,
        "properties": {"text": {"type": "string", "minLength": 1}},
    },
    ("POST", "/v1/sign-in/redeem"): {
        "type": "object",
        "required": ["code"],
        "additionalProperties": False,
        "properties": {"code": {"type": "string", "minLength": 1, "maxLength": 200}},
    },
    ("PUT", "/v1/config"): {"type": "object"},
    ("POST", "/v1/config/replay"): {"type": "object"},
}
ANSWERS: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    ("GET", "/"): ("200", "text/html"),
    ("GET", "/metrics"): ("200", "text/plain"),
    ("POST", "/v1/brains/{brain}/notes"): ("201", "application/json"),
    ("POST", "/v1/brains/{brain}/rehearsals/{number}/promote"): ("201", "application/json"),
    ("POST", "/v1/sign-in"): ("201", "application/json"),
    ("POST", "/v1/sign-in/redeem"): ("201", "application/json"),
    ("DELETE", "/v1/sign-in"): ("204", ""),
}
STREAMS: Final = {
    ("GET", "/v1/activity"),
    ("POST", "/v1/messages"),
    ("POST", "/v1/chat/completions"),
}
ERROR: Final[Mapping[str, Any]] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "additionalProperties": False,
            "properties": {"code": _TEXT, "message": _TEXT, "path": _TEXT},
        },
        "problems": {"type": "array", "items": {"type": "object"}},
    },
}


def openapi_document(
    routes: Iterable[tuple[str, str, str]],
    *,
    without_token: Iterable[tuple[str, str]],
    channels: Iterable[Channel],
) -> dict[str, Any]:
    """Return the document of the routes: method, path, and what each does in a sentence.

    The webhooks among `channels` are routes too.
    """
    open_routes = set(without_token)
    paths: dict[str, dict[str, Any]] = {}
    for method, path, summary in routes:
        plain = _PARAMETER.sub(r"{\1}", path)
        is_open = (method, path) in open_routes
        paths.setdefault(plain, {})[method.lower()] = _operation(
            (method, plain), path, summary, is_open=is_open
        )
    for channel in channels:
        if channel.webhook is not None:
            paths[channel.webhook.path] = {"post": _webhook(channel.name, channel.webhook)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "brain", "version": __version__},
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": ERROR},
        },
        "security": [{"bearer": []}],
    }


def _operation(key: tuple[str, str], path: str, summary: str, *, is_open: bool) -> dict[str, Any]:
    status, media_type = ANSWERS.get(key, ("200", "application/json"))
    content: dict[str, Any] = {media_type: {}} if media_type else {}
    if key in STREAMS:
        content["text/event-stream"] = {}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    operation: dict[str, Any] = {
        "summary": summary,
        "parameters": [*_in_path(path), *_in_query(key), *_in_headers(key)],
        "responses": {
            status: {"description": "Done.", **({"content": content} if content else {})},
            "default": {"description": "Refused.", "content": error},
        },
    }
    if key in BODIES:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": BODIES[key]}},
        }
    if is_open:
        operation["security"] = []
    return operation


def _webhook(name: str, webhook: Webhook) -> dict[str, Any]:
    """Return the operation of a webhook; its bearer is the channel's own."""
    operation = _operation(
        ("POST", ""), "", f"Accept a message for the channel {name}.", is_open=False
    )
    accepted = {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"enum": ["accepted", "repeated"]}, "exchange_id": _TEXT},
    }
    operation["parameters"] = [{"name": "X-Idempotency-Key", "in": "header", "schema": _TEXT}]
    operation["responses"] = {
        "202": {
            "description": "Kept; the reply is posted to the outbound_url of the channel.",
            "content": {"application/json": {"schema": accepted}},
        },
        "default": operation["responses"]["default"],
    }
    named = [webhook.mapping.conversation, webhook.mapping.text]
    body = {
        "type": "object",
        "required": [member for member in named if not member.startswith("/")],
        "properties": {} if named[1].startswith("/") else {named[1]: {"type": "string"}},
    }
    operation["requestBody"] = {
        "required": True,
        "content": {"application/json": {"schema": body}},
    }
    return operation


def _in_path(path: str) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _COUNT if kind == "int" else _TEXT,
        }
        for name, kind in _PARAMETER.findall(path)
    ]


def _in_query(key: tuple[str, str]) -> list[dict[str, Any]]:
    is_of_box = "/notes" in key[1] or "/rehearsals" in key[1]
    known = _BOX if is_of_box else QUERIES.get(key, {})
    return [{"name": name, "in": "query", "schema": schema} for name, schema in known.items()]


def _in_headers(key: tuple[str, str]) -> list[dict[str, Any]]:
    match key:
        case ("PUT", "/v1/config"):
            return [{"name": "If-Match", "in": "header", "required": True, "schema": _TEXT}]
        case ("POST", "/v1/messages"):
            return [{"name": "X-Idempotency-Key", "in": "header", "schema": _TEXT}]
        case ("POST", "/v1/chat/completions"):
            return [{"name": "X-Conversation", "in": "header", "schema": _TEXT}]
        case ("GET", "/v1/activity"):
            return [{"name": "Last-Event-ID", "in": "header", "schema": _COUNT}]
        case _:
            return []
