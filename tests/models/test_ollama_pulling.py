"""A pull through a real socket, against servers that answer in each way an Ollama server does."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from brain.errors import BadReply, ModelRefused, ModelUnreachable
from brain.models import pull_ollama


@contextmanager
def server(*lines: dict[str, object], status: int = 200) -> Iterator[tuple[str, list[object]]]:
    """Answer every POST with these lines; yield the address and what was asked."""
    asked: list[object] = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append((self.path, json.loads(body)))
            self.send_response(status)
            self.end_headers()
            for line in lines:
                self.wfile.write(json.dumps(line).encode() + b"\n")

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Say nothing about it."""

    with HTTPServer(("127.0.0.1", 0), Answer) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}", asked
        finally:
            listening.shutdown()
            thread.join()


async def test_a_model_is_asked_for_by_name_and_its_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    lines = (
        {"status": "pulling manifest"},
        {"status": "pulling dde5aa3fc5ff", "completed": 5, "total": 10},
        {"status": "success"},
    )

    with server(*lines) as (address, asked):
        await pull_ollama(address, "llama3.2", on_progress=lambda *each: told.append(each))

    assert asked == [("/api/pull", {"model": "llama3.2", "stream": True})]
    assert told == [("pulling manifest", 0, 0), ("pulling dde5aa3fc5ff", 5, 10)]


@pytest.mark.parametrize(
    ("lines", "status", "error", "words"),
    [
        pytest.param(
            ({"error": "pull model manifest: file does not exist"},),
            200,
            ModelRefused,
            "file does not exist",
            id="an error in the stream",
        ),
        pytest.param(({"error": "busy"},), 500, ModelRefused, "busy", id="an error as a status"),
        pytest.param(({"status": "pulling"},), 200, BadReply, "broke off", id="cut off"),
    ],
)
async def test_what_goes_wrong_is_said(
    lines: tuple[dict[str, object], ...], status: int, error: type[Exception], words: str
) -> None:
    with server(*lines, status=status) as (address, _), pytest.raises(error, match=words):
        await pull_ollama(address, "nope", on_progress=lambda *_: None)


async def test_where_nothing_answers_the_command_that_starts_it_is_named() -> None:
    with pytest.raises(ModelUnreachable) as refused:
        await pull_ollama("http://127.0.0.1:1", "llama3.2", on_progress=lambda *_: None)

    assert refused.value.fix == "start it with: ollama serve"
