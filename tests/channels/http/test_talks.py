"""Conversations, their sessions and turns, for the operator."""

from pathlib import Path

from tests.channels.http.client import open_served
from tests.channels.http.test_messages import message


async def test_talks_sessions_and_turns_are_listed(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["One.", "Two."]) as served:
        await served.client.ask("POST", "/v1/messages", message("first"))
        await served.client.ask("POST", "/v1/messages", message("/new second"))
        (talk,) = (await served.client.ask("GET", "/v1/conversations")).json["conversations"]
        path = f"/v1/conversations/{talk['conversation_id']}"
        sessions = (await served.client.ask("GET", path)).json["sessions"]
        newest = (await served.client.ask("GET", f"{path}/turns")).json
        first = (await served.client.ask("GET", f"{path}/turns?session=1")).json
        none = await served.client.ask("GET", f"{path}/turns?session=3")
        unknown = await served.client.ask("GET", "/v1/conversations/unknown/turns")

    assert (talk["channel"], talk["conversation"], talk["sessions"]) == ("http", "main", 2)
    assert [(session["number"], session["turns"]) for session in sessions] == [(1, 2), (2, 2)]
    assert [(turn["role"], turn["text"]) for turn in newest["turns"]] == [
        ("user", "second"),
        ("assistant", "Two."),
    ]
    assert [turn["text"] for turn in first["turns"]] == ["first", "One."]
    assert [(each.status, each.code) for each in (none, unknown)] == [(404, "not_found")] * 2
