"""A server that is killed while one message is answered and another waits: both are sent again."""

import asyncio
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.channels.http.client import Client
from tests.cli.program import Program
from tests.cli.test_serve import CONFIG, config, serving, token
from tests.ollama_server import Hold, OllamaServer, chunk, last_chunk, ndjson

MODEL = {"provider": "ollama", "model_id": "llama3.2", "locality": "local"}


def message(text: str) -> dict[str, Any]:
    return {"conversation": "main", "text": text}


async def send(client: Client, text: str) -> Any:
    """Send a message whose key is its text, and return the reply."""
    answer = await client.ask("POST", "/v1/messages", message(text), X_Idempotency_Key=text)
    return answer.json


async def until_received(client: Client, count: int) -> None:
    async with asyncio.timeout(30):
        while True:
            found = await client.ask("GET", "/v1/activity?type=message_received")
            if len(found.json["events"]) >= count:
                return


@pytest.mark.proves("P9")
async def test_killed_while_a_message_waits_it_is_answered_when_it_comes_again_and_no_other_twice(
    tmp_path: Path,
) -> None:
    hold = Hold()
    slow = ndjson([chunk("Well"), hold, last_chunk()])
    async with OllamaServer(replies=[slow, "Hello."]) as ollama:
        program = Program(folder=tmp_path, environ={"OLLAMA_HOST": ollama.url})
        document = config("unused")
        document["brains"][0]["models"] = [MODEL]
        program.write("talk.json", document)
        with ExitStack() as held:
            process, _, port = await asyncio.to_thread(held.enter_context, serving(program))
            client = Client(port, token(program))
            lost = [asyncio.create_task(send(client, "first"))]
            async with asyncio.timeout(60):
                await hold.reached.wait()
            lost.append(asyncio.create_task(send(client, "second")))
            await until_received(client, 2)
            process.kill()
            await asyncio.gather(*lost, return_exceptions=True)
        with ExitStack() as held:
            _, _, port = await asyncio.to_thread(held.enter_context, serving(program))
            client = Client(port, token(program))
            again = [await send(client, text) for text in ("second", "first", "second")]
            talks = (await client.ask("GET", "/v1/conversations")).json["conversations"]
            turns = await client.ask(
                "GET", f"/v1/conversations/{talks[0]['conversation_id']}/turns"
            )
            received = await client.ask("GET", "/v1/activity?type=message_received")
        verified = await asyncio.to_thread(program.run, "activity", "--verify", "--json", *CONFIG)

    assert [(each["outcome"], each["code"], each["text"][:6]) for each in again] == [
        ("answered", "", "Hello."),
        ("failed", "interrupted", "brain "),
        ("repeated", "repeated", ""),
    ]
    assert [(turn["role"], turn["text"]) for turn in turns.json["turns"]] == [
        ("user", "first"),
        ("user", "second"),
        ("assistant", "Hello."),
    ]
    exchanges = [event["exchange"] for event in received.json["events"]]
    assert exchanges == [*dict.fromkeys(exchanges), again[0]["exchange_id"]]
    assert again[0]["exchange_id"] == exchanges[1]
    assert json.loads(verified.stdout)["is_whole"] is True


ENDS = ("reply_sent", "exchange_failed", "exchange_cancelled", "message_dropped")


def ends_of(program: Program) -> list[list[tuple[str, str]]]:
    """Return how each message on record ended, in the order in which they came."""
    listed = program.run("activity", "--json", "--limit", "1000", *CONFIG)
    found: dict[str, list[tuple[str, str]]] = {}
    for event in json.loads(listed.stdout):
        if event["type"] == "message_received":
            found.setdefault(event["exchange"], [])
        elif event["type"] in ENDS:
            found[event["exchange"]].append((event["type"], event["outcome"]))
    return list(found.values())


async def run_beside(program: Program, *talks: str) -> None:
    """Start a talk at a terminal in a process of its own, each at once, and end it."""
    runs = [
        asyncio.to_thread(program.run, "run", *CONFIG, "--conversation", talk) for talk in talks
    ]
    assert [done.returncode for done in await asyncio.gather(*runs)] == [0 for _ in talks]


@pytest.mark.proves("P9")
async def test_what_was_killed_and_is_not_sent_again_has_its_end_on_record_once(
    tmp_path: Path,
) -> None:
    hold, later = Hold(), Hold()
    rules = [
        ("first", ndjson([chunk("Well"), hold, last_chunk()])),
        ("third", ndjson([chunk("Well"), later, last_chunk()])),
    ]
    async with OllamaServer(rules=rules) as ollama:
        program = Program(folder=tmp_path, environ={"OLLAMA_HOST": ollama.url})
        document = config("unused")
        document["brains"][0]["models"] = [MODEL]
        program.write("talk.json", document)
        with ExitStack() as held:
            process, _, port = await asyncio.to_thread(held.enter_context, serving(program))
            client = Client(port, token(program))
            lost = [asyncio.create_task(client.ask("POST", "/v1/messages", message("first")))]
            async with asyncio.timeout(60):
                await hold.reached.wait()
            lost.append(asyncio.create_task(client.ask("POST", "/v1/messages", message("second"))))
            await until_received(client, 2)
            process.kill()
            await asyncio.gather(*lost, return_exceptions=True)
        await run_beside(program, "one", "two")
        after_the_kill = await asyncio.to_thread(ends_of, program)
        with ExitStack() as held:
            _, _, port = await asyncio.to_thread(held.enter_context, serving(program))
            client = Client(port, token(program))
            elsewhere = {"conversation": "other", "text": "third"}
            asked = asyncio.create_task(client.ask("POST", "/v1/messages", elsewhere))
            async with asyncio.timeout(60):
                await later.reached.wait()
            await run_beside(program, "one")
            while_it_is_answered = await asyncio.to_thread(ends_of, program)
            later.go_on.set()
            await asked
            answered = await asyncio.to_thread(ends_of, program)

    interrupted = [("exchange_failed", "interrupted")]
    assert after_the_kill == [interrupted, interrupted]
    assert while_it_is_answered == [interrupted, interrupted, []]
    assert answered == [interrupted, interrupted, [("reply_sent", "answered")]]
