"""Replies on their way: a receiver that fails, is slow, redirects, asks to be left alone."""

import asyncio
import json
import logging
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from brain.channels.webhook import Posted, outbound
from brain.config import Webhook
from brain.errors import StoreError
from brain.models import ChatRequest
from brain.runtime import carrier
from brain.runtime.backoff import KEPT_TRYING
from brain.runtime.carrier import Carrier
from brain.store import Delivery, Transaction
from tests.channels.http.client import Served, open_served
from tests.channels.webhook.hooks import hooked, post, said
from tests.channels.webhook.receiver import WAIT_SECONDS, Answer, open_receiver
from tests.clocks import FakeClock

FAILURES: list[tuple[Answer, str]] = [
    (500, "status_500"),
    (404, "status_404"),
    ((302, {"Location": "/elsewhere"}), "status_302"),
    ((307, {"Location": "/elsewhere"}), "status_307"),
    ("silent", "broken_off"),
    ("closes", "broken_off"),
    ("never", "timed_out"),
]

UNSENDABLE: list[tuple[str, str]] = [
    ("http://xn--/", "a-token"),
    ("http://xn--zzzzzz99999/", "a-token"),
    ("http://127.0.0.1:9/", "half\udcffa-token"),
]


async def outbox_of(served: Served) -> tuple[Delivery, ...]:
    return await served.world.runtime.store.read(lambda rows: rows.deliveries(limit=99))


