"""The one road to a model's server: what goes out and comes back, whoever asks.

The proof of locality sits here, so that no question can go round it: only the configured origin and
a list of paths are reached, only checked addresses are connected to, no key and no cookie is sent,
redirects are refused, and every answer is inspected before anyone sees any of it. Its failures are
ModelErrors. It stands on no HTTP client, so that a proof costs no start its import.
"""

import asyncio
import email.utils
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

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
from brain.models.ollama.connection import Connection, Headers
from brain.models.ollama.inspection import inspect_answer, join_pieces, normalise_chunk
from brain.models.ollama.names import plain_name
from brain.models.ollama.pool import Guard, Pool
from brain.models.ollama.refusals import refusal
from brain.records import JSONValue

__all__ = ["CHAT_PATH", "QUESTION_PATHS", "Head", "Question", "Road", "check_busy"]

CHAT_PATH: Final = "/api/chat"
QUESTION_PATHS: Final = frozenset(
    {CHAT_PATH, "/api/show", "/api/tags", "/api/version", "/api/status", "/api/embed"}
)
"""What a model may be asked. `pull`, which makes the daemon leave the machine, is not among them."""

_BUSY: Final = (429, 503)
_OWN_HEADERS: Final = frozenset(
    {
        b"authorization", b"proxy-authorization", b"cookie", b"accept-encoding", b"connection",
        b"content-length", b"transfer-encoding", b"host",
    }
)  # fmt: skip
_DOCUMENT: Final = ((b"accept", b"application/json"), (b"content-type", b"application/json"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One request. `path` is whole; the road adds the headers that are its own to send."""

    method: str
    path: str
    headers: Headers
    body: bytes
    head_seconds: float
    read_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Status and headers of an answer, looked at."""

    status: int
    headers: Mapping[bytes, bytes]


class Road:
    """Carries the questions about one model to its server.

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
        self._host = _host_header(endpoint)

    @property
    def shown(self) -> str:
        return self.endpoint.shown

    async def ask(
        self, method: str, path: str, question: Mapping[str, JSONValue] | None, *, seconds: float
    ) -> tuple[int, bytes]:
        """Ask one question whose answer is a document; return status and the raw, inspected bytes.

        The typed client drops the fields that a proof is about. `seconds` bounds all of it.
        """
        asked = Question(
            method=method,
            path=f"{self.endpoint.base_path}{path}",
            headers=_DOCUMENT,
            body=b"" if question is None else json.dumps(question).encode(),
            head_seconds=seconds,
            read_seconds=seconds,
        )
        try:
            async with asyncio.timeout(seconds):
                head, answer = await self.go(asked)
                content = await answer.whole()
        except TimeoutError as error:
            raise self._timed_out(seconds) from error
        check_busy(head)
        return head.status, content

    async def go(self, question: Question) -> tuple[Head, Answer]:
        """Send `question`; return the head of the answer, which was looked at, and its body."""
        self._check_path(question.path)
        connection, response = await self._send(question)
        head = Head(status=response.status_code, headers=dict(response.headers))
        try:
            self._check_head(head.status, head.headers)
        except ModelError:
            self._pool.drop(connection)
            raise
        is_chat = question.path.endswith(CHAT_PATH)
        return head, Answer(
            connection=connection,
            seconds=question.read_seconds,
            pool=self._pool,
            inspect=self._inspect,
            normalise=normalise_chunk if is_chat else bytes,
            join=join_pieces if is_chat else list,
            timed_out=self._timed_out,
        )

    async def addresses(self) -> Sequence[str]:
        """Return what the host stands for now, each with why it is allowed, or raise NotLocal."""
        return await self._pool.explain_addresses()

    def refusal(self, status: int, text: str) -> ModelError:
        return refusal(status, text, model_id=self._model_id, endpoint=self.endpoint)

    async def close(self) -> None:
        self._pool.close()

    def refuse(self, where: str) -> NotLocal:
        """Return the error of a request to elsewhere."""
        return NotLocal(
            f"a request to {where} was refused: only {self.endpoint.shown} is reached, and there "
            "only what a model is asked"
        )

    def _check_path(self, path: str) -> None:
        if path not in self._paths:
            endpoint = self.endpoint
            raise self.refuse(f"{endpoint.scheme}://{endpoint.host}:{endpoint.port}{path}")

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

    async def _send(self, question: Question) -> tuple[Connection, Any]:
        headers = self._headers(question)
        connection = await self._pool.take()
        try:
            return connection, await self._ask(connection, question, headers)
        except ModelUnreachable:
            # A kept connection that the server closed while it rested: it has read nothing of this.
            if connection.is_fresh or connection.has_answered:
                raise
        connection = await self._pool.open()
        return connection, await self._ask(connection, question, headers)

    async def _ask(self, connection: Connection, question: Question, headers: Headers) -> Any:
        try:
            connection.ask(question.method.encode(), question.path.encode(), headers, question.body)
            return await connection.head(question.head_seconds)
        except TimeoutError as error:
            self._pool.drop(connection)
            raise self._timed_out(question.head_seconds) from error
        except BaseException:
            self._pool.drop(connection)
            raise

    def _headers(self, question: Question) -> Headers:
        kept = [
            (name, value) for name, value in question.headers if name.lower() not in _OWN_HEADERS
        ]
        own = [(b"host", self._host), (b"accept-encoding", b"identity")]
        if question.body:
            own.append((b"content-length", str(len(question.body)).encode()))
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


def _host_header(endpoint: Endpoint) -> bytes:
    host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
    is_usual = endpoint.port == {"http": 80, "https": 443}[endpoint.scheme]
    return (host if is_usual else f"{host}:{endpoint.port}").encode(
        "idna" if not host.isascii() else "ascii"
    )


def _charset(content_type: bytes) -> str:
    _, _, parameters = content_type.decode("latin-1").lower().partition(";")
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip().strip("\"'")
    return ""


def check_busy(head: Head) -> None:
    """Raise ModelBusy where the server says so, with how long it asks to be left alone."""
    if head.status not in _BUSY:
        return
    raise ModelBusy(
        f"the model's server is busy ({head.status})",
        fix="try again in a moment",
        retry_after_seconds=_retry_after(head.headers),
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
