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
