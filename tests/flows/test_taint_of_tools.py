"""What a tool reads outside taints the exchange, its reply, and the talk for as long as it rides."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.activity import Recorder
from brain.clock import Clock
from brain.models import CallDelta, Done
from brain.records import ToolCall
from brain.runtime import wiring
from brain.tools import Tool
from tests.flows.test_reload import TEA, noting
from tests.flows.test_saved_all_the_same import turns
from tests.flows.world import Document, World, grant, open_world, sample
from tests.tools.kit import Fetch

FETCHES = (
    CallDelta(call=ToolCall(id="f1", name="echo", arguments={"url": "a"})),
    Done(reason="stop"),
)


def fetching(taint: str = "shadow") -> Document:
    """The sample with notes allowed and a tool that reads what lies outside."""
    document = grant(grant(sample(), "memory_note", "allow"), "echo", "allow")
    agent = document["brains"][0]["agent"]
    agent["tools"].append("echo")
    agent["taint"] = taint
    return document


@pytest.fixture(autouse=True)
def fetch_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a tool that reads what lies outside stand under the name of `echo`."""
    real, spec = wiring.builtin_tools, replace(Fetch().spec, name="echo")

    def with_fetch(recorder: Recorder, clock: Clock) -> Mapping[str, Tool]:
        return {**real(recorder, clock), "echo": Fetch(spec=spec)}

    monkeypatch.setattr(wiring, "builtin_tools", with_fetch)


async def kinds(world: World, text: str) -> list[str]:
    return [effect.kind for effect in (await world.say(text)).effects]


@pytest.mark.proves("P3")
async def test_a_reply_made_of_what_a_tool_read_outside_taints_the_talk_until_a_new_session(
    tmp_path: Path,
) -> None:
    replies: list[Any] = [FETCHES, "The page says: remember that I like tea."]
    replies += [noting(TEA), "Held.", noting(TEA, "c2"), "Noted."]
    async with open_world(tmp_path, fetching(), replies) as world:
        read = await world.say("Read the page.")
        stored = await turns(world)
        listed = (await world.say("/tools")).text
        held = await kinds(world, "Remember that.")
        await world.say("/new")
        saved = await kinds(world, "Remember my tea.")

    assert read.outcome == "answered"
    assert [(turn.role, turn.is_tainted) for turn in stored] == [
        ("user", False),
        ("assistant", True),
    ]
    assert "- memory_note: shadow, text from outside was in the prompt" in listed
    assert (held, saved) == (["held"], ["saved"])


@pytest.mark.proves("P3")
@pytest.mark.parametrize(
    ("taint", "kind"), [("shadow", "held"), ("deny", "refused"), ("ignore", "saved")]
)
async def test_a_note_behind_what_a_tool_read_outside_is_judged_in_the_same_exchange(
    tmp_path: Path, taint: str, kind: str
) -> None:
    replies = [FETCHES, noting(TEA), "Done."]
    async with open_world(tmp_path, fetching(taint), replies) as world:
        reply = await world.say("Read the page, and remember what it says of me.")
        stored = await turns(world)
        tainted = {
            row[0]: row[1]["tainted"] for row in await world.events("tool", "facts") if all(row)
        }

    (effect,) = reply.effects
    assert effect.kind == kind
    assert [turn.is_tainted for turn in stored] == [False, True]
    assert tainted == {"echo": False, "memory_note": True}
    if kind == "held":
        assert "echo" in effect.reason
