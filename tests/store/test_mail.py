"""What waits in the store: accepted messages and undelivered replies. Of every kind of store."""

from datetime import datetime, timedelta
from typing import Any

from brain.store import Accepted, Delivery, Store, Transaction, Waiting
from tests.clocks import FakeClock

NOW = FakeClock().now()


def an_accepted(exchange_id: str, conversation: str = "c1", **more: Any) -> Accepted:
    values: dict[str, Any] = {"channel": "hook", "sender": "ana", "message_id": "", "text": "hi"}
    return Accepted(exchange_id=exchange_id, conversation=conversation, at=NOW, **(values | more))


def a_delivery(
    delivery_id: str, conversation: str = "c1", *, due_at: datetime = NOW, **more: Any
) -> Delivery:
    values: dict[str, Any] = {"channel": "hook", "sender": "ana", "body": f'"{delivery_id}"'}
    return Delivery(
        delivery_id=delivery_id,
        conversation=conversation,
        at=NOW,
        due_at=due_at,
        expires_at=NOW + timedelta(days=3),
        **(values | more),
    )


async def test_accepted_messages_are_kept_in_the_order_in_which_they_came(store: Store) -> None:
    messages = [an_accepted("x1"), an_accepted("x2", "c2", message_id="m"), an_accepted("x3")]

    def change(tx: Transaction) -> bool:
        for message in messages:
            tx.accept(message)
        tx.begin_accepted("x3")
        return tx.end_accepted("x1")

    assert await store.write(change)
    assert not await store.write(lambda tx: tx.end_accepted("x1"))
    left = await store.read(lambda rows: rows.accepted(limit=9))
    assert left == (messages[1], an_accepted("x3", has_begun=True))
    assert await store.read(lambda rows: rows.accepted_in("hook", "c1")) == 1
    assert await store.read(lambda rows: [rows.is_accepted(each) for each in ("x1", "x2")]) == [
        False,
        True,
    ]


async def test_the_next_deliveries_are_the_first_of_each_talk(store: Store) -> None:
    later = NOW + timedelta(minutes=1)

    def change(tx: Transaction) -> None:
        tx.add_delivery(a_delivery("a1", due_at=later))
        tx.add_delivery(a_delivery("a2"))
        tx.add_delivery(a_delivery("b1", "c2"))
        tx.add_delivery(a_delivery("other", channel="desk"))

    await store.write(change)

    async def next_ids() -> list[str]:
        found = await store.read(lambda rows: rows.next_deliveries("hook", limit=9))
        return [each.delivery_id for each in found]

    first = await next_ids()
    await store.write(lambda tx: tx.give_up("a1", failure="status_500"))
    after = await next_ids()
    await store.write(lambda tx: tx.take_up_again("a1", expires_at=NOW + timedelta(days=9)))
    again = await next_ids()

    assert (first, after, again) == (["b1", "a1"], ["a2", "b1"], ["a1", "b1"])


async def test_a_try_is_counted_and_what_is_gone_is_told(store: Store, clock: FakeClock) -> None:
    later = NOW + timedelta(minutes=1)
    await store.write(lambda tx: tx.add_delivery(a_delivery("a1")))
    await store.write(lambda tx: tx.put_off("a1", failure="unreachable", due_at=later))
    await store.write(lambda tx: tx.give_up("a1", failure="status_404"))

    found = await store.read(lambda rows: rows.deliveries(limit=9))
    gone = await store.write(
        lambda tx: (
            tx.end_delivery("a1"),
            tx.end_delivery("a1"),
            tx.put_off("a1", failure="x", due_at=later),
            tx.give_up("a1", failure="x"),
            tx.take_up_again("a1", expires_at=later),
        )
    )

    assert found == (
        a_delivery("a1", due_at=later, tries=2, failure="status_404", given_up_at=clock.now()),
    )
    assert gone == (True, False, False, False, False)


async def test_the_oldest_that_were_given_up_are_those_beyond_the_newest(
    store: Store, clock: FakeClock
) -> None:
    for name in ("a1", "a2", "a3"):
        await store.write(lambda tx, name=name: tx.add_delivery(a_delivery(name)))
        await store.write(lambda tx, name=name: tx.give_up(name, failure="x"))
        clock.advance(60)

    found = await store.write(
        lambda tx: [
            [each.delivery_id for each in tx.oldest_given_up("hook", beyond=beyond)]
            for beyond in (3, 1, 0)
        ]
    )

    assert found == [[], ["a2", "a1"], ["a3", "a2", "a1"]]


async def test_what_waits_is_counted_by_channel(store: Store) -> None:
    assert await store.read(lambda rows: rows.waiting()) == ()

    def change(tx: Transaction) -> None:
        tx.accept(an_accepted("x1"))
        tx.add_delivery(a_delivery("a1"))
        tx.add_delivery(a_delivery("a2", channel="desk"))
        tx.give_up("a2", failure="x")

    await store.write(change)

    assert await store.read(lambda rows: rows.waiting()) == (
        Waiting(channel="desk", given_up=1),
        Waiting(channel="hook", unanswered=1, undelivered=1),
    )
