"""The transport under the ollama client: its requests take the road, and no other.

What the road says of a failure is a ModelError and not an httpx error, which the client would hide.
"""

import json
from collections.abc import Mapping
from typing import Final

from brain.models.ollama.address import Endpoint
from brain.models.ollama.answer import Answer
from brain.models.ollama.call import CALL
from brain.models.ollama.library import httpx
from brain.models.ollama.road import CHAT_PATH, Question, Road, check_busy
from brain.records import JSONValue

__all__ = ["OllamaTransport"]

_OK: Final = 200
_DEFAULT_SECONDS: Final = 120.0
_JSON: Final = (b"content-type", b"application/json; charset=utf-8")
_NDJSON: Final = (b"content-type", b"application/x-ndjson; charset=utf-8")


class OllamaTransport(httpx.AsyncBaseTransport):
    """Carries the requests of one client over `road`. Closing it leaves the road open."""

    def __init__(self, road: Road) -> None:
        self._road = road

    @property
    def endpoint(self) -> Endpoint:
        return self._road.endpoint

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._check(request)
        call = CALL.get()
        path = request.url.path
        body, is_stream = _prepare_body(await request.aread(), call.fields, path)
        timeouts = request.extensions.get("timeout", {})
        read_seconds = call.read_seconds or timeouts.get("read") or _DEFAULT_SECONDS
        head, answer = await self._road.go(
            Question(
                method=request.method,
                path=path,
                headers=request.headers.raw,
                body=body,
                head_seconds=call.head_seconds or read_seconds,
                read_seconds=read_seconds,
            )
        )
        if is_stream and head.status == _OK:
            response = httpx.Response(_OK, headers=[_NDJSON], stream=_Stream(answer))
            response.encoding = "utf-8"  # spares the client the search for it
            return response
        content = await answer.whole()
        check_busy(head)
        return httpx.Response(head.status, headers=[_JSON], content=content)

    def _check(self, request: httpx.Request) -> None:
        url, endpoint = request.url, self._road.endpoint
        port = url.port or {"http": 80, "https": 443}.get(url.scheme)
        is_origin = (url.scheme, url.host, port) == (
            endpoint.scheme,
            endpoint.host.lower(),
            endpoint.port,
        )
        if not is_origin or url.query:
            raise self._road.refuse(f"{url.scheme}://{url.host}:{port}{url.path}")


class _Stream(httpx.AsyncByteStream):
    """An answer as httpx takes it."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __aiter__(self) -> Answer:
        return self._answer

    async def aclose(self) -> None:
        await self._answer.aclose()


def _prepare_body(body: bytes, fields: Mapping[str, JSONValue], path: str) -> tuple[bytes, bool]:
    """Return the body with `fields` in it, and whether it asks for a stream."""
    if not body:
        return body, False
    document = json.loads(body)
    if path.endswith(CHAT_PATH):
        document.update({"truncate": False, "shift": False, **fields})
        body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return body, document.get("stream") is True
