"""A stop tries what is left once, whatever the receiver or the disk does, and is over in time."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from brain.channels.webhook import outbound
from brain.errors import StoreError
from brain.runtime import mailroom
from brain.runtime.carrier import Carrier
from brain.store import Delivery, Transaction
from tests.channels.http.client import open_served
from tests.channels.webhook.hooks import hooked, post, said
from tests.channels.webhook.receiver import WAIT_SECONDS, open_receiver
from tests.channels.webhook.test_delivering import outbox_of, until

DOCS = Path(__file__).parents[3] / "docs" / "webhook.md"

NO_DATES = [
    "+99999999999 Dec a 23:59:59 -0000",
    "99 Nov 23:59:59 (x) -99999999999999",
    "Nov -99999999999999 2026 23:59:59",
]


def full_disk(self: Carrier, *_: object) -> None:
    raise StoreError("the disk is full")


@pytest.mark.parametrize("asked", NO_DATES)
async def test_a_retry_after_that_is_no_moment_leaves_a_failure_as_any_other(
    tmp_path: Path, asked: str
) -> None:
    async with (
        open_receiver((503, {"Retry-After": asked})) as receiver,
        open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served,
    ):
        await post(served, said("hi"))
        waiting = await until(lambda found: any(each.failure for each in found), served)
        taken = await receiver.after(2, served.world.clock)

    assert [(each.failure, each.tries) for each in waiting] == [("status_503", 1)]
    assert len(taken) == 2


async def test_a_stop_posts_a_reply_once_also_where_nothing_can_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Carrier, "_put_off", full_disk)

    async with open_receiver() as receiver:
        receiver.judge = lambda _: 503
        async with (
            asyncio.timeout(WAIT_SECONDS),
            open_served(tmp_path, hooked(receiver.url), ["One.", "Two."]) as served,
        ):
            for number in (1, 2):
                await post(served, said("hi", conversation=f"c{number}"))
                await receiver.until(number)

    assert sorted(each.body["text"] for each in receiver.taken) == ["One.", "Two."]


async def test_a_stop_tries_once_what_a_fault_of_brain_keeps_from_being_posted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    async def breaks(_: Carrier, delivery: Delivery) -> None:
        tried.append(delivery.delivery_id)
        raise RuntimeError("a fault of brain")

    monkeypatch.setattr(Carrier, "_try", breaks)
    async with (
        asyncio.timeout(WAIT_SECONDS),
        open_served(tmp_path, hooked(), ["Hello."]) as served,
    ):
        await post(served, said("hi"))
        while not tried:
            await outbox_of(served)

    assert len(tried) == 2, "once before the stop, once at it"


async def test_while_nothing_can_be_recorded_a_reply_is_not_posted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_off, failed = Carrier._put_off, list[str]()

    def fails_thrice(self: Carrier, delivery: Delivery, posted: object, tx: Transaction) -> None:
        if len(failed) < 3:
            failed.append(delivery.delivery_id)
            raise StoreError("the disk is full")
        put_off(self, delivery, posted, tx)  # type: ignore[arg-type]

    monkeypatch.setattr(Carrier, "_put_off", fails_thrice)
    async with (
        open_receiver(503) as receiver,
        open_served(tmp_path, hooked(receiver.url), ["Hello."]) as served,
    ):
        await post(served, said("hi"))
        await receiver.until(1)
        waiting = await until(lambda found: any(each.tries for each in found), served, passing=5)
        posts = len(receiver.taken)

    assert (len(failed), posts) == (3, 1)
    assert [(each.failure, each.tries) for each in waiting] == [("status_503", 1)]


async def test_receivers_that_hang_hold_up_a_stop_for_as_long_as_the_docs_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound, "ANSWER_SECONDS", 1000)

    async with open_receiver("never", "never") as receiver, AsyncExitStack() as stack:
        entering = open_served(tmp_path, hooked(receiver.url), ["One.", "Two."])
        served = await stack.enter_async_context(entering)
        for number in (1, 2):
            await post(served, said("hi", conversation=f"c{number}"))
            await receiver.until(number)
        began = served.world.clock.monotonic()
        told = asyncio.Event()
        stop = Carrier.stop
        monkeypatch.setattr(Carrier, "stop", lambda self, *, at: (stop(self, at=at), told.set()))
        stopping = asyncio.create_task(stack.aclose())
        async with asyncio.timeout(WAIT_SECONDS):
            await told.wait()
            while not stopping.done():
                served.world.clock.advance(0.5)
                await asyncio.wait([stopping], timeout=0.02)
        await stopping

    assert served.world.clock.monotonic() - began == pytest.approx(mailroom.STOP_SECONDS, abs=2)
    docs = " ".join(DOCS.read_text(encoding="utf-8").split())
    assert f"cut off after {mailroom.FINISH_SECONDS:.0f} seconds" in docs
    assert f"over after {mailroom.STOP_SECONDS:.0f} seconds at most" in docs
