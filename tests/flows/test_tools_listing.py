"""`/tools` tells what would be decided about a call of the next message from here, and why."""

from pathlib import Path

import pytest

from tests.channels.http.client import TOKENS, web
from tests.flows.test_reload import noting
from tests.flows.world import World, grant, open_world

HELD = "- memory_note: shadow, text from outside was in the prompt; calls are rehearsed, nothing is stored or sent"
ALLOWED = "- memory_note: allow, a grant allows it"


async def listed(world: World, sender: str) -> str:
    """Return the line of `memory_note` in what this sender is told."""
    reply = await say(world, "/tools", sender)
    (line,) = [line for line in reply.splitlines() if line.startswith("- memory_note")]
    return line


async def say(world: World, text: str, sender: str) -> str:
    said = await world.say(
        text, channel="http", conversation="c1", sender=sender, is_operator=sender == "boss"
    )
    return said.text


@pytest.mark.proves("P2")
async def test_the_listing_of_tools_says_what_is_decided_in_a_tainted_talk(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")
    replies = ["Hello.", noting("I take my tea without sugar."), "Yes."]
    async with open_world(tmp_path, document, replies, environ=TOKENS) as world:
        clean = await listed(world, "boss")
        strangers = await listed(world, "mallory")
        await say(world, "I am mallory.", "mallory")
        tainted = await listed(world, "boss")
        held = (
            await world.say("Remember my tea.", channel="http", conversation="c1", sender="boss")
        ).effects
        await say(world, "/new", "boss")
        anew = await listed(world, "boss")

    assert (clean, strangers, tainted, anew) == (ALLOWED, HELD, HELD, ALLOWED)
    assert [effect.kind for effect in held] == ["held"]
