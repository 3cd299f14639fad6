"""SIGTERM to a real server in the middle of everything: over in time, with what was said on record.

Who keeps containers kills after ten seconds what it asked to stop.
"""

import asyncio
import json
import signal
import sqlite3
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain.cli import serve
from brain.runtime import mailroom
from tests.channels.http.client import Client
from tests.channels.webhook.receiver import Receiver, open_receiver
from tests.cli.program import Program
from tests.cli.terminals import Reader, talking, told
from tests.cli.test_serve import CONFIG, FOLDER, serving, token
from tests.crash.test_webhooks import TOKENS, hooked, post
from tests.ollama_server import Hold, OllamaServer, chunk, last_chunk, ndjson

LONGEST_SECONDS = serve.STOP_SECONDS + 1  # a process ends a moment after it was told to
WAIT_SECONDS = 60


@dataclass(kw_only=True)
class Scene:
    """A server, the model that it asks, and the program that takes its replies."""

    program: Program
    process: "subprocess.Popen[bytes]"
    client: Client
    port: int
    receiver: Receiver
    stderr: Reader

    async def stop(self) -> tuple[int, float]:
        """Ask it to stop, once; return its exit code and how long it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(self.process.wait, WAIT_SECONDS)
        return code, time.monotonic() - began

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.program.folder / FOLDER / "brain.db")) as connection:
            return connection.execute(sql).fetchall()


@asynccontextmanager
async def scene(folder: Path, ollama: OllamaServer, *answers: Any) -> AsyncIterator[Scene]:
    async with open_receiver(*answers) as receiver:
        document = hooked(receiver.url)
        model = {"provider": "ollama", "model_id": "llama3.2", "locality": "local"}
        document["brains"][0]["models"] = [model]
        program = Program(folder=folder, environ={**TOKENS, "OLLAMA_HOST": ollama.url})
        program.write("talk.json", document)
        with ExitStack() as held:
            process, stderr, port = await asyncio.to_thread(held.enter_context, serving(program))
            client = Client(port, token(program))
            yield Scene(
                program=program,
                process=process,
                client=client,
                port=port,
                receiver=receiver,
                stderr=stderr,
            )


def said(talk: str, text: str) -> dict[str, Any]:
    return {"conversation": talk, "text": text}


async def reached(hold: Hold) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        await hold.reached.wait()


ENDS = (
    "SELECT t.text, t.is_cut, e.type FROM events e JOIN events r ON r.exchange = e.exchange "
    "AND r.type = 'message_received' LEFT JOIN turns t ON t.exchange_id = e.exchange "
    "AND t.role = 'assistant' WHERE e.type IN "
    "('reply_sent', 'exchange_failed', 'exchange_cancelled') ORDER BY t.text"
)


async def test_with_all_that_can_hold_it_up_a_stop_is_over_in_time_and_the_cut_is_on_record(
    tmp_path: Path,
) -> None:
    long, hooked_one, silent = Hold(), Hold(), Hold()
    rules = [
        ("long", ndjson([chunk("Once upon"), chunk(" a time"), long, last_chunk()])),
        ("by hook", ndjson([chunk("Well"), hooked_one, last_chunk()])),
        ("nothing", ndjson([silent, last_chunk()])),
    ]
    async with (
        OllamaServer(replies=["Hello. " * 20_000], rules=rules) as ollama,
        scene(tmp_path, ollama, "never") as at,
    ):
        stalled = at.client.request(
            "POST", "/v1/messages", said("stalled", "hi"), Accept="text/event-stream"
        )
        _, writer = await at.client.stall(stalled)
        await asyncio.to_thread(post, at.port, "answered", "m-1")
        await at.receiver.until(1)
        asking = [
            asyncio.create_task(at.client.ask("POST", "/v1/messages", said(text, text)))
            for text in ("long", "nothing")
        ]
        body = json.dumps({"conversation": "hook", "text": "by hook"}).encode()
        await at.client.ask("POST", "/webhook", body=body, bearer="hook-token")
        for hold in (long, hooked_one, silent):
            await reached(hold)

        code, seconds = await at.stop()
        cut_off = [(await each).code for each in asking]
        writer.close()
        ends = at.rows(ENDS)
        stopped = at.rows("SELECT type FROM events ORDER BY seq DESC LIMIT 1")
        waiting = at.rows("SELECT body FROM outbox ORDER BY seq")
        accepted = at.rows("SELECT 1 FROM accepted")

    assert cut_off == ["stopping", "stopping"]
    assert (code, stopped) == (0, [("runtime_stopped",)])
    assert seconds < LONGEST_SECONDS
    cut = [end for end in ends if end[2] == "exchange_cancelled"]
    assert (None, None, "exchange_cancelled") in cut
    assert ("Once upon a time", 1, "exchange_cancelled") in cut
    assert ("Well", 1, "exchange_cancelled") in cut
    codes = {json.loads(row[0])["code"] for row in waiting}
    assert "interrupted" in codes or any(
        each.body["code"] == "interrupted" for each in at.receiver.taken
    )
    assert accepted == []


async def test_a_short_answer_that_is_under_way_is_finished_before_the_end(tmp_path: Path) -> None:
    hold = Hold()
    answer = ndjson([chunk("Well"), hold, chunk(" done"), last_chunk()])
    async with OllamaServer(replies=[answer]) as ollama, scene(tmp_path, ollama) as at:
        asking = asyncio.create_task(at.client.ask("POST", "/v1/messages", said("main", "hi")))
        await reached(hold)
        stopping = asyncio.create_task(at.stop())
        await asyncio.to_thread(at.stderr.until, b"stopping: ")
        hold.go_on.set()
        reply = (await asking).json
        code, seconds = await stopping

    assert (code, reply["text"], reply["outcome"]) == (0, "Well done", "answered")
    assert seconds < mailroom.FINISH_SECONDS


async def test_asked_to_stop_while_it_waits_for_a_model_it_ends_at_once(tmp_path: Path) -> None:
    hold = Hold()
    async with OllamaServer() as ollama:
        ollama.overrides["/api/version"] = lambda _: ndjson([hold])
        ollama.overrides["/api/tags"] = lambda _: ndjson([hold])
        ollama.overrides["/api/show"] = lambda _: ndjson([hold])
        program = Program(folder=tmp_path, environ={**TOKENS, "OLLAMA_HOST": ollama.url})
        document = hooked("http://127.0.0.1:9/replies")
        model = {"provider": "ollama", "model_id": "llama3.2", "locality": "local"}
        document["brains"][0]["models"] = [model]
        program.write("talk.json", document)
        with ExitStack() as held:
            process = await asyncio.to_thread(
                held.enter_context, talking(program, "serve", *CONFIG)
            )
            await reached(hold)
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            code = await asyncio.to_thread(process.wait, WAIT_SECONDS)
            seconds = time.monotonic() - began
            said_last = await asyncio.to_thread(told(process).rest)

    assert code == 0, said_last
    assert b"stopped before anything was served" in said_last
    assert b"Traceback" not in said_last
    assert seconds < mailroom.FINISH_SECONDS
