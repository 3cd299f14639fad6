"""Asking an Ollama server to fetch a model: the one request that makes it leave the machine.

Made only when a person asks for it, over a plain connection of its own: no proxy, no redirect, no
key. What is sent is the name of the model.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from brain.errors import BadReply, ModelRefused, ModelUnreachable

if TYPE_CHECKING:
    import http.client

__all__ = ["pull_ollama"]

_SILENCE_SECONDS = 300.0  # a server that checks a large layer says nothing for minutes
_OK = 200


async def pull_ollama(
    base_url: str, model_id: str, *, on_progress: Callable[[str, int, int], None]
) -> None:
    """Let the server at `base_url` fetch `model_id`; return when it is there.

    `on_progress` gets what is being done, and how many bytes of how many, 0 of 0 where the server
    does not say. Raises ModelUnreachable, ModelRefused or BadReply.
    """
    loop = asyncio.get_running_loop()

    def tell(status: str, done: int, total: int) -> None:
        loop.call_soon_threadsafe(on_progress, status, done, total)

    await asyncio.to_thread(_pull, base_url, model_id, tell)


def _pull(base_url: str, model_id: str, tell: Callable[[str, int, int], None]) -> None:
    from http.client import HTTPException

    connection = _connection(base_url)
    try:
        connection.request(
            "POST",
            f"{urlsplit(base_url).path.rstrip('/')}/api/pull",
            body=json.dumps({"model": model_id, "stream": True}),
            headers={"Content-Type": "application/json"},
        )
        response = connection.getresponse()
        if response.status != _OK:
            raise _refused(model_id, _message(response.read(4096)) or f"status {response.status}")
        if not _follow(response, model_id, tell):
            raise BadReply(
                f"the Ollama server at {base_url} broke off while it fetched {model_id}",
                fix="run the same command again: it goes on where it stopped",
            )
    except (OSError, HTTPException) as error:
        raise ModelUnreachable(
            f"no Ollama server could be asked at {base_url}: {str(error) or type(error).__name__}",
            fix="start it with: ollama serve",
        ) from error
    finally:
        connection.close()


def _connection(base_url: str) -> "http.client.HTTPConnection":
    import http.client

    parts = urlsplit(base_url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=_SILENCE_SECONDS)


def _follow(
    response: "http.client.HTTPResponse", model_id: str, tell: Callable[[str, int, int], None]
) -> bool:
    """Read the server's lines to their end; tell whether it said that the model is there."""
    for line in _lines(response):
        if "error" in line:
            raise _refused(model_id, str(line["error"]))
        status = str(line.get("status", ""))
        if status == "success":
            return True
        tell(status, _count(line.get("completed")), _count(line.get("total")))
    return False


def _lines(response: "http.client.HTTPResponse") -> Iterator[dict[str, Any]]:
    for raw in response:
        try:
            line = json.loads(raw)
        except ValueError as error:
            raise BadReply("the Ollama server sent a line that is no JSON") from error
        if isinstance(line, dict):
            yield line


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _message(body: bytes) -> str:
    try:
        parsed = json.loads(body)
    except ValueError:
        return ""
    return str(parsed.get("error", "")) if isinstance(parsed, dict) else ""


def _refused(model_id: str, why: str) -> ModelRefused:
    return ModelRefused(
        f"the Ollama server could not fetch {model_id}: {why}",
        fix="check the name at https://ollama.com/library, and that the server reaches it",
    )
