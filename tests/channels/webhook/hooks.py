"""A config with a webhook channel, and what a sender posts to it."""

from typing import Any

from tests.channels.http.client import Answer, Served, web
from tests.flows.world import Document

__all__ = ["hooked", "post", "said"]


def hooked(url: str = "http://127.0.0.1:9/replies", **webhook: Any) -> Document:
    """The config of `web` with a webhook channel at `/in` whose replies go to `url`."""
    hook = {
        "type": "webhook",
        "name": "hook",
        "operators": ["boss"],
        "trusted": ["ana"],
        "webhook": {
            "path": "/in",
            "token_env": "TOKEN_HOOK",
            "outbound_url": url,
            "outbound_token_env": "TOKEN_OUT",
            **webhook,
        },
    }
    document = web()
    document["channels"] = [*document["channels"], hook]
    return document


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"conversation": "c1", "sender": "ana", "text": text, **more}


async def post(served: Served, value: Any, **headers: str) -> Answer:
    """Post a message as a sender does."""
    return await served.client.ask("POST", "/in", value, **{"bearer": "hook-token", **headers})
