"""`GET /openapi.json`: the routes for programs, made from the tables that they are served from."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from brain import __version__
from brain.channels.http.answered import ANSWERS, ERROR, JSON, STREAMS
from brain.channels.http.asked import BODIES, COUNT, HEADERS, QUERIES, TEXT, Key
from brain.config import Channel, Webhook

__all__ = ["openapi_document"]

_PARAMETER: Final = re.compile(r"{(\w+)(?::(\w+))?}")
_REFUSED: Final = {
    "description": "Refused.",
    "content": {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}},
}


def openapi_document(
    routes: Iterable[tuple[str, str, str]],
    *,
    without_token: Iterable[tuple[str, str]],
    channels: Iterable[Channel],
    brains: Sequence[str],
) -> dict[str, Any]:
    """Return the document of the routes: method, path, and what each does in a sentence.

    The webhooks among `channels` are routes too. `brains` are named as examples.
    """
    open_routes = set(without_token)
    paths: dict[str, dict[str, Any]] = {}
    for method, path, summary in routes:
        plain = _PARAMETER.sub(r"{\1}", path)
        is_open = (method, path) in open_routes
        operation = _operation((method, plain), summary, is_open=is_open)
        operation["parameters"] = [*_in_path(path, brains), *_beside((method, plain))]
        paths.setdefault(plain, {})[method.lower()] = operation
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


def _operation(key: Key, summary: str, *, is_open: bool) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {
            **{status: _response(key, status) for status in ANSWERS[key]},
            "default": _REFUSED,
        },
    }
    if key in BODIES:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": BODIES[key]}}}
    if is_open:
        operation["security"] = []
    return operation


def _response(key: Key, status: str) -> dict[str, Any]:
    media_type, schema = ANSWERS[key][status]
    content: dict[str, Any] = {}
    if media_type:
        content[media_type] = {} if schema is None else {"schema": schema}
    if key in STREAMS and status == "200":
        content["text/event-stream"] = {}
    return {"description": "Done." if status < "400" else "Not now."} | (
        {"content": content} if content else {}
    )


def _webhook(name: str, webhook: Webhook) -> dict[str, Any]:
    """Return the operation of a webhook; its bearer is the channel's own."""
    accepted = {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"enum": ["accepted", "repeated"]}, "exchange_id": TEXT},
    }
    named = [webhook.mapping.conversation, webhook.mapping.text]
    body = {
        "type": "object",
        "required": [member for member in named if not member.startswith("/")],
        "properties": {} if named[1].startswith("/") else {named[1]: {"type": "string"}},
    }
    return {
        "summary": f"Accept a message for the channel {name}.",
        "parameters": [{"name": "X-Idempotency-Key", "in": "header", "schema": TEXT}],
        "requestBody": {"required": True, "content": {JSON: {"schema": body}}},
        "responses": {
            "202": {
                "description": "Kept; the reply is posted to the outbound_url of the channel.",
                "content": {JSON: {"schema": accepted}},
            },
            "default": _REFUSED,
        },
    }


def _in_path(path: str, brains: Sequence[str]) -> list[dict[str, Any]]:
    named = {**TEXT, "examples": list(brains)} if brains else TEXT
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": COUNT if kind == "int" else named if name in ("brain", "model") else TEXT,
        }
        for name, kind in _PARAMETER.findall(path)
    ]


def _beside(key: Key) -> list[dict[str, Any]]:
    """Return the parameters of the query, and the headers; a header with a precondition is needed."""
    query = [
        {"name": name, "in": "query", "schema": schema}
        for name, schema in QUERIES.get(key, {}).items()
    ]
    headers = [
        {"name": name, "in": "header", "schema": schema}
        | ({"required": True} if name == "If-Match" else {})
        for name, schema in HEADERS.get(key, {}).items()
    ]
    return [*query, *headers]
