"""Who a gateway speaks for: an operator is named as one, and a trusted sender is no operator."""

from pathlib import Path
from typing import Any

import pytest

from tests.channels.http.client import Served, open_served, web
from tests.channels.http.test_messages import SAVES
from tests.flows.world import Document, grant

BOX = "/v1/brains/assistant/notes"


async def say(served: Served, text: str, *, sender: str = "", talk: str = "main") -> Any:
    """Say something through the gateway, or as the operator where no sender is named."""
    value = {"conversation": talk, "text": text} | ({"sender": sender} if sender else {})
    bearer = "gate-token" if sender else None
    return (await served.client.ask("POST", "/v1/messages", value, bearer=bearer)).json


@pytest.mark.parametrize(
    "command", ["/notes add x", "/notes clear", "/notes rehearsals", "/why", "/activity"]
)
async def test_a_trusted_sender_of_a_gateway_is_no_operator(tmp_path: Path, command: str) -> None:
    async with open_served(tmp_path, grant(web(), "memory_note", "allow")) as served:
        replies = {who: await say(served, command, sender=who) for who in ("ana", "eve", "boss")}
        token = await served.client.ask(
            "POST", "/v1/messages", {"conversation": "main", "text": command}, bearer="ana-token"
        )

    for reply in (replies["ana"], replies["eve"], token.json):
        assert reply["code"] == "not_permitted"
        assert reply["text"].startswith("Only the operator may")
    assert replies["boss"]["code"] != "not_permitted"


async def test_what_a_trusted_sender_says_taints_nothing_and_an_operators_as_little(
    tmp_path: Path,
) -> None:
    replies = [SAVES, "Noted."] * 3
    async with open_served(tmp_path, grant(web(), "memory_note", "allow"), replies) as served:
        kinds = {
            who: (await say(served, "Remember: tea.", sender=who, talk=who))["effects"][0]["kind"]
            for who in ("ana", "eve", "boss")
        }

    assert kinds == {"ana": "saved", "eve": "held", "boss": "saved"}


async def test_an_operator_and_a_trusted_one_of_another_channel_are_nobody_here(
    tmp_path: Path,
) -> None:
    document = grant(web(), "memory_note", "allow")
    document["channels"] = [
        {"type": "http", "operators": [], "trusted": []},
        {"type": "http", "name": "other", "operators": ["boss"], "trusted": ["ana"]},
    ]
    async with open_served(tmp_path, document, [SAVES, "Noted."]) as served:
        cleared = await say(served, "/notes clear", sender="boss")
        said = await say(served, "Remember: tea.", sender="ana")

    assert cleared["code"] == "not_permitted"
    assert said["effects"][0]["kind"] == "held"


def refusing_tainted(document: Document) -> Document:
    document = grant(document, "memory_note", "allow")
    document["brains"][0]["agent"]["taint"] = "deny"
    return document


@pytest.mark.parametrize("order", [("eve", "ana"), ("ana", "eve")])
async def test_a_tool_is_announced_in_a_tainted_talk_too_and_refused_at_its_call(
    tmp_path: Path, order: tuple[str, str]
) -> None:
    """Whichever talk comes first: what is announced is made once and kept."""
    replies = [SAVES, "Noted."] * 2
    async with open_served(tmp_path, refusing_tainted(web()), replies) as served:
        said = {who: await say(served, "Remember: tea.", sender=who, talk=who) for who in order}
        asked = [[tool.name for tool in request.tools] for request in served.world.model.requests]
        denied = await served.world.events("type", "rule", "tool")

    assert asked[0] == asked[2] == ["memory_note", "time"]
    assert said["ana"]["effects"][0]["kind"] == "saved"
    assert said["eve"]["effects"][0]["kind"] == "refused"
    assert [row[1:] for row in denied if row[0] == "tool_denied"] == [("taint", "memory_note")]


async def lines(served: Served, *, sender: str, talk: str = "main") -> list[str]:
    said = await say(served, "Remember: tea.", sender=sender, talk=talk)
    return [effect["line"] for effect in said["effects"]]


@pytest.mark.proves("P13")
@pytest.mark.parametrize("scope", ["conversation", "brain"])
async def test_a_held_note_names_a_command_to_the_operator_alone_and_it_reaches_the_note(
    tmp_path: Path, scope: str
) -> None:
    document = grant(web(), "memory_note", "allow")
    document["brains"][0]["agent"]["memory"]["scope"] = scope
    replies = [SAVES, "Noted."] * 3
    async with open_served(tmp_path, document, replies) as served:
        of_stranger = await lines(served, sender="eve")
        refused = await say(served, "/notes promote 1", sender="eve")
        of_trusted = await lines(served, sender="ana")
        of_operator = await lines(served, sender="boss")
        promoted = await say(served, "/notes promote 1", sender="boss")
        asked = await served.client.ask("GET", "/v1/activity?type=note_stored")

    held = of_stranger[0].partition("; ")[0]
    assert of_stranger == [f"{held}; only the operator can store it"]
    assert refused["code"] == "not_permitted"
    assert of_trusted[0].endswith("; only the operator can store it, /new ends it")
    assert of_operator[0].endswith("; /notes promote 3 stores it, /new ends it")
    assert (promoted["code"], promoted["text"]) == ("ok", "Saved note 1.")
    assert len(asked.json["events"]) == 1


async def test_what_is_held_in_a_config_without_a_trigger_names_none(tmp_path: Path) -> None:
    document = grant(web(session={"triggers": []}), "memory_note", "allow")
    async with open_served(tmp_path, document, [SAVES, "Noted."] * 2) as served:
        await lines(served, sender="eve")
        of_operator = await lines(served, sender="boss")

    assert of_operator[0].endswith("; /notes promote 2 stores it")


@pytest.mark.parametrize("way", ["whole", "streamed", "openai"])
async def test_a_rehearsal_and_a_full_box_name_no_command_to_who_may_not_use_it(
    tmp_path: Path, way: str
) -> None:
    document = grant(web(), "memory_note", "shadow")
    document["brains"][0]["agent"]["memory"]["max_notes"] = 1
    async with open_served(tmp_path, document, [SAVES, "Noted."]) as served:
        rehearsed = await shown(served, way)
    full = grant(document, "memory_note", "allow")
    (tmp_path / "full").mkdir()
    async with open_served(tmp_path / "full", full, [SAVES, "Noted."]) as served:
        await say(served, "/notes add coffee", sender="boss", talk="ana")
        refused = await shown(served, way)

    assert "not saved: rehearsal 1 (the operator judges it)" in rehearsed
    assert "not saved: the box is full (1 of 1), only the operator can make room" in refused
    assert "/notes" not in rehearsed + refused


async def shown(served: Served, way: str) -> str:
    """Return all that a trusted sender reads of an answer."""
    talk = {"conversation": "ana", "sender": "ana", "text": "Remember: tea."}
    asked: dict[str, Any] = {"bearer": "gate-token"}
    if way == "openai":
        said = [{"role": "user", "content": "Remember: tea."}]
        value = {"model": "assistant", "messages": said, "user": "ana"}
        path, asked = "/v1/chat/completions", asked | {"X_Conversation": "ana"}
    else:
        path, value = "/v1/messages", talk
        asked |= {"Accept": "text/event-stream"} if way == "streamed" else {}
    return (await served.client.ask("POST", path, value, **asked)).body.decode()