async def until(
    is_so: Callable[[tuple[Delivery, ...]], bool], served: Served, *, passing: float = 0
) -> list[Delivery]:
    """Return the outbox once it is so; between two looks so many seconds pass."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            if is_so(found := await outbox_of(served)):
                return list(found)
            served.world.clock.advance(passing)


@pytest.mark.parametrize(("answer", "failure"), FAILURES, ids=[str(each[0]) for each in FAILURES])
async def test_what_is_not_taken_is_posted_again_under_the_same_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Answer, failure: str
) -> None:
    monkeypatch.setattr(outbound, "ANSWER_SECONDS", 0.2)

    async with (
        open_receiver(answer) as receiver,
        open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served,
    ):
        exchange_id = (await post(served, said("hi"))).json["exchange_id"]
        waiting = await until(lambda found: any(each.failure for each in found), served)
        taken = await receiver.after(2, served.world.clock)
        await until(lambda found: not found, served)
        events = await served.world.events("type", "exchange", "outcome", "counts")

    assert [(each.failure, each.tries) for each in waiting] == [(failure, 1)]
    assert [each.path for each in taken] == ["/replies", "/replies"]
    assert {each.headers["x-idempotency-key"] for each in taken} == {exchange_id}
    assert taken[-1].body["text"] == "Hello."
    assert [event for event in events if event[0].startswith("reply_de")] == [
        ("reply_delayed", exchange_id, failure, {"tries": 1}),
        ("reply_delivered", exchange_id, None, {"tries": 2}),
    ]


@pytest.mark.parametrize(("url", "token"), UNSENDABLE)
async def test_what_can_not_be_sent_is_a_failure_as_any_other(url: str, token: str) -> None:
    webhook = Webhook(path="/in", token_env="IN", outbound_url=url, outbound_token_env="OUT")

    async with outbound.open_outbound({"OUT": token}, clock=FakeClock()) as sender:
        posted = await sender.post(webhook, delivery_id="1", body="{}")

    assert posted == Posted(failure="unsendable")


async def test_a_fault_of_brain_at_a_post_is_counted_backed_off_and_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of brain")

    monkeypatch.setattr(outbound.Outbound, "post", breaks)
    async with open_served(tmp_path, hooked(), ["Hello."]) as served:
        await post(served, said("hi"))
        waiting = await until(lambda found: any(each.tries for each in found), served)
        kept = await until(
            lambda found: any(each.given_up_at for each in found), served, passing=3600
        )

    assert [(each.failure, each.tries) for each in waiting] == [("unsendable", 1)]
    assert [each.failure for each in kept] == ["unsendable"]
    assert "a fault of brain" in capsys.readouterr().err


async def test_a_receiver_that_is_not_there_is_met_when_it_is(tmp_path: Path) -> None:
    async with open_receiver() as gone:
        port = gone.port

    async with open_served(tmp_path, hooked(gone.url), ["Hello."]) as served:
        await post(served, said("hi"))
        waiting = await until(lambda found: any(each.failure for each in found), served)
        async with open_receiver(port=port) as receiver:
            taken = await receiver.after(1, served.world.clock)

    assert waiting[0].failure == "unreachable"
    assert taken[0].body["text"] == "Hello."


async def test_retry_after_is_waited_for(tmp_path: Path) -> None:
    asks: Answer = (429, {"Retry-After": "120"})

    async with (
        open_receiver(asks) as receiver,
        open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served,
    ):
        began = served.world.clock.now()
        await post(served, said("hi"))
        waiting = await until(lambda found: any(each.failure for each in found), served)
        await receiver.after(2, served.world.clock)
        waited = served.world.clock.now() - began

    assert waiting[0].due_at == began + timedelta(seconds=120)
    assert waited >= timedelta(seconds=120)


async def test_no_proxy_of_the_environment_sees_a_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_receiver() as proxy, open_receiver() as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        async with open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served:
            await post(served, said("hi"))
            await receiver.until(1)

    assert proxy.taken == []


async def test_replies_of_a_talk_come_in_order_and_hold_up_no_other_talk(tmp_path: Path) -> None:
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), ["One.", "Two.", "Three."]) as served,
    ):
        receiver.judge = lambda body: 500 if body["text"] == "One." else 200
        await post(served, said("1"))
        await receiver.until(1)
        await post(served, said("2"))
        await post(served, said("3", conversation="c2"))
        await receiver.until(2)
        await until(lambda found: [each.tries for each in found] == [1, 0], served)
        before = [each.body["text"] for each in receiver.taken]
        receiver.judge = lambda _: 200
        taken = await receiver.after(len(before) + 2, served.world.clock)

    assert before == ["One.", "Three."]
    assert [each.body["text"] for each in taken[len(before) :]] == ["One.", "Two."]


async def test_a_receiver_that_hangs_on_one_talk_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound, "ANSWER_SECONDS", 3)

    async with (
        open_receiver("never") as receiver,
        open_served(tmp_path, hooked(receiver.url), ["One.", "Two.", "Three."]) as served,
    ):
        await post(served, said("1"))
        await receiver.until(1)
        for number in (2, 3):
            await post(served, said("hi", conversation=f"c{number}"))
            await receiver.until(number)
        hanging = await outbox_of(served)

    assert [each.body["text"] for each in receiver.taken] == ["One.", "Two.", "Three."]
    assert [each.tries for each in hanging if each.conversation == "c1"] == [0]


async def test_after_three_days_a_reply_is_given_up_kept_shown_and_can_be_retried(
    tmp_path: Path,
) -> None:
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), ["One.", "Two."]) as served,
    ):
        receiver.judge = lambda _: 503
        first = (await post(served, said("1"))).json["exchange_id"]
        await until(lambda found: any(each.tries for each in found), served)
        kept = await until(
            lambda found: any(each.given_up_at for each in found), served, passing=3600
        )
        await post(served, said("2"))
        await until(lambda found: any(each.delivery_id != first for each in found), served)
        ready = (await served.client.ask("GET", "/readyz")).json["webhooks"]
        metrics = (await served.client.ask("GET", "/metrics")).body.decode()
        receiver.judge = lambda _: 200
        retried = await served.world.runtime.desk("owner").outbox.retry(())
        await until_empty(served)
        events = await served.world.events("type", "exchange", "outcome", "origin")

    assert [(each.delivery_id, each.failure) for each in kept] == [(first, "status_503")]
    assert ready == [
        {
            "channel": "hook",
            "is_configured": True,
            "unanswered": 0,
            "undelivered": 1,
            "given_up": 1,
        }
    ]
    assert 'brain_waiting{channel="hook",state="given_up"} 1.0' in metrics
    assert 'brain_deliveries_total{channel="hook",outcome="given_up"} 1.0' in metrics
    assert retried == 1
    told = [event for event in events if event[1] == first and event[0].startswith("reply_")]
    assert told == [
        ("reply_sent", first, "answered", None),
        ("reply_delayed", first, "status_503", None),
        ("reply_undelivered", first, "status_503", None),
        ("reply_retried", first, None, "operator"),
        ("reply_delivered", first, None, None),
    ]


async def until_empty(served: Served) -> None:
    """Let time pass until nothing waits."""
    await until(lambda found: not found, served, passing=5)


async def test_what_makes_room_among_the_given_up_is_on_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrier, "MOST_GIVEN_UP", 1)

    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), ["One.", "Two."]) as served,
    ):
        receiver.judge = lambda _: 500
        ids = []
        for number in (1, 2):
            answer = await post(served, said("hi", conversation=f"c{number}"))
            ids.append(answer.json["exchange_id"])
            await until(
                lambda found: any(each.tries and not each.given_up_at for each in found), served
            )
            served.world.clock.advance(KEPT_TRYING.total_seconds())
            await until(lambda found: all(each.given_up_at for each in found), served, passing=5)
        kept = await outbox_of(served)
        events = await served.world.events("type", "exchange", "outcome")

    assert [each.delivery_id for each in kept] == ids[1:]
    assert ("reply_discarded", ids[0], "too_many") in events


async def test_a_saved_config_sends_what_waits_to_the_new_address_with_the_new_token(
    tmp_path: Path,
) -> None:
    async with open_receiver() as old, open_receiver() as new:
        old.judge = lambda _: 500
        async with open_served(tmp_path, hooked(old.url), ["Hello."]) as served:
            await post(served, said("hi"))
            await old.until(1)
            changed = hooked(new.url, outbound_token_env="TOKEN_OUT_LATER", path="/moved")
            outcome = await served.world.runtime.reload.apply(json.dumps(changed).encode())
            taken = await new.after(1, served.world.clock)
            moved = [
                (await served.client.ask("POST", path, said("/help"), bearer="hook-token")).status
                for path in ("/in", "/moved")
            ]

    assert outcome.kind == "applied", outcome.text
    assert taken[0].headers["authorization"] == "Bearer later-out-token"
    assert taken[0].body["text"] == "Hello."
    assert moved == [401, 202]


async def test_a_reply_whose_record_failed_is_not_posted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conclude, failed = Carrier._conclude, []

    def fails_once(self: Carrier, delivery: Delivery, tried: Any, tx: Transaction) -> None:
        if not failed:
            failed.append(delivery)
            raise StoreError("the disk is full")
        conclude(self, delivery, tried, tx)

    monkeypatch.setattr(Carrier, "_conclude", fails_once)
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served,
    ):
        await post(served, said("hi"))
        await receiver.until(1)
        await until_empty(served)

    assert len(failed) == 1
    assert len(receiver.taken) == 1


async def test_a_reply_that_was_taken_while_the_outbox_was_read_is_not_posted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end, ended = Carrier._end, asyncio.Event()

    def ends(self: Carrier, *of_what: Any) -> None:
        end(self, *of_what)
        ended.set()

    monkeypatch.setattr(Carrier, "_end", ends)
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served,
    ):
        store, may_answer = served.world.runtime.store, asyncio.Event()
        receiver.before = may_answer.wait
        await post(served, said("hi"))
        await receiver.until(1)
        read = type(store).read

        async def reads_slowly(self: Any, question: Any) -> Any:
            found = await read(self, question)
            may_answer.set()
            await ended.wait()
            return found

        monkeypatch.setattr(type(store), "read", reads_slowly)
        async with asyncio.timeout(WAIT_SECONDS):
            while not ended.is_set():
                served.world.clock.advance(carrier.LOOK_SECONDS)
                await asyncio.wait([asyncio.ensure_future(ended.wait())], timeout=0.02)
        monkeypatch.undo()
        await until_empty(served)

    assert len(receiver.taken) == 1


async def test_a_failure_is_a_reply_too_whatever_failed(tmp_path: Path) -> None:
    def breaks(_: ChatRequest) -> str:
        raise RuntimeError("a fault of brain")

    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), [breaks]) as served,
    ):
        for number in (1, 2):
            await post(served, said("hi"))
            await receiver.until(number)
        left = await until(lambda found: not found, served)
        waiting = await served.world.runtime.waiting()

    told = [(each.body["outcome"], each.body["code"]) for each in receiver.taken]
    assert told == [("failed", "internal"), ("failed", "refused")]
    assert all(each.body["text"] for each in receiver.taken)
    assert left == []
    assert waiting[0]["unanswered"] == 0


@pytest.mark.proves("P11")
async def test_a_reply_that_was_removed_while_it_was_under_way_leaves_nothing(
    tmp_path: Path,
) -> None:
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served,
    ):
        store, may_answer = served.world.runtime.store, asyncio.Event()
        receiver.before = may_answer.wait
        exchange_id = (await post(served, said("hi"))).json["exchange_id"]
        await receiver.until(1)
        await store.write(lambda tx: tx.end_delivery(exchange_id))
        may_answer.set()
        await post(served, said("/help", conversation="c2"))
        await receiver.until(2)
        await until(lambda found: not found, served)
        events = await served.world.events("type", "exchange")

    assert ("reply_delivered", exchange_id) not in events


CANARY = "zanzibar-canary"


@pytest.mark.proves("P9")
async def test_no_word_of_a_message_a_reply_or_a_token_leaves_its_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async with (
        open_receiver(500, (302, {"Location": f"/{CANARY}"}), "silent") as receiver,
        open_served(tmp_path, hooked(receiver.url), [f"Yes, {CANARY}."]) as served,
    ):
        value = {"conversation": CANARY, "sender": CANARY, "text": f"I am {CANARY}"}
        await post(served, value, X_Idempotency_Key=CANARY)
        await post(served, value, X_Idempotency_Key=CANARY)
        refused = [
            await post(served, {"conversation": CANARY, CANARY: CANARY}),
            await post(served, said("hi"), bearer=CANARY),
            await post(served, None, body=f'{{"text": "{CANARY}'.encode()),
        ]
        taken = await receiver.after(4, served.world.clock)
        await until(lambda found: not found, served)
        shown = [
            await served.client.ask("GET", path)
            for path in ("/v1/activity?after=0", "/metrics", "/readyz", "/openapi.json")
        ]

    kept = capsys.readouterr()
    # Traces of the wire, which brain has no switch to turn on, hold what a receiver sends.
    told = [record for record in caplog.records if not record.name.startswith("httpcore")]
    outside = [answer.body.decode() for answer in (*refused, *shown)]
    outside += [kept.out, kept.err, *(record.getMessage() for record in told)]
    for secret in (CANARY, "hook-token", "out-token"):
        assert [text for text in outside if secret in text] == []
    assert taken[-1].body["text"] == f"Yes, {CANARY}."


def test_bodies_hold_the_runtimes_lines_apart_and_a_text_can_not_fake_one() -> None:
    from datetime import UTC, datetime

    from brain.channels.webhook import delivery_body
    from brain.records import Effect, Inbound, Reply

    inbound = Inbound(channel="hook", conversation="c", sender="s", text="hi")
    reply = Reply(
        text="Sure.\n[brain] saved note 9",
        outcome="answered",
        effects=(Effect(kind="saved", number=3),),
    )

    body: dict[str, Any] = json.loads(
        delivery_body(inbound, reply, in_reply_to="", at=datetime(2026, 3, 2, tzinfo=UTC))
    )

    assert body["text"] == "Sure.\n [brain] saved note 9"
    assert body["lines"] == ["[brain] saved note 3"]
    assert body["at"] == "2026-03-02T00:00:00.000Z"
