"""Who asks: a bearer token becomes a caller, or nobody.

Tokens are compared by their hashes, every one of them each time, so that the time taken tells
nothing. None is ever in a log, an event or an answer.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from brain.config import Channel, Config, secret_in
from brain.records import Inbound

__all__ = ["OPERATOR", "Access", "Caller", "digest", "inbound_of", "talk_of"]

Role = Literal["operator", "user", "gateway", "webhook"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who a token speaks for."""

    name: str
    role: Role

    @property
    def is_operator(self) -> bool:
        return self.role == "operator"


OPERATOR: Final = Caller(name="operator", role="operator")


class Pages(Protocol):
    """The pages that are signed in, by the hashes of their secrets."""

    async def knows(self, secret: str) -> bool:
        """Tell whether it is that of a signed-in page; it is used by asking."""
        ...

    def holds(self, secret: str) -> bool:
        """Tell the same, and use nothing."""
        ...


class Access:
    """Knows the tokens of the config in force, the operator's, and those of signed-in pages.

    `kept_token` gives the operator's own, for where the config names no variable with one.
    """

    def __init__(
        self,
        *,
        config: Callable[[], Config],
        environ: Mapping[str, str],
        kept_token: Callable[[], str],
    ) -> None:
        self._config = config
        self._environ = environ
        self._kept_token = kept_token
        self._pages: Pages | None = None

    def also(self, pages: Pages) -> None:
        """Take for the operator whose page is signed in."""
        self._pages = pages

    async def caller_of(self, token: str, path: str) -> Caller | None:
        """Return whom the token speaks for at `path`, or None.

        The path of a webhook is opened by its own token alone, and that opens nothing else.
        """
        given = digest(token)
        webhook = self._config().webhook_at(path)
        if webhook is not None:
            return self._webhook_caller(webhook, given)
        found: Caller | None = None
        for known, caller in self._known():
            if hmac.compare_digest(given, known):
                found = found or caller
        if found is None and self._pages is not None and await self._pages.knows(given):
            found = OPERATOR
        return found

    def still_knows(self, token: str) -> bool:
        """Tell whether the token speaks for anybody now. Asking is no use of it."""
        given = digest(token)
        is_known = any(hmac.compare_digest(given, known) for known, _ in self._known())
        return is_known or (self._pages is not None and self._pages.holds(given))

    def _webhook_caller(self, channel: Channel, given: str) -> Caller | None:
        token = secret_in(self._environ, channel.webhook.token_env) if channel.webhook else ""
        is_right = bool(token) and hmac.compare_digest(given, digest(token))
        return Caller(name=channel.name, role="webhook") if is_right else None

    def operator_token(self) -> str:
        """Return the operator's own token, as it is in force now."""
        named = self._config().server.token_env
        return secret_in(self._environ, named) if named else self._kept_token()

    def _known(self) -> list[tuple[str, Caller]]:
        server = self._config().server
        tokens = [(self.operator_token(), OPERATOR)]
        for each in server.tokens:
            caller = Caller(name=each.name, role=each.role)
            tokens.append((secret_in(self._environ, each.token_env), caller))
        return [(digest(token), caller) for token, caller in tokens if token]


def digest(token: str) -> str:
    """Return the SHA-256 of a token, by which it is compared and kept."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def talk_of(caller: Caller, conversation: str) -> str:
    """Return the conversation as the channel knows it.

    A caller that is not the operator has a space of its own: no other token reaches into it.
    """
    return conversation if caller.is_operator else f"{caller.name}/{conversation}"


def inbound_of(
    caller: Caller,
    channel: Channel,
    *,
    conversation: str,
    text: str,
    sender: str = "",
    message_id: str = "",
) -> Inbound:
    """Return the message with who sent it; `sender` is only a gateway's to say.

    Through a gateway the channel's `operators` decide who is one; a user's token never is.
    """
    who = sender if caller.role == "gateway" and sender else caller.name
    is_named_operator = caller.role == "gateway" and bool(sender) and sender in channel.operators
    return Inbound(
        channel=channel.name,
        conversation=talk_of(caller, conversation),
        sender=who,
        text=text,
        is_operator=caller.is_operator or is_named_operator,
        message_id=f"{caller.name}/{message_id}" if message_id else None,
    )
