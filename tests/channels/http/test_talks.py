"""Conversations, their sessions and turns, for the operator."""

from pathlib import Path
from typing import Any

import pytest

from tests.channels.http.client import Served, open_served
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


async def pages(served: Served, path: str, of: str) -> list[list[Any]]:
    """Return the pages of a listing, each asked for with what the one before gave as `next`."""
    found: list[list[Any]] = []
    before = None
    while before is not None or not found:
        asked = f"{path}{'&' if '?' in path else '?'}limit=2"
        answer = await served.client.ask("GET", asked + (f"&before={before}" if before else ""))
        assert answer.status == 200, answer.json
        found.append(answer.json[of])
        before = answer.json["next"]
    return found


async def test_older_talks_sessions_and_turns_are_reached_page_by_page(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["Yes."] * 20) as served:
        for talk in ("one", "two", "three", "four", "five"):
            value = {"conversation": talk, "text": f"hello from {talk}"}
            await served.client.ask("POST", "/v1/messages", value)
            served.world.clock.advance(60)
        for text in ("a", "b", "/new c", "/new d", "/new e", "/new f"):
            await served.client.ask("POST", "/v1/messages", {"conversation": "one", "text": text})
        talks = await pages(served, "/v1/conversations", "conversations")
        (first, *_), *_ = talks
        path = f"/v1/conversations/{first['conversation_id']}"
        sessions = await pages(served, path, "sessions")
        turns = await pages(served, f"{path}/turns?session=1", "turns")
        whole = (await served.client.ask("GET", f"{path}/turns?session=1")).json
        none = (await served.client.ask("GET", f"{path}/turns?session=1&before=1")).json

    names = [[talk["conversation"] for talk in page] for page in talks]
    assert names == [["one", "five"], ["four", "three"], ["two"]]
    numbers = [[session["number"] for session in page] for page in sessions]
    assert numbers == [[4, 5], [2, 3], [1]]
    assert [[turn["text"] for turn in page] for page in turns] == [
        ["b", "Yes."],
        ["a", "Yes."],
        ["hello from one", "Yes."],
    ]
    assert whole["next"] is None
    assert whole["turns"] == [turn for page in reversed(turns) for turn in page]
    assert (none["turns"], none["next"]) == ([], None)


async def test_a_talk_that_goes_on_meanwhile_hides_none_behind_it(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["Yes."] * 20) as served:
        for talk in ("one", "two", "three", "four"):
            value = {"conversation": talk, "text": "hello"}
            await served.client.ask("POST", "/v1/messages", value)
            served.world.clock.advance(60)
        page = (await served.client.ask("GET", "/v1/conversations?limit=2")).json
        await served.client.ask("POST", "/v1/messages", {"conversation": "three", "text": "on"})
        asked = f"/v1/conversations?limit=2&before={page['next']}"
        following = (await served.client.ask("GET", asked)).json

    assert [talk["conversation"] for talk in page["conversations"]] == ["four", "three"]
    assert [talk["conversation"] for talk in following["conversations"]] == ["two", "one"]


@pytest.mark.parametrize(
    "before",
    ["", "x", "12", "~abc", "-1~abc", "1~", "1~xyz", f"{10**14}~abc", "1~abc~abc", "%C2%B2~a"],
)
async def test_a_place_that_no_answer_gave_is_refused(tmp_path: Path, before: str) -> None:
    async with open_served(tmp_path) as served:
        talks = await served.client.ask("GET", f"/v1/conversations?before={before}")
        turns = await served.client.ask("GET", f"/v1/conversations/x/turns?before={before}")

    assert (talks.status, talks.code) == (400, "wrong_parameter")
    assert talks.json["error"]["path"] == "before"
    assert (turns.status, turns.code) in {(400, "wrong_parameter"), (404, "not_found")}


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
