"""Conversations, their sessions and turns, for the operator."""

from pathlib import Path

import pytest

from tests.channels.http.client import open_served
from tests.channels.http.test_messages import message
from tests.forgetting.bytes_left import bytes_left
from tests.forgetting.job import finished


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


@pytest.mark.proves("P11")
async def test_the_operator_alone_forgets_a_talk_and_the_same_talk_begins_anew(
    tmp_path: Path,
) -> None:
    async with open_served(tmp_path, replies=["One.", "Two."]) as served:
        await served.client.ask("POST", "/v1/messages", message("the canary sings at noon"))
        (talk,) = (await served.client.ask("GET", "/v1/conversations")).json["conversations"]
        path = f"/v1/conversations/{talk['conversation_id']}"
        user = await served.client.ask("DELETE", path, bearer="ana-token")
        gone = await served.client.ask("DELETE", path)
        done = await finished(served.world.runtime.store, served.world.clock)
        again = await served.client.ask("DELETE", path)
        receipt = f"/v1/forgettings/{done.forgetting_id}"
        not_theirs = await served.client.ask("GET", receipt, bearer="ana-token")
        shown = (await served.client.ask("GET", receipt)).json
        unknown = await served.client.ask("GET", "/v1/forgettings/nothing")
        await served.client.ask("POST", "/v1/messages", message("hello"))
        (new,) = (await served.client.ask("GET", "/v1/conversations")).json["conversations"]

    assert (user.status, user.code) == (403, "operator_only")
    assert (gone.status, gone.json["forgetting_id"]) == (200, done.forgetting_id)
    counts = {"sessions": 1, "turns": 2, "receipts": 1, "conversations": 1, "senders": 1}
    assert (gone.json["forgotten"], gone.json["kept_notes"]) == (counts, 0)
    assert (again.status, again.code) == (404, "not_found")
    assert (not_theirs.status, not_theirs.code) == (403, "operator_only")
    assert (unknown.status, unknown.code) == (404, "not_found")
    assert (shown["kind"], shown["counts"], shown["receipt"]["outcome"]) == (
        "conversation",
        counts,
        "clean",
    )
    assert (new["turns"], new["conversation_id"] != talk["conversation_id"]) == (2, True)
    assert bytes_left("the canary sings at noon", tmp_path) == []
