"""The official client, with every way round the transport shut."""

from typing import Final

from brain.models.ollama.library import httpx, ollama
from brain.models.ollama.transport import OllamaTransport

__all__ = ["open_client"]

_CONNECT_SECONDS: Final = 2.0


def open_client(transport: OllamaTransport, *, read_seconds: float) -> ollama.AsyncClient:
    """Return a client all of whose requests go through `transport`, and nowhere else.

    Never pass it `mounts` or `proxy`: they would go round the transport.
    """
    return ollama.AsyncClient(
        host=transport.endpoint.url,
        transport=transport,
        follow_redirects=False,
        trust_env=False,
        timeout=httpx.Timeout(read_seconds, connect=_CONNECT_SECONDS),
        # one that the transport strips, so that no OLLAMA_API_KEY is made into a header
        headers={"authorization": "none"},
    )
