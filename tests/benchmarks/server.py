"""A model server that answers at once: every answer is bytes made before the first question.

A process of its own, so that what it costs is not counted as anyone's: `python -m
tests.benchmarks.server` prints its URL. The model `answers` answers each chat with a stream of
`WORDS`; `calls` first asks for a note, a new one each time, and answers when it is told what came
of it.
"""

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["ANSWER", "Server", "running_server"]

WORDS: Final = (
    "The",
    "answer",
    "is",
    "here,",
    "in",
    "a",
    "dozen",
    "words,",
    "one",
    "in",
    "each",
    "piece.",
)
ANSWER: Final = " ".join(WORDS)
_AT: Final = "2026-03-02T09:00:00.000000Z"
_MODELS: Final = ("answers", "calls")


def _document(content: Any) -> bytes:
    body = json.dumps(content).encode()
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    )


def _line(model: str, message: dict[str, Any], **more: Any) -> bytes:
    line = {
        "model": model,
        "created_at": _AT,
        "message": {"role": "assistant", "content": "", **message},
        "done": False,
        **more,
    }
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _last(model: str) -> bytes:
    counts = {"total_duration": 1, "prompt_eval_count": 200, "eval_count": len(WORDS)}
    return _line(model, {}, done=True, done_reason="stop", **counts)


def _stream(lines: list[bytes]) -> bytes:
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    return head + b"".join(b"%x\r\n%b\r\n" % (len(line), line) for line in lines) + b"0\r\n\r\n"


def _answer(model: str) -> bytes:
    pieces = [word if index == 0 else f" {word}" for index, word in enumerate(WORDS)]
    return _stream([*(_line(model, {"content": piece}) for piece in pieces), _last(model)])


_NUMBER: Final = b"0000000"


def _call() -> bytes:
    function = {
        "index": 0,
        "name": "memory_note",
        "arguments": {"note": f"The number of the day is {_NUMBER.decode()}"},
    }
    calls = {"tool_calls": [{"id": "call_1", "function": function}]}
    return _stream([_line("calls", calls), _last("calls")])


def _fixed_answers() -> dict[bytes, bytes]:
    tags = [
        {"name": f"{name}:latest", "model": f"{name}:latest", "digest": "ab" * 32}
        for name in _MODELS
    ]
    show = {
        "details": {"format": "gguf", "family": "llama"},
        "model_info": {"general.architecture": "llama", "llama.context_length": 131072},
        "capabilities": ["completion", "tools"],
    }
    return {
        b"GET /api/version ": _document({"version": "0.33.0"}),
        b"GET /api/tags ": _document({"models": tags}),
        b"GET /api/status ": _document({"cloud": {"disabled": True}}),
        b"POST /api/show ": _document(show),
    }


class _Protocol(asyncio.Protocol):
    """Reads requests by their Content-Length and writes what is ready."""

    fixed = _fixed_answers()
    answer = _answer("answers")
    told = _answer("calls")
    loaded = _document({"model": "answers", "created_at": _AT, "done": True, "done_reason": "load",
                        "message": {"role": "assistant", "content": ""}})  # fmt: skip
    call_before, call_after = _call().split(_NUMBER)
    given = 0
    chats = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._received = b""

    def data_received(self, data: bytes) -> None:
        received = self._received + data if self._received else data
        while (end := received.find(b"\r\n\r\n")) >= 0:
            head = received[:end].lower()
            at = head.find(b"content-length:")
            size = int(head[at + 15 :].split(b"\r", 1)[0]) if at >= 0 else 0
            if len(received) < end + 4 + size:
                break
            self._transport.write(
                self._answer_to(received[:24], received[end + 4 : end + 4 + size])
            )
            received = received[end + 4 + size :]
        self._received = received

    def _answer_to(self, head: bytes, body: bytes) -> bytes:
        if not head.startswith(b"POST /api/chat "):
            fixed = next(
                (text for start, text in self.fixed.items() if head.startswith(start)), b""
            )
            return fixed or b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%d" % (
                len(str(_Protocol.chats)),
                _Protocol.chats,
            )
        _Protocol.chats += 1
        if b'"stream":false' in body or b'"stream": false' in body:
            return self.loaded
        if b'"calls"' not in body[:40]:
            return self.answer
        if b'"role":"tool"' in body:
            return self.told
        _Protocol.given += 1
        return self.call_before + b"%07d" % _Protocol.given + self.call_after


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(_Protocol, "127.0.0.1", 0, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)  # noqa: T201
    stopped = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stopped.set)
    await stopped.wait()
    server.close()


@dataclass(frozen=True, kw_only=True)
class Server:
    """A running one."""

    url: str
    pid: int

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def cpu_seconds(self) -> float:
        """Return what it has spent so far."""
        with open(f"/proc/{self.pid}/stat", "rb") as file:  # noqa: PTH123 - a kernel file
            fields = file.read().rsplit(b")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running_server() -> Iterator[Server]:
    """Run one in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.server"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield Server(url=process.stdout.readline().strip(), pid=process.pid)
    finally:
        process.terminate()
        process.wait(timeout=10)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    asyncio.run(_serve())
