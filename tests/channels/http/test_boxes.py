"""Notes and rehearsals over HTTP: the same rules as the commands."""

from pathlib import Path
from typing import Any

import pytest

from tests.channels.http.client import Served, open_served, web
from tests.channels.http.test_messages import SAVES, message
from tests.flows.world import grant

NOTES = "/v1/brains/assistant/notes?channel=http"
REHEARSALS = "/v1/brains/assistant/rehearsals"


async def texts(served: Served, path: str = NOTES, **more: Any) -> list[tuple[int, str]]:
    listed = (await served.client.ask("GET", path, **more)).json
    return [(note["number"], note["text"]) for note in listed["notes"]]


async def test_the_operator_adds_drops_and_clears(tmp_path: Path) -> None:
    async with open_served(tmp_path, grant(web(), "memory_note", "allow")) as served:
        first = await served.client.ask("POST", NOTES, {"text": "takes  tea"})
        again = await served.client.ask("POST", NOTES, {"text": "Takes tea"})
        await served.client.ask("POST", NOTES, {"text": "has a dog"})
        listed = await texts(served)
        dropped = await served.client.ask("DELETE", "/v1/brains/assistant/notes/1?channel=http")
        left = await texts(served)
        cleared = await served.client.ask("DELETE", NOTES)
        empty = await texts(served)

    assert (first.status, first.json["effect"]["line"]) == (201, "saved note 1")
    assert (again.status, again.json["effect"]["kind"]) == (200, "duplicate")
    assert listed == [(1, "takes tea"), (2, "has a dog")]
    assert dropped.json["dropped"]["text"] == "takes tea"
    assert left == [(2, "has a dog")]
    assert (cleared.json["notes"], cleared.json["rehearsals"], empty) == (1, 0, [])
    assert dropped.json["forgetting_id"] != cleared.json["forgetting_id"]


@pytest.mark.proves("P3")
async def test_a_rehearsal_is_shown_beside_the_box_and_promoted_or_discarded(
    tmp_path: Path,
) -> None:
    replies = [SAVES, "Noted.", SAVES, "Noted."]
    where = "?channel=http&conversation=main"

    async with open_served(tmp_path, replies=replies) as served:
        for _ in range(2):
            await served.client.ask("POST", "/v1/messages", message("Remember: tea."))
        listed = (await served.client.ask("GET", REHEARSALS + where)).json
        promoted = await served.client.ask("POST", f"{REHEARSALS}/1/promote{where}")
        twice = await served.client.ask("POST", f"{REHEARSALS}/1/promote{where}")
        discarded = await served.client.ask("DELETE", f"{REHEARSALS}/2{where}")
        notes = await texts(served)

    assert [each["arguments"] for each in listed["rehearsals"]] == [{"note": "takes tea"}] * 2
    assert listed["diff"] == {
        "as_it_is": [],
        "would_be": [{"state": "stored", "number": 1, "text": "takes tea"}],
        "refused": [{"state": "duplicate", "number": 2, "text": "takes tea"}],
        "other_tools": 0,
    }
    assert promoted.json["effect"]["line"] == "saved note 1"
    assert (twice.status, twice.code) == (404, "not_found")
    assert discarded.json == {"dropped": [2]}
    assert notes == [(1, "takes tea")]


async def test_a_deny_binds_the_operator_and_a_full_box_says_so(tmp_path: Path) -> None:
    async with open_served(tmp_path, grant(web(), "memory_note", "deny")) as served:
        denied = await served.client.ask("POST", NOTES, {"text": "tea"})
    document = grant(web(), "memory_note", "allow")
    document["brains"][0]["agent"]["memory"]["max_notes"] = 1
    async with open_served(tmp_path, document) as served:
        await served.client.ask("POST", NOTES, {"text": "tea"})
        full = await served.client.ask("POST", NOTES, {"text": "dog"})

    assert (denied.status, denied.code) == (403, "denied")
    assert (full.status, full.code) == (409, "not_stored")


