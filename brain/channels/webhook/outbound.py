"""Posts replies: to the address that the config names, straight, and to no other.

No proxy of the environment is used and no redirect is followed: both would carry the reply, and its
token, to a place that the owner did not write down. Of the answer the status alone is read.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import httpx

from brain import __version__
from brain.channels.webhook.posted import Posted, seconds_asked_for
from brain.clock import Clock
from brain.config import Webhook, secret_in

__all__ = ["ANSWER_SECONDS", "Outbound", "open_outbound"]

ANSWER_SECONDS: Final = 15.0
"""How long a receiver may take for its status; what it does with the reply it can do later."""

_CONNECTIONS: Final = 16


class Outbound:
    """Posts one reply at a time for whoever asks. Opened by `open_outbound`."""

    def __init__(
        self, client: httpx.AsyncClient, *, environ: Mapping[str, str], clock: Clock
    ) -> None:
        self._client = client
        self._environ = environ
        self._clock = clock

    async def post(self, webhook: Webhook, *, delivery_id: str, body: str) -> Posted:
        """Post `body` once and return what came of it; it raises nothing but a cancellation."""
        try:
            async with (
                asyncio.timeout(ANSWER_SECONDS),
                self._client.stream(
                    "POST",
                    webhook.outbound_url,
                    content=body.encode(),
                    headers=self._headers(webhook, delivery_id),
                ) as answer,
            ):
                return self._read(answer)
        except (TimeoutError, httpx.TimeoutException):
            return Posted(failure="timed_out")
        except httpx.ConnectError:
            return Posted(failure="unreachable")
        except (httpx.LocalProtocolError, httpx.UnsupportedProtocol, httpx.InvalidURL):
            return Posted(failure="unsendable")
        except UnicodeError:  # a name that no host has, a token that is no text
            return Posted(failure="unsendable")
        except httpx.TransportError:
            return Posted(failure="broken_off")

    def _headers(self, webhook: Webhook, delivery_id: str) -> list[tuple[bytes, bytes]]:
        headers = [
            (b"content-type", b"application/json"),
            (b"x-idempotency-key", delivery_id.encode()),
            (b"user-agent", f"brain/{__version__}".encode()),
        ]
        token = secret_in(self._environ, webhook.outbound_token_env)
        if token:
            headers.append((b"authorization", b"Bearer " + token.encode()))
        return headers

    def _read(self, answer: httpx.Response) -> Posted:
        if answer.is_success:
            return Posted()
        asked = answer.headers.get("retry-after", "")
        return Posted(
            failure=f"status_{answer.status_code}",
            wait_seconds=seconds_asked_for(asked, now=self._clock.now()),
        )


@asynccontextmanager
async def open_outbound(environ: Mapping[str, str], *, clock: Clock) -> AsyncIterator[Outbound]:
    """Open what posts replies; tokens are read from `environ` at each post."""
    trusted = httpx.create_ssl_context(trust_env=False)
    trusted.load_default_certs()  # also the authorities that the owner gave this machine
    async with httpx.AsyncClient(
        verify=trusted,
        trust_env=False,
        follow_redirects=False,
        timeout=ANSWER_SECONDS,
        limits=httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=0),
    ) as client:
        yield Outbound(client, environ=environ, clock=clock)
