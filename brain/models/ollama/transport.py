"""The transport under the ollama client: the one road to a model's server.

The proof of locality sits here, so that no call can go round it: only the configured origin and a
list of paths are reached, only checked addresses are connected to, no key and no cookie is sent,
redirects are refused, and every answer is inspected before the client sees any of it. Its failures
are ModelErrors and not httpx errors, which the client would hide.
"""

import asyncio
import email.utils
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import httpx

from brain.errors import (
    BadReply,
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    NotLocal,
)
from brain.models.ollama.address import Endpoint, Resolve
from brain.models.ollama.answer import STREAM_BYTES, Answer
from brain.models.ollama.call import CALL
from brain.models.ollama.connection import Connection, Headers
from brain.models.ollama.inspection import inspect_answer, normalise_chunk
from brain.models.ollama.names import plain_name
from brain.models.ollama.pool import Guard, Pool
from brain.models.ollama.translate import refusal
from brain.records import JSONValue

__all__ = ["QUESTION_PATHS", "OllamaTransport"]

QUESTION_PATHS: Final = frozenset(
    {"/api/chat", "/api/show", "/api/tags", "/api/version", "/api/status", "/api/embed"}
)
"""What a model may be asked. `pull`, which makes the daemon leave the machine, is not among them."""

_CHAT: Final = "/api/chat"
_DEFAULT_SECONDS: Final = 120.0
_OWN_HEADERS: Final = frozenset(
    {
        b"authorization", b"proxy-authorization", b"cookie", b"accept-encoding", b"connection",
        b"content-length", b"transfer-encoding", b"host",
    }
)  # fmt: skip
_JSON: Final = (b"content-type", b"application/json; charset=utf-8")
_NDJSON: Final = (b"content-type", b"application/x-ndjson; charset=utf-8")


