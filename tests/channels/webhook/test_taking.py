"""What a webhook takes and what it refuses: over a real socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.config import BUILT_IN_FOLDERS, BUILT_IN_PATHS
from brain.models import ChatRequest
from brain.models.scripted import ScriptedModel
from brain.runtime import mailroom
from tests.channels.http.client import Served, open_served
from tests.channels.webhook.hooks import hooked, post, said
from tests.channels.webhook.receiver import Receiver, open_receiver
from tests.clocks import FakeClock
from tests.flows.world import grant


@asynccontextmanager
async def both(
    folder: Path, replies: list[Any], **webhook: Any
) -> AsyncIterator[tuple[Served, Receiver]]:
    async with (
        open_receiver() as receiver,
        open_served(folder, hooked(receiver.url, **webhook), replies) as served,
    ):
        yield served, receiver


async def test_each_refusal_has_its_status_its_code_and_the_one_shape(tmp_path: Path) -> None:
    async with open_served(tmp_path, hooked()) as served:
        ask = served.client.ask
        refused = {
            "get": await ask("GET", "/in", bearer="hook-token"),
            "no token": await post(served, said("hi"), bearer=""),
            "operator's token": await ask("POST", "/in", said("hi")),
            "user's token": await post(served, said("hi"), bearer="ana-token"),
            "no json type": await post(served, said("hi"), Content_Type="text/plain"),
            "too large": await post(served, said("x" * 1_100_000)),
            "no json": await post(served, None, body=b"{"),
            "a list": await post(served, [said("hi")]),
            "no text": await post(served, {"conversation": "c1"}),
            "blank": await post(served, said("  ")),
            "no talk": await post(served, {"text": "hi"}),
            "a number as text": await post(served, said("hi") | {"text": 7}),
            "true as a talk": await post(served, said("hi", conversation=True)),
            "long talk": await post(served, said("hi", conversation="c" * 201)),
            "long key": await post(served, said("hi"), X_Idempotency_Key="k" * 201),
            "half a pair": await post(served, None, body=b'{"text": "\\ud800"}'),
            "deep": await post(served, None, body=b"[" * 70 + b"]" * 70),
            "token in the query": await ask("POST", "/in?token=hook-token", said("hi"), bearer=""),
            "a query": await ask("POST", "/in?a=1", said("hi"), bearer="hook-token"),
            "below": await ask("POST", "/in/more", said("hi")),
            "other host": await post(served, said("hi"), Host="evil.example.org"),
            "other page": await post(served, said("hi"), Origin="https://evil.example.org"),
        }
        waiting = await served.world.runtime.waiting()

    assert {name: (answer.status, answer.code) for name, answer in refused.items()} == {
        "get": (405, "wrong_method"),
        "no token": (401, "no_token"),
        "operator's token": (401, "wrong_token"),
        "user's token": (401, "wrong_token"),
        "no json type": (415, "wrong_type"),
        "too large": (413, "too_large"),
        "no json": (400, "not_json"),
        "a list": (400, "wrong_shape"),
        "no text": (400, "wrong_field"),
        "blank": (400, "wrong_field"),
        "no talk": (400, "wrong_field"),
        "a number as text": (400, "wrong_field"),
        "true as a talk": (400, "wrong_field"),
        "long talk": (400, "wrong_field"),
        "long key": (400, "wrong_header"),
        "half a pair": (400, "bad_text"),
        "deep": (400, "too_deep"),
        "token in the query": (401, "no_token"),
        "a query": (400, "unknown_parameter"),
        "below": (404, "not_found"),
        "other host": (421, "wrong_host"),
        "other page": (403, "wrong_origin"),
    }
    assert refused["get"].headers["allow"] == "POST"
    assert refused["no talk"].json["error"]["path"] == "conversation"
    assert [each["unanswered"] + each["undelivered"] for each in waiting] == [0]


async def test_the_token_of_a_webhook_opens_its_path_alone(tmp_path: Path) -> None:
    async with open_served(tmp_path, hooked(path="/hooks/in")) as served:
        answers = [
            await served.client.ask(method, path, bearer="hook-token")
            for method, path in (
                ("GET", "/v1/brains"),
                ("POST", "/v1/messages"),
                ("GET", "/metrics"),
                ("GET", "/hooks"),
            )
        ]

    assert [answer.code for answer in answers] == ["wrong_token"] * 4


async def test_the_members_of_the_sender_are_read_where_the_mapping_says(tmp_path: Path) -> None:
    mapping = {
        "conversation": "/issue/number",
        "text": "/comments/1/a~1b",
        "sender": "user",
        "message_id": "/id",
    }
    value = {
        "issue": {"number": 42},
        "comments": [{}, {"a/b": "hello"}],
        "user": 7,
        "id": 1001,
        "text": "not this",
    }

    async with both(tmp_path, ["Hi."], mapping=mapping) as (served, receiver):
        answers = [await post(served, value) for _ in range(2)]
        wrong = await post(served, {**value, "id": 3, "comments": [{}, {"a/b": None}]})
        body = (await receiver.until(1))[0].body
        prompt = served.world.model.requests[0].messages[-1].text

    told = {name: body[name] for name in ("conversation", "sender", "in_reply_to", "text")}
    assert told == {"conversation": "42", "sender": "7", "in_reply_to": "1001", "text": "Hi."}
    assert prompt == "hello"
    assert [answer.json["status"] for answer in answers] == ["accepted", "repeated"]
    assert (wrong.status, wrong.json["error"]["path"]) == (400, "/comments/1/a~1b")


async def test_a_message_without_a_sender_comes_from_the_channel_by_its_name(
    tmp_path: Path,
) -> None:
    async with both(tmp_path, ["Hi."]) as (served, receiver):
        await post(served, {"conversation": "c1", "text": "hi"})
        body = (await receiver.until(1))[0].body

    assert body["sender"] == "hook"


async def test_a_repeat_is_told_as_one_and_answered_once(tmp_path: Path) -> None:
    async with both(tmp_path, ["One.", "Two."]) as (served, receiver):
        first = await asyncio.gather(
            *(post(served, said("hi"), X_Idempotency_Key="same") for _ in range(5))
        )
        other = await post(served, said("hi"), X_Idempotency_Key="another")
        taken = await receiver.until(2)
        dropped = await served.world.events("type", "outcome", "channel")

    statuses = sorted(answer.json["status"] for answer in first)
    assert statuses == ["accepted", *["repeated"] * 4]
    assert {answer.status for answer in (*first, other)} == {202}
    assert [each.body["text"] for each in taken] == ["One.", "Two."]
    assert dropped.count(("message_dropped", "repeated", "hook")) == 4


@pytest.mark.proves("P7")
async def test_operators_and_trusted_decide_what_a_sender_may(tmp_path: Path) -> None:
    async with open_receiver() as receiver:
        document = grant(hooked(receiver.url), "memory_note", "allow")
        async with open_served(tmp_path, document, ["Hello.", "Hello."]) as served:
            await post(served, said("/notes clear", sender="boss", conversation="a"))
            await post(served, said("/notes clear", sender="ana", conversation="b"))
            await post(served, said("hi", sender="ana", conversation="c"))
            await post(served, said("hi", sender="stranger", conversation="d"))
            taken = await receiver.until(4)
            asked = len(served.world.model.requests)
            tainted = {talk: await _is_tainted(served, talk) for talk in ("c", "d")}

    codes = {each.body["conversation"]: each.body["code"] for each in taken}
    assert codes == {"a": "ok", "b": "not_permitted", "c": "", "d": ""}
    assert asked == 2
    assert tainted == {"c": False, "d": True}


async def _is_tainted(served: Served, talk: str) -> bool:
    def look(rows: Any) -> bool:
        turns = rows.turns(rows.conversation_id("hook", talk), 1, limit=9, may_read_private=True)
        return any(turn.is_tainted for turn in turns)

    return await served.world.runtime.store.read(look)


class Held:
    """A model that answers only when it is let."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.may_answer = asyncio.Event()


