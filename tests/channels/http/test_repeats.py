"""The same message again over a real socket: who leaves while it waits may send it again."""

import asyncio
from pathlib import Path

from tests.channels.http.client import Served, open_served
from tests.channels.http.test_messages import message
from tests.flows.test_repeats import one_ahead, said


async def recorded(served: Served, kind: str, count: int) -> None:
    """Return when so many events of this kind are on record."""
    async with asyncio.timeout(20):
        while (await served.world.events("type")).count((kind,)) < count:  # noqa: ASYNC110 - it is in the store
            await asyncio.sleep(0)


async def test_who_left_while_the_message_waited_gets_its_answer_under_the_same_key_once(
    tmp_path: Path,
) -> None:
    key = {"X_Idempotency_Key": "message-2"}
    async with open_served(tmp_path, replies=["One.", "Two."]) as served:
        client, second = served.client, message("second")
        async with one_ahead(served.world, channel="http"):
            _, writer = await client.connect()
            writer.write(
                client.request("POST", "/v1/messages", second, Accept="text/event-stream", **key)
            )
            await writer.drain()
            await recorded(served, "message_received", 2)
            writer.close()
            await recorded(served, "exchange_cancelled", 1)
        answers = [await client.ask("POST", "/v1/messages", second, **key) for _ in range(2)]
        turns = await said(served.world, channel="http")
        events = await served.world.events("type", "outcome", "exchange")

    replies = [answer.json for answer in answers]
    assert [(each["outcome"], each["text"]) for each in replies] == [
        ("answered", "Two."),
        ("repeated", ""),
    ]
    assert turns == [
        ("user", "first"),
        ("user", "second"),
        ("assistant", "One."),
        ("assistant", "Two."),
    ]
    of_it = [event[:2] for event in events if event[2] == replies[0]["exchange_id"]]
    assert [event for event in of_it if event[0] != "model_called"] == [
        ("message_received", None),
        ("exchange_cancelled", "waiting"),
        ("message_received", None),
        ("reply_sent", "answered"),
    ]
