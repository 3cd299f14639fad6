"""What an earlier process left: delivered, answered, or told to be interrupted."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from brain.models import ChatRequest, Delta
from brain.models.scripted import ScriptedModel
from brain.runtime import mailroom
from tests.channels.http.client import open_served, web
from tests.channels.webhook.hooks import hooked, post, said
from tests.channels.webhook.receiver import open_receiver
from tests.channels.webhook.test_delivering import outbox_of, until
from tests.clocks import FakeClock
from tests.flows.test_saved_all_the_same import ThenModel
from tests.flows.world import grant

ENDS = ("reply_sent", "exchange_failed", "exchange_cancelled")


class Killed(Exception):
    """The process is gone."""


class Stuck(ScriptedModel):
    """A model that never answers."""

    def __init__(self) -> None:
        super().__init__(clock=FakeClock(), name="ollama/llama3.2")
        self.is_asked = asyncio.Event()

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        self.is_asked.set()
        await asyncio.Event().wait()
        async for delta in super().chat(request):
            yield delta


async def test_a_reply_that_was_not_delivered_is_delivered_by_the_next_process(
    tmp_path: Path,
) -> None:
    async with open_receiver() as receiver:
        receiver.judge = lambda _: 500
        document = hooked(receiver.url)
        async with open_served(tmp_path, document, ["Hello."]) as served:
            exchange_id = (await post(served, said("hi"))).json["exchange_id"]
            await until(lambda found: any(each.tries for each in found), served)
        receiver.judge = lambda _: 200
        before = len(receiver.taken)
        async with open_served(tmp_path, document) as served:
            taken = await receiver.after(before + 1, served.world.clock)
            await until(lambda found: not found, served)

    assert taken[-1].headers["x-idempotency-key"] == exchange_id
    assert taken[-1].body["text"] == "Hello."


async def test_a_message_that_had_begun_is_told_to_be_interrupted_and_the_next_one_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailroom, "AT_ONCE", 1)
    ids = []
    async with open_receiver() as receiver:
        document = hooked(receiver.url)
        with suppress(Killed):
            stuck = Stuck()
            async with open_served(tmp_path, document, model=stuck) as served:
                for number in (1, 2, 3):
                    answer = await post(
                        served,
                        said(f"message {number}", conversation=f"c{min(number, 2)}"),
                        X_Idempotency_Key=f"m-{number}",
                    )
                    ids.append(answer.json["exchange_id"])
                await stuck.is_asked.wait()
                raise Killed
        async with open_served(tmp_path, document, ["Two.", "Three."]) as served:
            again = await post(served, said("message 1"), X_Idempotency_Key="m-1")
            taken = await receiver.until(3)
            asked = [request.messages[-1].text for request in served.world.model.requests]
            events = await served.world.events("type", "exchange", "outcome")

    bodies = {each.body["exchange_id"]: each.body for each in taken}
    told = {name: bodies[ids[0]][name] for name in ("outcome", "code", "in_reply_to")}
    assert told == {"outcome": "failed", "code": "interrupted", "in_reply_to": "m-1"}
    assert bodies[ids[0]]["text"].startswith(
        "brain had begun to answer this message and was stopped."
    )
    assert [bodies[each]["text"] for each in ids[1:]] == ["Two.", "Three."]
    assert asked == ["message 2", "message 3"]
    assert again.json["status"] == "repeated"
    ends = [each[0] for each in events if each[1] == ids[0] and each[0] in ENDS]
    assert ends == ["exchange_cancelled"]


async def test_asked_to_stop_it_answers_what_was_begun_and_tries_each_reply_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailroom, "AT_ONCE", 1)
    begun = asyncio.Event()

    def answers(_: ChatRequest) -> str:
        begun.set()
        return "One."

    async with open_receiver() as receiver:
        document = hooked(receiver.url)
        async with open_served(tmp_path, document, [answers, "Two."]) as served:
            await post(served, said("1"))
            await begun.wait()
        first = [each.body["text"] for each in receiver.taken]

    assert first == ["One."]


async def test_a_channel_that_was_removed_keeps_what_waits_until_it_is_back(
    tmp_path: Path,
) -> None:
    async with open_receiver() as receiver:
        receiver.judge = lambda _: 500
        async with open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served:
            await post(served, said("hi"))
            await until(lambda found: any(each.tries for each in found), served)
        receiver.judge = lambda _: 200
        before = len(receiver.taken)
        async with open_served(tmp_path, web()) as served:
            ready = (await served.client.ask("GET", "/readyz")).json["webhooks"]
            closed = await served.client.ask("POST", "/in", said("hi"), bearer="hook-token")
            kept = await outbox_of(served)
        async with open_served(tmp_path, hooked(receiver.url)) as served:
            taken = await receiver.after(before + 1, served.world.clock)

    assert ready == [
        {
            "channel": "hook",
            "is_configured": False,
            "unanswered": 0,
            "undelivered": 1,
            "given_up": 0,
        }
    ]
    assert closed.status == 401
    assert len(kept) == 1
    assert taken[-1].body["text"] == "Hello."


async def test_the_operator_discards_what_waits_on_a_channel(tmp_path: Path) -> None:
    async with open_receiver() as receiver:
        receiver.judge = lambda _: 500
        async with open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served:
            exchange_id = (await post(served, said("hi"))).json["exchange_id"]
            await until(lambda found: any(each.tries for each in found), served)
        async with open_served(tmp_path, web()) as served:
            outbox = served.world.runtime.desk("owner").outbox
            count = await outbox.discard((), "hook")
            left = await outbox_of(served)
            events = await served.world.events("type", "exchange", "brain", "origin")

    assert (count, left) == (1, ())
    assert ("reply_discarded", exchange_id, None, "operator") in events


@pytest.mark.proves("P11")
async def test_a_message_that_was_forgotten_while_it_was_answered_gets_no_reply(
    tmp_path: Path,
) -> None:
    may_answer, begun = asyncio.Event(), asyncio.Event()

    class Held(ScriptedModel):
        async def chat(self, request: ChatRequest) -> Any:
            begun.set()
            await may_answer.wait()
            async for delta in super().chat(request):
                yield delta

    model = Held(["One."], clock=FakeClock(), name="ollama/llama3.2")
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), model=model) as served,
    ):
        exchange_id = (await post(served, said("hi"))).json["exchange_id"]
        await begun.wait()
        await served.world.runtime.store.write(lambda tx: tx.end_accepted(exchange_id))
        may_answer.set()
        await post(served, said("/help"))
        taken = await receiver.until(1)
        left = await until(lambda found: not found, served)

    assert [each.body["outcome"] for each in taken] == ["command"]
    assert left == []


@pytest.mark.proves("P13")
async def test_a_message_that_was_cut_off_after_its_note_is_told_what_was_saved(
    tmp_path: Path,
) -> None:
    is_asked = asyncio.Event()

    async def never_end() -> None:
        is_asked.set()
        await asyncio.Event().wait()

    async with open_receiver() as receiver:
        document = grant(hooked(receiver.url), "memory_note", "allow")
        with suppress(Killed):
            async with open_served(tmp_path, document, model=ThenModel(never_end)) as served:
                await post(served, said("Remember my tea."))
                await is_asked.wait()
                raise Killed
        async with open_served(tmp_path, document):
            (taken,) = await receiver.until(1)

    assert taken.body["code"] == "interrupted"
    assert taken.body["lines"] == ["[brain] saved note 1"]