def held_model(held: Held, replies: list[str]) -> ScriptedModel:
    class Waiting(ScriptedModel):
        async def chat(self, request: ChatRequest) -> Any:
            held.begun.set()
            await held.may_answer.wait()
            async for delta in super().chat(request):
                yield delta

    return Waiting(replies, clock=FakeClock(), name="ollama/llama3.2")


async def test_too_much_that_waits_is_refused_and_nothing_of_it_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailroom, "MOST_OF_A_TALK", 2)
    monkeypatch.setattr(mailroom, "MOST_WAITING", 3)
    held = Held()
    model = held_model(held, ["One."] * 9)

    async with open_receiver() as receiver:
        document = hooked(receiver.url)
        async with open_served(tmp_path, document, model=model) as served:
            kept = [await post(served, said("hi")) for _ in range(2)]
            busy = await post(served, said("hi"), X_Idempotency_Key="k")
            kept.append(await post(served, said("hi", conversation="c2")))
            full = await post(served, said("hi", conversation="c3"), X_Idempotency_Key="l")
            held.may_answer.set()
            await receiver.until(3)
            again = [await post(served, said("hi"), X_Idempotency_Key=key) for key in "kl"]
            await receiver.until(5)
            events = await served.world.events("type", "outcome")

    assert [answer.status for answer in (*kept, *again)] == [202] * 5
    assert [(answer.status, answer.code) for answer in (busy, full)] == [
        (503, "busy"),
        (503, "outbox_full"),
    ]
    assert [answer.headers["retry-after"] for answer in (busy, full)] == ["10", "60"]
    assert [outcome for kind, outcome in events if kind == "message_dropped"] == ["busy", "full"]


