"""POST /v1/messages over a real socket: who speaks, what comes back, whole and as it comes."""

from pathlib import Path
from typing import Any

import pytest

from brain.models import CallDelta, Done
from brain.records import ToolCall
from tests.channels.http.client import open_served, web
from tests.flows.world import grant

SAVES = (
    CallDelta(call=ToolCall(id="1", name="memory_note", arguments={"note": "takes tea"})),
    Done(reason="stop"),
)


def message(text: str, **more: Any) -> dict[str, Any]:
    return {"conversation": "main", "text": text, **more}


async def test_a_message_is_answered_with_its_effects(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")

    async with open_served(tmp_path, document, [SAVES, "Noted."]) as served:
        answer = await served.client.ask("POST", "/v1/messages", message("Remember: tea."))
        events = await served.world.events("type", "channel")

    reply = answer.json
    assert answer.status == 200
    assert {name: reply[name] for name in ("text", "outcome", "effects", "truth", "code")} == {
        "text": "Noted.",
        "outcome": "answered",
        "effects": [{"kind": "saved", "number": 1, "reason": "", "line": "saved note 1"}],
        "truth": "",
        "code": "",
    }
    assert ("note_stored", "http") in events


async def test_with_an_event_stream_the_pieces_come_and_then_the_reply(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["Hello there."]) as served:
        answer = await served.client.ask(
            "POST", "/v1/messages", message("hi"), Accept="text/event-stream"
        )

    frames = answer.body.decode().split("\n\n")
    texts = [frame for frame in frames if frame.startswith("event: text")]
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-accel-buffering"] == "no"
    assert texts
    assert frames[-2].startswith("event: reply\ndata: ")
    assert '"text":"Hello there."' in frames[-2]


@pytest.mark.proves("P7")
async def test_a_command_of_the_operator_is_answered_and_one_of_a_user_refused(
    tmp_path: Path,
) -> None:
    async with open_served(tmp_path) as served:
        own = await served.client.ask("POST", "/v1/messages", message("/notes clear"))
        users = await served.client.ask(
            "POST", "/v1/messages", message("/notes clear"), bearer="ana-token"
        )
        through = [
            await served.client.ask(
                "POST", "/v1/messages", message("/notes clear", sender=who), bearer="gate-token"
            )
            for who in ("boss", "stranger")
        ]

    outcomes = [answer.json["code"] for answer in (own, users, *through)]
    assert outcomes[0] == outcomes[2] != outcomes[1] == outcomes[3]
    assert [answer.json["outcome"] for answer in (own, users)] == ["command", "command"]


async def test_two_users_who_name_the_same_talk_are_not_in_one(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["One.", "Two."]) as served:
        for token in ("ana-token", "bo-token"):
            await served.client.ask("POST", "/v1/messages", message("hi"), bearer=token)
        events = await served.world.events("type", "conversation", "actor")
        histories = [len(request.messages) for request in served.world.model.requests]

    received = [event[1:] for event in events if event[0] == "message_received"]
    assert len(set(received)) == 2
    assert histories[0] == histories[1]


async def test_what_an_untrusted_sender_says_holds_notes_back(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")
    replies = [SAVES, "Noted.", SAVES, "Noted."]

    async with open_served(tmp_path, document, replies) as served:
        said = message("Remember: tea.")
        trusted = await served.client.ask("POST", "/v1/messages", said, bearer="ana-token")
        other = await served.client.ask("POST", "/v1/messages", said, bearer="bo-token")

    kinds = [answer.json["effects"][0]["kind"] for answer in (trusted, other)]
    assert kinds == ["saved", "held"]


async def test_the_same_message_id_is_answered_once(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["Once."]) as served:
        answers = [
            await served.client.ask(
                "POST", "/v1/messages", message("hi"), X_Idempotency_Key="message-1"
            )
            for _ in range(2)
        ]

    assert [answer.json["outcome"] for answer in answers] == ["answered", "repeated"]


async def test_a_sender_is_only_a_gateways_to_name(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        answer = await served.client.ask(
            "POST", "/v1/messages", message("hi", sender="boss"), bearer="ana-token"
        )

    assert (answer.status, answer.code) == (403, "sender_not_yours")


async def test_a_config_without_an_http_channel_says_what_to_add(tmp_path: Path) -> None:
    document = web(channels=[{"type": "console"}])

    async with open_served(tmp_path, document) as served:
        answer = await served.client.ask("POST", "/v1/messages", message("hi"))

    assert (answer.status, answer.code) == (409, "no_http_channel")
    assert '{"type": "http"}' in answer.json["error"]["message"]