class OllamaTransport(httpx.AsyncBaseTransport):
    """Carries the requests of one model to its server.

    `is_local` is the claim: it turns the address check and the inspection for remote marks on.
    `api_key` is sent only where the claim is cloud.
    """

    def __init__(
        self,
        *,
        endpoint: Endpoint,
        model_id: str,
        is_local: bool,
        trusted_hosts: tuple[str, ...],
        resolve: Resolve,
        paths: frozenset[str] = QUESTION_PATHS,
        api_key: Callable[[], str] = str,
    ) -> None:
        self._pool = Pool(
            endpoint=endpoint,
            guard=Guard(is_local=is_local, trusted_hosts=trusted_hosts),
            resolve=resolve,
        )
        self.endpoint = endpoint
        self._is_local = is_local
        self._paths = frozenset(f"{endpoint.base_path}{path}" for path in paths)
        self._api_key = api_key
        self._model_id = model_id
        self._own_name = plain_name(model_id)

    @property
    def shown(self) -> str:
        return self.endpoint.shown

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._check(request)
        call = CALL.get()
        body, is_stream = _prepare_body(await request.aread(), call.fields, request.url.path)
        timeouts = request.extensions.get("timeout", {})
        read_seconds = call.read_seconds or timeouts.get("read") or _DEFAULT_SECONDS
        connection, head = await self._send(
            request, body, head_seconds=call.head_seconds or read_seconds
        )
        headers = dict(head.headers)
        try:
            self._check_head(head.status_code, headers)
        except ModelError:
            self._pool.drop(connection)
            raise
        answer = Answer(
            connection=connection,
            seconds=read_seconds,
            pool=self._pool,
            inspect=self._inspect,
            normalise=normalise_chunk if request.url.path.endswith(_CHAT) else bytes,
            timed_out=self._timed_out,
        )
        if is_stream and head.status_code == httpx.codes.OK:
            response = httpx.Response(head.status_code, headers=[_NDJSON], stream=answer)
            response.encoding = "utf-8"  # spares the client the search for it
            return response
        content = await answer.whole()
        _check_busy(head.status_code, headers)
        return httpx.Response(head.status_code, headers=[_JSON], content=content)

    async def ask(
        self, method: str, path: str, question: Mapping[str, JSONValue] | None, *, seconds: float
    ) -> tuple[int, bytes]:
        """Ask one question whose answer is a document; return status and the raw, inspected bytes.

        The typed client drops the fields that a proof is about. `seconds` bounds all of it.
        """
        body = b"" if question is None else json.dumps(question).encode()
        request = httpx.Request(
            method,
            f"{self.endpoint.url}{path}",
            content=body,
            headers={"content-type": "application/json", "accept": "application/json"},
            extensions={"timeout": {"read": seconds}},
        )
        try:
            async with asyncio.timeout(seconds):
                response = await self.handle_async_request(request)
        except TimeoutError as error:
            raise self._timed_out(seconds) from error
        return response.status_code, response.content

    async def addresses(self) -> Sequence[str]:
        """Return what the host stands for now, each with why it is allowed, or raise NotLocal."""
        return await self._pool.explain_addresses()

    def refusal(self, status: int, text: str) -> ModelError:
        return refusal(status, text, model_id=self._model_id, endpoint=self.endpoint)

    async def aclose(self) -> None:
        self._pool.close()

    def _inspect(self, raw: bytes) -> None:
        if self._is_local:
            inspect_answer(raw, is_own=self._is_own)

    def _is_own(self, name: str) -> bool:
        return plain_name(name) == self._own_name

    def _timed_out(self, seconds: float) -> ModelTimedOut:
        return ModelTimedOut(
            f"no answer from {self.endpoint.shown} within {seconds:g} s",
            fix="raise request_timeout in the config, or use a smaller model",
        )

    def _check(self, request: httpx.Request) -> None:
        url, endpoint = request.url, self.endpoint
        port = url.port or {"http": 80, "https": 443}.get(url.scheme)
        is_origin = (url.scheme, url.host, port) == (
            endpoint.scheme,
            endpoint.host.lower(),
            endpoint.port,
        )
        if not is_origin or url.path not in self._paths or url.query:
            raise NotLocal(
                f"a request to {url.scheme}://{url.host}:{port}{url.path} was refused: only "
                f"{endpoint.shown} is reached, and there only what a model is asked"
            )

    async def _send(
        self, request: httpx.Request, body: bytes, *, head_seconds: float
    ) -> tuple[Connection, Any]:
        headers = self._headers(request, body)
        connection = await self._pool.take()
        try:
            return connection, await self._ask(connection, request, headers, body, head_seconds)
        except ModelUnreachable:
            # A kept connection that the server closed while it rested: it has read nothing of this.
            if connection.is_fresh or connection.has_answered:
                raise
        connection = await self._pool.open()
        return connection, await self._ask(connection, request, headers, body, head_seconds)

    async def _ask(
        self,
        connection: Connection,
        request: httpx.Request,
        headers: Headers,
        body: bytes,
        head_seconds: float,
    ) -> Any:
        try:
            connection.ask(request.method.encode(), request.url.raw_path, headers, body)
            return await connection.head(head_seconds)
        except TimeoutError as error:
            self._pool.drop(connection)
            raise self._timed_out(head_seconds) from error
        except BaseException:
            self._pool.drop(connection)
            raise

    def _headers(self, request: httpx.Request, body: bytes) -> Headers:
        kept = [
            (name, value) for name, value in request.headers.raw if name.lower() not in _OWN_HEADERS
        ]
        own = [
            (b"host", request.url.netloc),
            (b"accept-encoding", b"identity"),
        ]
        if body:
            own.append((b"content-length", str(len(body)).encode()))
        key = "" if self._is_local else self._api_key()
        if key:
            own.append((b"authorization", f"Bearer {key}".encode()))
        return [*own, *kept]

    def _check_head(self, status: int, headers: Mapping[bytes, bytes]) -> None:
        if 300 <= status < 400:  # noqa: PLR2004 - the class of redirects
            message = (
                f"{self.endpoint.shown} answered with a redirect ({status}); it was not followed"
            )
            raise NotLocal(message) if self._is_local else ModelRefused(message)
        encoding = headers.get(b"content-encoding", b"identity").strip().lower()
        if encoding not in (b"", b"identity"):
            raise BadReply("the server packed its answer although plain text was asked for")
        charset = _charset(headers.get(b"content-type", b""))
        if charset not in ("", "utf-8", "utf8", "us-ascii"):
            raise BadReply("the server's answer is not labelled as UTF-8")
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length[:20]) > STREAM_BYTES:
            raise BadReply("the server's answer is longer than any answer should be")


def _charset(content_type: bytes) -> str:
    _, _, parameters = content_type.decode("latin-1").lower().partition(";")
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip().strip("\"'")
    return ""


def _prepare_body(body: bytes, fields: Mapping[str, JSONValue], path: str) -> tuple[bytes, bool]:
    """Return the body with `fields` in it, and whether it asks for a stream."""
    if not body:
        return body, False
    document = json.loads(body)
    if path.endswith(_CHAT):
        document.update({"truncate": False, "shift": False, **fields})
        body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return body, document.get("stream") is True


def _check_busy(status: int, headers: Mapping[bytes, bytes]) -> None:
    if status not in (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE):
        return
    raise ModelBusy(
        f"the model's server is busy ({status})",
        fix="try again in a moment",
        retry_after_seconds=_retry_after(headers),
    )


def _retry_after(headers: Mapping[bytes, bytes]) -> float:
    """Read Retry-After: seconds, or a date, which is compared with the answer's own Date."""
    wish = headers.get(b"retry-after", b"").decode("latin-1").strip()
    if wish.isascii() and wish.isdigit():
        return float(wish[:9])
    try:
        until = email.utils.parsedate_to_datetime(wish)
        now = email.utils.parsedate_to_datetime(headers.get(b"date", b"").decode("latin-1"))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError):
        return 0.0