async def test_a_command_does_not_wait_behind_an_answer(tmp_path: Path) -> None:
    held = Held()
    model = held_model(held, ["One."])

    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), model=model) as served,
    ):
        await post(served, said("hi"))
        await held.begun.wait()
        await post(served, said("/help"))
        first = await receiver.until(1)
        held.may_answer.set()
        taken = await receiver.until(2)

    assert first[0].body["outcome"] == "command"
    assert [each.body["outcome"] for each in taken] == ["command", "answered"]


async def test_no_more_than_a_few_exchanges_run_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailroom, "AT_ONCE", 2)
    running, most, held = 0, 0, Held()

    class Counting(ScriptedModel):
        async def chat(self, request: ChatRequest) -> Any:
            nonlocal running, most
            running += 1
            most = max(most, running)
            if running == 2:
                held.begun.set()
            await held.may_answer.wait()
            async for delta in super().chat(request):
                yield delta
            running -= 1

    model = Counting(["Hi."] * 8, clock=FakeClock(), name="ollama/llama3.2")
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), model=model) as served,
    ):
        for number in range(8):
            await post(served, said("hi", conversation=f"c{number}"))
        async with asyncio.timeout(20):
            await held.begun.wait()
        waiting = (await served.world.runtime.waiting())[0]["unanswered"]
        held.may_answer.set()
        await receiver.until(8)

    assert (waiting, most) == (8, 2)


async def test_the_document_has_the_path_with_its_answers(tmp_path: Path) -> None:
    async with open_served(tmp_path, hooked(path="/hooks/in")) as served:
        document = (await served.client.ask("GET", "/openapi.json")).json

    operation = document["paths"]["/hooks/in"]["post"]
    assert operation["summary"] == "Accept a message for the channel hook."
    assert set(operation["responses"]) == {"202", "default"}
    assert operation["requestBody"]["content"]["application/json"]["schema"]["required"] == [
        "conversation",
        "text",
    ]


async def test_the_paths_that_a_webhook_may_not_have_are_those_of_the_server(
    tmp_path: Path,
) -> None:
    async with open_served(tmp_path) as served:
        document = (await served.client.ask("GET", "/openapi.json")).json

    first = {f"/{path.split('/')[1]}" for path in document["paths"]} - {"/"}
    assert first | {"/page"} == {*BUILT_IN_PATHS, *BUILT_IN_FOLDERS}
