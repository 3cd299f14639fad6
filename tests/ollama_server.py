"""A scripted Ollama server of our own: real HTTP on loopback, no model behind it.

It is not Ollama. It answers `/api/version tags show chat status embed pull` in Ollama's shapes,
with replies from a script, and can misbehave and lie in every way the tests need.

In a test: `async with OllamaServer(...) as server: server.url`. As a process, for the command line:
`python -m tests.ollama_server --port 0 --model llama3.2 --reply "Hello."` prints its URL.
"""

import argparse
import asyncio
import hashlib
import json
import signal
import ssl
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

__all__ = [
    "Answer",
    "HostedModel",
    "OllamaServer",
    "Received",
    "chat_lines",
    "ndjson",
    "say",
]

CREATED_AT = "2026-03-02T09:00:00.000000Z"
REASONS = {
    200: "OK", 302: "Found", 307: "Temporary Redirect", 400: "Bad Request", 404: "Not Found",
    429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Received:
    """One request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else {}


@dataclass(kw_only=True)
class HostedModel:
    """A model the server claims to have. `show` and `entry` add fields to its two descriptions."""

    capabilities: Sequence[str] = ("completion", "tools")
    context_length: int = 131072
    template: str = "{{ .Messages }}"
    show: Mapping[str, Any] = field(default_factory=dict)
    entry: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""


class Hold:
    """A pause in an answer, until the test sets the event or the client is gone."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.go_on = asyncio.Event()


Piece = bytes | Hold


@dataclass(kw_only=True)
class Answer:
    """One answer, down to its bytes.

    `body`: pieces that are written one after the other; as chunks where `is_chunked`, else counted.
    `raw` replaces everything from the status line on. `is_cut` closes the connection without the end.
    `surplus` is sent right after the end of the answer, `after` at leisure. `in_single_bytes` sends one byte a packet.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Sequence[Piece] = ()
    is_chunked: bool = False
    is_cut: bool = False
    surplus: bytes = b""
    in_single_bytes: bool = False
    raw: Sequence[Piece] | None = None
    after: Sequence[Piece] = ()

    def pieces(self) -> list[Piece]:
        if self.raw is not None:
            return list(self.raw)
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Other')}"]
        headers = {"Content-Type": "application/json; charset=utf-8", **self.headers}
        if self.is_chunked:
            headers["Transfer-Encoding"] = "chunked"
        else:
            size = sum(len(piece) for piece in self.body if isinstance(piece, bytes))
            headers["Content-Length"] = str(size + (1 if self.is_cut else 0))
        lines += [f"{name}: {value}" for name, value in headers.items()]
        pieces: list[Piece] = ["\r\n".join([*lines, "", ""]).encode()]
        for piece in self.body:
            if isinstance(piece, bytes) and self.is_chunked:
                pieces.append(b"%x\r\n%b\r\n" % (len(piece), piece))
            else:
                pieces.append(piece)
        if self.is_chunked and not self.is_cut:
            pieces.append(b"0\r\n\r\n")
        return [*pieces, self.surplus, *self.after]

    @property
    def whole(self) -> bytes:
        """The whole answer, for a `raw` one that holds it back."""
        return b"".join(piece for piece in self.pieces() if isinstance(piece, bytes))


def document(content: Any, *, status: int = 200, **more: Any) -> Answer:
    return Answer(status=status, body=[json.dumps(content).encode()], **more)


def ndjson(lines: Iterable[bytes | Mapping[str, Any] | Hold], **more: Any) -> Answer:
    """Answer with a chunked stream of lines; bytes are taken as they are."""
    body: list[Piece] = [
        json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        if isinstance(line, Mapping)
        else line
        for line in lines
    ]
    headers = {"Content-Type": "application/x-ndjson", **more.pop("headers", {})}
    return Answer(headers=headers, body=body, is_chunked=True, **more)


def chunk(content: str = "", *, model: str = "llama3.2", **more: Any) -> dict[str, Any]:
    """One line of a chat, as Ollama writes it."""
    message = {"role": "assistant", "content": content, **more.pop("message", {})}
    return {"model": model, "created_at": CREATED_AT, "message": message, "done": False, **more}


def last_chunk(
    *, model: str = "llama3.2", reason: str = "stop", prompt: int = 20, reply: int = 5, **more: Any
) -> dict[str, Any]:
    counts = {"prompt_eval_count": prompt, "eval_count": reply, "total_duration": 1}
    return chunk(model=model, **more) | {"done": True, "done_reason": reason, **counts}


def chat_lines(
    reply: "str | Mapping[str, Any]", *, model: str = "llama3.2"
) -> list[dict[str, Any]]:
    """The lines of one scripted reply.

    `text` or `chunks`, `thinking`, `calls`, `done_reason`, `is_cut` for one without its end.
    """
    script: Mapping[str, Any] = {"text": reply} if isinstance(reply, str) else reply
    lines = []
    if script.get("thinking"):
        lines.append(chunk(model=model, message={"thinking": script["thinking"]}))
    text = str(script.get("text", ""))
    pieces = script.get("chunks") or [
        word if index == 0 else f" {word}" for index, word in enumerate(text.split(" "))
    ]
    lines += [chunk(piece, model=model) for piece in pieces if piece]
    for index, call in enumerate(script.get("calls", ())):
        function = {"index": index, "name": call["name"], "arguments": call.get("arguments", {})}
        wire = {"id": call.get("id", f"call_{index}"), "function": function}
        lines.append(chunk(model=model, message={"tool_calls": [wire]}))
    if script.get("is_cut"):
        return lines
    return [*lines, last_chunk(model=model, reason=str(script.get("done_reason", "stop")))]


def say(
    reply: "str | Mapping[str, Any]", *, model: str = "llama3.2", is_stream: bool = True
) -> Answer:
    """Answer a chat with a scripted reply: text, or a mapping with `error` and `status` too."""
    if isinstance(reply, Mapping) and "error" in reply:
        return document({"error": reply["error"]}, status=int(reply.get("status", 500)))
    lines = chat_lines(reply, model=model)
    if is_stream:
        return ndjson(lines)
    text = "".join(line["message"]["content"] for line in lines)
    calls = [call for line in lines for call in line["message"].get("tool_calls", ())]
    whole = {"content": text, **({"tool_calls": calls} if calls else {})}
    return document(last_chunk(model=model, message=whole, reason=lines[-1]["done_reason"]))


def plain_name(name: str) -> str:
    return name if ":" in name else f"{name}:latest"


class OllamaServer:
    """The server. Replies to chats are taken in turn; the last one is repeated.

    `replies`: texts, mappings (see `chat_lines`, `say`) or whole `Answer`s.
    `rules`: pairs of a text and a reply; the first whose text is in the last message wins over
    `replies`. `overrides[path]`: what that path answers instead, a list that is used up in turn
    or a callable. `requests` keeps what came in; `closed_early` counts answers that were left;
    `left` and `dropped` are set when an answer was left, when a connection ended.
    """

    def __init__(
        self,
        *,
        models: Mapping[str, HostedModel] | None = None,
        replies: Sequence[Any] = ("Hello.",),
        rules: Sequence[tuple[str, Any]] = (),
        has_status: bool = True,
        cloud_disabled: bool = False,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.models = dict(models if models is not None else {"llama3.2": HostedModel()})
        self.replies: deque[Any] = deque(replies)
        self.rules = list(rules)
        self.overrides: dict[str, list[Answer] | Callable[[Received], Answer]] = {}
        self.requests: list[Received] = []
        self.connections = 0
        self.closed_early = 0
        self.left = asyncio.Event()
        self.dropped = asyncio.Event()
        self.loads: list[str] = []
        self.has_status = has_status
        self.cloud_disabled = cloud_disabled
        self.keep_requests = True
        self._port = port
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._open: set[_Conversation] = set()

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def open_connections(self) -> int:
        return len(self._open)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def chats(self) -> list[Any]:
        """The bodies of the chats that had messages, in order."""
        bodies = [request.json for request in self.requests if request.path == "/api/chat"]
        return [body for body in bodies if body.get("messages")]

    def received(self, text: str) -> bool:
        """Tell whether `text` was in anything that came in."""
        return any(text.encode() in request.body for request in self.requests)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Conversation(self), "127.0.0.1", self._port, ssl=self._tls
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Stop answering: the port is closed, connections are cut."""
        if self._server is None:
            return
        self._server.close()
        self.cut_connections()
        await self._server.wait_closed()
        self._server = None

    @asynccontextmanager
    async def also_at(self, path: Path) -> AsyncIterator[None]:
        """Serve on a unix socket as well."""
        loop = asyncio.get_running_loop()
        extra = await loop.create_unix_server(lambda: _Conversation(self), str(path))
        try:
            yield
        finally:
            extra.close()
            self.cut_connections()
            await extra.wait_closed()

    def hold(self) -> Hold:
        """A place in an answer where the server waits until `go_on` is set."""
        return Hold()

    def cut_connections(self) -> None:
        """Close every open connection, as a server does that restarts."""
        for conversation in tuple(self._open):
            conversation.cut()

    def answer(self, request: Received) -> Answer:
        override = self.overrides.get(request.path)
        if callable(override):
            return override(request)
        if override:
            return override.pop(0)
        answer = self._answers.get((request.method, request.path))
        if answer is None or (request.path == "/api/status" and not self.has_status):
            plain = {"Content-Type": "text/plain"}
            return Answer(status=404, headers=plain, body=[b"404 page not found"])
        return answer(request)

    @property
    def _answers(self) -> Mapping[tuple[str, str], Callable[[Received], Answer]]:
        plain = {"Content-Type": "text/plain"}
        status = {"cloud": {"disabled": self.cloud_disabled, "source": "none"}}
        return {
            ("GET", "/"): lambda _: Answer(headers=plain, body=[b"Ollama is running"]),
            ("GET", "/api/version"): lambda _: document({"version": "0.33.0"}),
            ("GET", "/api/status"): lambda _: document(status),
            ("GET", "/api/tags"): lambda _: document(
                {"models": [self._entry(name) for name in self.models]}
            ),
            ("POST", "/api/show"): lambda request: self._of_model(request, self._show),
            ("POST", "/api/chat"): lambda request: self._of_model(request, self._chat),
            ("POST", "/api/embed"): lambda request: self._of_model(request, self._embed),
            ("POST", "/api/pull"): self._pull,
        }

    def _of_model(self, request: Received, answer: Callable[[str, Any], Answer]) -> Answer:
        body = request.json
        name = str(body.get("model", ""))
        known = {plain_name(hosted).lower(): hosted for hosted in self.models}
        hosted = known.get(plain_name(name).lower())
        if hosted is None:
            return document({"error": f"model '{name}' not found"}, status=404)
        return answer(hosted, body)

    def _entry(self, name: str) -> dict[str, Any]:
        model = self.models[name]
        digest = model.digest or hashlib.sha256(plain_name(name).encode()).hexdigest()
        return {
            "name": plain_name(name), "model": plain_name(name), "digest": digest,
            "modified_at": CREATED_AT, "size": 2019393189,
            "details": {"format": "gguf", "family": "llama", "parameter_size": "3.2B"},
            **model.entry,
        }  # fmt: skip

    def _show(self, name: str, _body: Any) -> Answer:
        model = self.models[name]
        return document(
            {
                "template": model.template,
                "details": {"format": "gguf", "family": "llama"},
                "model_info": {
                    "general.architecture": "llama",
                    "llama.context_length": model.context_length,
                },
                "capabilities": list(model.capabilities),
                **model.show,
            }
        )

    def _chat(self, name: str, body: Any) -> Answer:
        capabilities = self.models[name].capabilities
        messages = body.get("messages") or []
        is_stream = body.get("stream", True)
        if not messages:
            self.loads.append(name)
            loaded = last_chunk(model=name, reason="load", prompt=0, reply=0)
            return ndjson([loaded]) if is_stream else document(loaded)
        for feature in ("tools", "think"):
            if (
                body.get(feature)
                and {"tools": "tools", "think": "thinking"}[feature] not in capabilities
            ):
                word = {"tools": "tools", "think": "thinking"}[feature]
                return document({"error": f'"{name}" does not support {word}'}, status=400)
        reply = self._next_reply(str(messages[-1].get("content", "")))
        return reply if isinstance(reply, Answer) else say(reply, model=name, is_stream=is_stream)

    def _next_reply(self, asked: str) -> Any:
        for text, reply in self.rules:
            if text in asked:
                return reply
        return self.replies.popleft() if len(self.replies) > 1 else self.replies[0]

    def _embed(self, name: str, body: Any) -> Answer:
        texts = body.get("input")
        texts = [texts] if isinstance(texts, str) else list(texts or [])
        vectors = [
            [float(byte) for byte in hashlib.sha256(text.encode()).digest()[:8]] for text in texts
        ]
        return document({"model": name, "embeddings": vectors, "prompt_eval_count": len(texts)})

    def _pull(self, request: Received) -> Answer:
        name = str(request.json.get("model", ""))
        self.models.setdefault(name, HostedModel())
        digest = f"sha256:{'0' * 64}"
        steps = [
            {"status": "downloading", "digest": digest, "total": 100, "completed": done}
            for done in (0, 50, 100)
        ]
        return ndjson([{"status": "pulling manifest"}, *steps, {"status": "success"}])


class _Conversation(asyncio.Protocol):
    """One connection: reads requests, writes answers, one after the other."""

    def __init__(self, server: OllamaServer) -> None:
        self._server = server
        self._received = bytearray()
        self._transport: Any = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._server.connections += 1
        self._server._open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server._open.discard(self)
        self._server.dropped.set()
        if self._task is not None and not self._task.done():
            self._server.closed_early += 1
            self._server.left.set()
            self._task.cancel()

    def cut(self) -> None:
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._received += data
        self._serve()

    def _serve(self) -> None:
        while self._task is None and (request := self._take_request()) is not None:
            if self._server.keep_requests:
                self._server.requests.append(request)
            answer = self._server.answer(request)
            pieces = answer.pieces()
            if answer.in_single_bytes or any(isinstance(piece, Hold) for piece in pieces):
                self._task = asyncio.ensure_future(self._write_slowly(answer, pieces))
                self._task.add_done_callback(self._written)
                return
            self._transport.write(b"".join(piece for piece in pieces if isinstance(piece, bytes)))
            if answer.is_cut or answer.raw is not None:
                self._transport.close()

    def _written(self, task: "asyncio.Task[None]") -> None:
        self._task = None
        if not task.cancelled():
            task.result()
            self._serve()

    async def _write_slowly(self, answer: Answer, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            if isinstance(piece, Hold):
                piece.reached.set()
                await piece.go_on.wait()
            elif answer.in_single_bytes:
                for byte in piece:
                    self._transport.write(bytes([byte]))
                    await asyncio.sleep(0)
            else:
                self._transport.write(piece)
        if answer.is_cut or answer.raw is not None:
            self._transport.close()

    def _take_request(self) -> Received | None:
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return None
        first, *lines = bytes(self._received[:end]).decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        size = int(headers.get("content-length", "0"))
        if len(self._received) < end + 4 + size:
            return None
        body = bytes(self._received[end + 4 : end + 4 + size])
        del self._received[: end + 4 + size]
        method, target, _ = first.split(" ", 2)
        return Received(method=method, path=target.partition("?")[0], headers=headers, body=body)


def server_from_script(script: Mapping[str, Any], *, port: int) -> OllamaServer:
    """Build a server from a JSON document.

    `models`: {name: fields of HostedModel}; `replies`: list; `rules`: list of {"when", "reply"}.
    """
    models = {name: HostedModel(**fields) for name, fields in script.get("models", {}).items()}
    return OllamaServer(
        models=models or None,
        replies=script.get("replies") or ["Hello."],
        rules=[(rule["when"], rule["reply"]) for rule in script.get("rules", ())],
        has_status=bool(script.get("has_status", True)),
        port=port,
    )


async def _run(server: OllamaServer) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    async with server:
        print(server.url, flush=True)  # noqa: T201 - the caller reads it
        await stop.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted Ollama server for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--model", action="append", default=[], help="a model that it has")
    parser.add_argument("--no-tools", action="store_true", help="its models take no tools")
    parser.add_argument("--reply", action="append", default=[], help="a text, or a JSON object")
    parser.add_argument("--script", help="a JSON file, see server_from_script; `-` reads stdin")
    parser.add_argument("--lie", choices=("show", "tags", "chunk"), help="admit to be remote there")
    parser.add_argument("--forget", action="store_true", help="keep no requests, for benchmarks")
    options = parser.parse_args()
    script: dict[str, Any] = {}
    if options.script:
        with open(0 if options.script == "-" else options.script, encoding="utf-8") as file:  # noqa: PTH123
            script = json.load(file)
    remote = {"remote_host": "https://ollama.com:443", "remote_model": "elsewhere"}
    capabilities = ["completion"] if options.no_tools else ["completion", "tools"]
    for name in options.model:
        fields: dict[str, Any] = {"capabilities": capabilities}
        if options.lie == "show":
            fields["show"] = remote
        if options.lie == "tags":
            fields["entry"] = remote
        script.setdefault("models", {})[name] = fields
    replies = [json.loads(reply) if reply.startswith("{") else reply for reply in options.reply]
    server = server_from_script(
        {**script, **({"replies": replies} if replies else {})}, port=options.port
    )
    server.keep_requests = not options.forget
    if options.lie == "chunk":
        server.replies = deque(
            [ndjson([chunk("Well"), chunk(", I"), {**chunk(" am"), **remote}, last_chunk()])]
        )
    asyncio.run(_run(server))


if __name__ == "__main__":
    sys.exit(main())