async def test_a_user_sees_the_box_of_its_own_talk_and_no_other(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")

    async with open_served(tmp_path, document, [SAVES, "Noted."]) as served:
        said = message("Remember: tea.")
        await served.client.ask("POST", "/v1/messages", said, bearer="ana-token")
        own = await texts(served, "/v1/brains/assistant/notes", bearer="ana-token")
        others = await texts(served, "/v1/brains/assistant/notes", bearer="bo-token")
        reaching = await texts(
            served, "/v1/brains/assistant/notes?conversation=ana/main", bearer="bo-token"
        )
        operators = await texts(served, NOTES + "&conversation=ana/main")
        by_header = await texts(served, NOTES, X_Conversation="ana/main")

    assert own == operators == by_header == [(1, "takes tea")]
    assert others == reaching == []


async def test_a_box_of_the_whole_brain_is_the_operators_to_see(tmp_path: Path) -> None:
    document = web()
    document["brains"][0]["agent"]["memory"]["scope"] = "brain"

    async with open_served(tmp_path, document) as served:
        own = await served.client.ask("GET", "/v1/brains/assistant/notes")
        users = await served.client.ask("GET", "/v1/brains/assistant/notes", bearer="ana-token")

    assert own.status == 200
    assert (users.status, users.code) == (403, "operator_only")


@pytest.mark.proves("P5")
async def test_private_notes_of_a_brain_that_is_public_now_are_shown_as_the_command_shows_them(
    tmp_path: Path,
) -> None:
    document = grant(web(), "memory_note", "allow")
    async with open_served(tmp_path, document, [SAVES, "Noted."]) as served:
        said = message("Remember: tea.")
        await served.client.ask("POST", "/v1/messages", said, bearer="ana-token")
        before = await texts(served, "/v1/brains/assistant/notes", bearer="ana-token")
    document["brains"][0]["sensitivity"] = "public"

    async with open_served(tmp_path, document) as served:
        path = "/v1/brains/assistant/notes"
        told = (
            await served.client.ask("POST", "/v1/messages", message("/notes"), bearer="ana-token")
        ).json["text"]
        own = (await served.client.ask("GET", path, bearer="ana-token")).json
        operators = (await served.client.ask("GET", NOTES + "&conversation=ana/main")).json

    assert before == [(1, "takes tea")]
    assert "tea" not in told
    assert "not shown here" in told
    assert (own["notes"], own["not_shown"]) == ([], 1)
    assert ([note["text"] for note in operators["notes"]], operators["not_shown"]) == (
        ["takes tea"],
        0,
    )


async def test_how_many_rehearsals_wait_is_the_operators_to_know(tmp_path: Path) -> None:
    path = "/v1/brains/assistant/notes"
    async with open_served(tmp_path, replies=[SAVES, "Noted."]) as served:
        said = message("Remember: tea.")
        await served.client.ask("POST", "/v1/messages", said, bearer="ana-token")
        own = (await served.client.ask("GET", path, bearer="ana-token")).json
        operators = (await served.client.ask("GET", NOTES + "&conversation=ana/main")).json

    assert (own["rehearsals"], operators["rehearsals"]) == (0, 1)


async def test_tools_are_told_per_channel_with_the_reason(tmp_path: Path) -> None:
    document = grant(web(), "time", "allow", channels=["console"])

    async with open_served(tmp_path, document) as served:
        tools = (await served.client.ask("GET", "/v1/brains/assistant/tools")).json["tools"]

    told = {(each["tool"], each["channel"]): (each["effect"], each["rule"]) for each in tools}
    assert told == {
        ("time", "console"): ("allow", "allow"),
        ("time", "http"): ("deny", "channel"),
        ("memory_note", "console"): ("shadow", "shadow"),
        ("memory_note", "http"): ("shadow", "shadow"),
    }
    assert all(each["words"] and each["otherwise"] for each in tools)
