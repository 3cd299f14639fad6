"""A server with a webhook that is killed: what it accepted is answered, what it owes is delivered."""

import asyncio
import http.client
import json
import threading
from collections import defaultdict
from contextlib import ExitStack, closing, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.channels.webhook.receiver import open_receiver
from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED
from tests.cli.test_serve import CONFIG, config, serving
from tests.ollama_server import Hold, OllamaServer, chunk, last_chunk, ndjson

CLIENTS = 3
DELIVERED_PER_ROUND = 6
TOKENS = {"HOOK": "hook-token", "OUT": "out-token"}


def hooked(url: str) -> dict[str, Any]:
    channel = {
        "type": "webhook",
        "webhook": {"token_env": "HOOK", "outbound_url": url, "outbound_token_env": "OUT"},
    }
    root: dict[str, Any] = config(*["Hello."] * 2000)
    return {**root, "channels": [*root["channels"], channel]}


def post(port: int, talk: str, key: str) -> dict[str, Any]:
    headers = {
        "Authorization": "Bearer hook-token",
        "Content-Type": "application/json",
        "X-Idempotency-Key": key,
    }
    body = json.dumps({"conversation": talk, "text": "hi"})
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", "/webhook", body, headers)
        with connection.getresponse() as response:
            answer: dict[str, Any] = json.loads(response.read())
    return answer


def post_on(
    port: int, numbers: "count[int]", accepted: dict[str, str], gone: threading.Event
) -> None:
    """Post messages, each under its own key, until the server is gone.

    Whoever is told that too much waits pauses, as senders do, and leaves the server room to answer;
    an answer that the kill cut off, in its head too, is none.
    """
    with suppress(OSError, http.client.HTTPException, json.JSONDecodeError):
        while not gone.is_set():
            number = next(numbers)
            answer = post(port, f"talk-{number % 5}", f"m-{number}")
            if answer.get("status") == "accepted":
                accepted[f"m-{number}"] = answer["exchange_id"]
            else:
                gone.wait(0.1)


def waiting(program: Program) -> list[dict[str, Any]]:
    """Return what `brain outbox list` lists, beside the server that runs."""
    listed: list[dict[str, Any]] = json.loads(
        program.run("outbox", "list", "--json", *CONFIG).stdout
    )
    return listed


async def test_killed_between_commit_and_delivery_it_delivers_at_the_next_start(
    tmp_path: Path,
) -> None:
    program = Program(folder=tmp_path, environ={**ALLOW_SCRIPTED, **TOKENS})
    async with open_receiver("never") as receiver:
        program.write("talk.json", hooked(receiver.url))
        with serving(program) as (process, _, port):
            answer = await asyncio.to_thread(post, port, "main", "m-1")
            await receiver.until(1)
            process.kill()
        left = await asyncio.to_thread(waiting, program)
        with serving(program) as (_, _, port):
            again = await asyncio.to_thread(post, port, "main", "m-1")
            taken = await receiver.until(2)

    assert [(each["id"], each["state"]) for each in left] == [
        (answer["exchange_id"], "undelivered")
    ]
    assert again == {"status": "repeated"}
    assert {each.headers["x-idempotency-key"] for each in taken} == {answer["exchange_id"]}
    assert taken[-1].body["text"] == "Hello."


@pytest.mark.parametrize(
    "rounds", [3, pytest.param(100, marks=[pytest.mark.long, pytest.mark.timeout(1800)])]
)
async def test_killed_at_any_moment_it_answers_and_delivers_all_that_it_accepted(
    tmp_path: Path, rounds: int
) -> None:
    program = Program(folder=tmp_path, environ={**ALLOW_SCRIPTED, **TOKENS})
    numbers, accepted = count(1), dict[str, str]()
    async with open_receiver() as receiver:
        program.write("talk.json", hooked(receiver.url))
        for _ in range(rounds):
            with serving(program) as (process, _, port):
                wanted, gone = len(receiver.taken) + DELIVERED_PER_ROUND, threading.Event()
                senders = [
                    threading.Thread(target=post_on, args=(port, numbers, accepted, gone))
                    for _ in range(CLIENTS)
                ]
                for sender in senders:
                    sender.start()
                await receiver.until(wanted)
                process.kill()
                gone.set()
                for sender in senders:
                    await asyncio.to_thread(sender.join)
        with serving(program):
            async with asyncio.timeout(120):
                while await asyncio.to_thread(waiting, program):
                    pass
        verified = await asyncio.to_thread(program.run, "activity", "--verify", "--json", *CONFIG)

    bodies = defaultdict[str, set[str]](set)
    for each in receiver.taken:
        bodies[each.body["exchange_id"]].add(json.dumps(each.body, sort_keys=True))
    keys = [json.loads(next(iter(told)))["in_reply_to"] for told in bodies.values()]
    codes = {json.loads(body)["code"] for told in bodies.values() for body in told}
    assert len(accepted) >= rounds
    assert [told for told in bodies.values() if len(told) > 1] == [], "a repeat said another thing"
    assert len(keys) == len(set(keys)), "a message was answered twice"
    assert codes <= {"", "interrupted"}
    assert json.loads(verified.stdout)["is_whole"] is True
    assert set(accepted.values()) <= set(bodies)


async def test_killed_while_the_model_is_asked_the_message_is_not_answered_twice(
    tmp_path: Path,
) -> None:
    hold = Hold()
    slow = ndjson([chunk("Well"), hold, last_chunk()])
    async with OllamaServer(replies=[slow, "Hello."]) as ollama, open_receiver() as receiver:
        document = hooked(receiver.url)
        model = {"provider": "ollama", "model_id": "llama3.2", "locality": "local"}
        document["brains"][0]["models"] = [model]
        program = Program(folder=tmp_path, environ={**TOKENS, "OLLAMA_HOST": ollama.url})
        program.write("talk.json", document)
        with ExitStack() as held:
            start = serving(program)
            process, _, port = await asyncio.to_thread(held.enter_context, start)
            begun = await asyncio.to_thread(post, port, "one", "m-1")
            async with asyncio.timeout(60):
                await hold.reached.wait()
            process.kill()
        left = await asyncio.to_thread(waiting, program)
        with ExitStack() as held:
            _, _, port = await asyncio.to_thread(held.enter_context, serving(program))
            taken = await receiver.until(1)
            again = await asyncio.to_thread(post, port, "one", "m-1")
            await asyncio.to_thread(post, port, "one", "m-2")
            taken = await receiver.until(2)

    assert [(each["id"], each["state"]) for each in left] == [(begun["exchange_id"], "begun")]
    assert [(each.body["in_reply_to"], each.body["code"]) for each in taken] == [
        ("m-1", "interrupted"),
        ("m-2", ""),
    ]
    assert again == {"status": "repeated"}
