"""GET /v1/activity: a page of the record, and the feed that goes on."""

import json
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.channels.http.client import open_served

HI = {"conversation": "main", "text": "hi"}


async def test_a_page_of_events_begins_behind_after_and_says_where_the_head_is(
    tmp_path: Path,
) -> None:
    async with open_served(tmp_path, replies=["Hello."]) as served:
        await served.client.ask("POST", "/v1/messages", HI)
        first = (await served.client.ask("GET", "/v1/activity?after=0&limit=2")).json
        newest = (await served.client.ask("GET", "/v1/activity?limit=2")).json
        sent = (await served.client.ask("GET", "/v1/activity?type=reply_sent,note_stored")).json

    head = first["head"]
    assert [event["seq"] for event in first["events"]] == [1, 2]
    assert [event["seq"] for event in newest["events"]] == [head - 1, head]
    assert [event["type"] for event in sent["events"]] == ["reply_sent"]


@pytest.mark.proves("P9")
async def test_the_feed_goes_on_and_catches_up_without_a_gap(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["One.", "Two.", "Three."]) as served:
        async with served.client.stream("/v1/activity?after=0") as stream:
            await served.client.ask("POST", "/v1/messages", HI)
            before = await stream.events(4)
        await served.client.ask("POST", "/v1/messages", HI)
        last = before[-1]["id"]
        async with served.client.stream("/v1/activity?after=0", Last_Event_ID=last) as stream:
            await served.client.ask("POST", "/v1/messages", HI)
            after = await stream.events(4)
        rows = await served.world.events("seq", "type")

    frames = [*before, *after]
    assert stream.status == 200
    assert stream.headers["x-accel-buffering"] == "no"
    assert {frame["event"] for frame in frames} == {"event"}
    assert [int(frame["id"]) for frame in frames] == list(range(1, 9))
    told = [json.loads(frame["data"]) for frame in frames]
    assert [(event["seq"], event["type"]) for event in told] == rows[:8]


async def test_a_quiet_feed_shows_every_15_seconds_that_it_is_alive(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served, served.client.stream("/v1/activity") as stream:
        first = await stream.frame()
        served.clock.advance(15)
        beat = await stream.frame()

    assert first == {"retry": "2000"}
    assert beat == {"": "alive"}


async def test_a_feed_of_one_type_holds_no_other(tmp_path: Path) -> None:
    async with (
        open_served(tmp_path, replies=["One."]) as served,
        served.client.stream("/v1/activity?after=0&type=reply_sent") as stream,
    ):
        await served.client.ask("POST", "/v1/messages", HI)
        (frame,) = await stream.events(1)

    assert json.loads(frame["data"])["type"] == "reply_sent"


async def test_fifty_readers_get_every_event_in_order(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(open_served(tmp_path, replies=["Hi."] * 5))
        streams = [
            await stack.enter_async_context(served.client.stream("/v1/activity?after=0"))
            for _ in range(50)
        ]
        for _ in range(5):
            await served.client.ask("POST", "/v1/messages", HI)
        head = (await served.client.ask("GET", "/v1/activity?limit=1")).json["head"]
        seen = [[int(each["id"]) for each in await stream.events(head)] for stream in streams]

    assert seen == [list(range(1, head + 1))] * 50


async def test_a_server_that_stops_ends_its_feeds(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        reader, writer = await served.client.connect()
        writer.write(served.client.request("GET", "/v1/activity", Accept="text/event-stream"))
        await reader.readuntil(b"retry: 2000\n\n")

    assert (await reader.read()).endswith(b"0\r\n\r\n")
    writer.close()


async def test_a_reader_whose_place_is_gone_is_told_to_fetch_anew(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["One."]) as served:
        head = (await served.client.ask("GET", "/v1/activity?limit=1")).json["head"]
        async with served.client.stream("/v1/activity", Last_Event_ID="999") as stream:
            (frame,) = await stream.events(1)

    assert frame["event"] == "resync"
    assert json.loads(frame["data"]) == {"after": 999, "first": head + 1}
