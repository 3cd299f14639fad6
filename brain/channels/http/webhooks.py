"""`POST` on the path of a webhook channel: a message of another program is accepted, at once.

Which member of its JSON holds what is the config's to say. The reply is posted later, elsewhere.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from brain.channels.http.bodies import NAME_RUNES, key_of, query_of, read_json
from brain.channels.http.ground import Ground
from brain.channels.http.messages import TEXT_RUNES
from brain.channels.http.refusal import Refusal
from brain.config import Channel, Config, WebhookFields
from brain.counts import counted
from brain.records import Inbound

__all__ = ["WebhookRoute", "take_message"]

_LATER: Final[Mapping[str, tuple[str, str, str]]] = {
    "busy": ("busy", "too many messages of this conversation have no answer yet", "10"),
    "full": ("outbox_full", "too many messages and replies of this channel wait", "60"),
    "stopping": ("stopping", "brain is being stopped", "10"),
}


class WebhookRoute(Route):
    """Matches the paths of the webhook channels in force: a reload may move them."""

    def __init__(self, endpoint: Callable[..., Any], *, config: Callable[[], Config]) -> None:
        super().__init__("/{webhook:path}", endpoint, methods=["POST"], name="POST webhook")
        self._config = config

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        is_http = scope["type"] == "http"
        if not is_http or self._config().webhook_at(str(scope["path"])) is None:
            return Match.NONE, {}
        return super().matches(scope)


async def take_message(request: Request, ground: Ground) -> Response:
    """Accept one message for a webhook channel; the reply is posted to its outbound_url."""
    query_of(request)
    channel = ground.doors.config.webhook_at(request.url.path)
    if channel is None or channel.webhook is None:  # a reload moved it a moment ago
        raise Refusal(404, "not_found", "there is nothing here")
    value = await read_json(request)
    if not isinstance(value, Mapping):
        raise Refusal(400, "wrong_shape", "the body has to be a JSON object")
    inbound = _inbound(channel, channel.webhook.mapping, value, key_of(request))
    found = await ground.doors.accept(inbound)
    if found.outcome in _LATER:
        code, message, seconds = _LATER[found.outcome]
        raise Refusal(503, code, message, headers={"Retry-After": seconds})
    told = {"status": found.outcome}
    if found.exchange_id:
        told["exchange_id"] = found.exchange_id
    return JSONResponse(told, status_code=202)


def _inbound(
    channel: Channel, fields: WebhookFields, value: Mapping[str, Any], key: str
) -> Inbound:
    """Return the message that the JSON holds. Raises Refusal, naming the member of the sender."""
    message_id = key or _name(value, fields.message_id)
    return Inbound(
        channel=channel.name,
        conversation=_name(value, fields.conversation, is_required=True),
        sender=_name(value, fields.sender) or channel.name,
        text=_text(value, fields.text),
        message_id=message_id or None,
    )


def _text(value: Mapping[str, Any], member: str) -> str:
    text = _member(value, member)
    if not isinstance(text, str) or not text.strip():
        raise _wrong(member, "has to be a text that holds something")
    if len(text) > TEXT_RUNES:
        raise _wrong(member, f"has {counted(len(text), 'character')}; at most {TEXT_RUNES}")
    return text


def _name(value: Mapping[str, Any], member: str, *, is_required: bool = False) -> str:
    """Return a name, or a whole number as one; empty where it is absent and not required."""
    name = _member(value, member)
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if name is None and not is_required:
        return ""
    if not isinstance(name, str) or (is_required and not name.strip()):
        raise _wrong(member, "has to be a text that holds something, or a whole number")
    if len(name) > NAME_RUNES:
        raise _wrong(member, f"has {counted(len(name), 'character')}; at most {NAME_RUNES}")
    return name


def _member(value: Any, member: str) -> Any:
    """Return what a name or a JSON Pointer (RFC 6901) leads to, None where there is nothing."""
    if not member.startswith("/"):
        return value.get(member)
    for token in member[1:].split("/"):
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdecimal():
            place = int(name[:9])
            value = value[place] if place < len(value) else None
        else:
            return None
    return value


def _wrong(member: str, message: str) -> Refusal:
    return Refusal(400, "wrong_field", f"the member {message}", path=member)
