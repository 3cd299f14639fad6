"""Saving the file is applying it: whole or not at all, on record, under exchanges that run."""

from pathlib import Path
from typing import Any

import pytest

from brain.clock import SystemClock
from brain.models import CallDelta, Delta, Done
from brain.records import Effect, ToolCall
from tests.flows.saving import by_rename, following, in_place
from tests.flows.world import World, grant, open_world, sample

TEA = "I take my tea without sugar."


def noting(text: str, call_id: str = "c1") -> tuple[Delta, ...]:
    call = ToolCall(id=call_id, name="memory_note", arguments={"note": text})
    return (CallDelta(call=call), Done(reason="stop"))


async def config_events(world: World) -> list[tuple[Any, ...]]:
    rows = await world.events("type", "revision", "revision_before", "paths", "codes")
    return [row for row in rows if row[0].startswith("config_")]


@pytest.mark.proves("P10")
async def test_a_tool_goes_from_shadow_to_allow_to_deny_by_saving_the_file(tmp_path: Path):
    replies = [
        noting(TEA), "That was a rehearsal.",
        noting(TEA), "I will remember.",
        noting("I like rye bread."), "I can't do that here.",
    ]  # fmt: skip
    path = tmp_path / "brain.json"
    async with open_world(tmp_path, sample(), replies, clock=SystemClock()) as world:
        began_with = world.runtime.config.revision
        async with following(world.runtime) as outcomes:
            rehearsed = await world.say("Remember my tea.")
            by_rename(path, grant(sample(), "memory_note", "allow"))
            allowed = await outcomes.applied()
            saved = await world.say("Remember my tea.")
            outcomes.all.clear()
            in_place(path, grant(sample(), "memory_note", "deny"))
            denied = await outcomes.applied()
            refused = await world.say("Remember my bread.")

        assert rehearsed.effects == (Effect(kind="rehearsed", number=1),)
        assert saved.effects == (Effect(kind="saved", number=1),)
        assert refused.effects == (
            Effect(kind="refused", reason="memory_note is not permitted here"),
        )
        assert [tool.name for tool in world.model.requests[-1].tools] == ["time"]
        path_of_mode = ("brains[0].agent.governance[1].mode",)
        assert (allowed.paths, denied.paths) == (path_of_mode, path_of_mode)
        assert await config_events(world) == [
            ("config_applied", allowed.revision, began_with, list(path_of_mode), None),
            ("config_applied", denied.revision, allowed.revision, list(path_of_mode), None),
        ]
        decisions = [
            row
            for row in await world.events("type", "rule", "revision")
            if row[0].startswith("tool_")
        ]
        assert decisions == [
            ("tool_shadowed", "shadow", began_with),
            ("tool_used", "allow", allowed.revision),
            ("tool_denied", "deny", denied.revision),
        ]
