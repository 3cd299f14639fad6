"""Saving the file is applying it: whole or not at all, on record, under exchanges that run."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.activity import FeedItem, Resync, open_feed
from brain.clock import SystemClock
from brain.models import CallDelta, ChatRequest, Delta, Done, ScriptedModel
from brain.records import Box, Effect, ToolCall
from brain.runtime import Outcome
from brain.store.sqlite import opening
from tests.flows.saving import LIMIT_SECONDS, Outcomes, by_rename, following, in_place
from tests.flows.test_store_in_trouble import lock_held_elsewhere
from tests.flows.world import Document, World, grant, open_world, sample

TEA = "I take my tea without sugar."


def noting(text: str, call_id: str = "c1") -> tuple[Delta, ...]:
    call = ToolCall(id=call_id, name="memory_note", arguments={"note": text})
    return (CallDelta(call=call), Done(reason="stop"))


class Pausing:
    """A model that stops in the middle of an exchange until a test lets it go on."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()
        self.goes_on = asyncio.Event()

    async def chat(self, model: ScriptedModel, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        self.is_asked.set()
        await self.goes_on.wait()
        async with aclosing(ScriptedModel.chat(model, request)) as deltas:
            async for delta in deltas:
                yield delta


class PausedModel(ScriptedModel):
    """Waits at each request for `pausing.goes_on`."""

    pausing: Pausing

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        async with aclosing(self.pausing.chat(self, request)) as deltas:
            async for delta in deltas:
                yield delta


@asynccontextmanager
async def paused_world(
    folder: Path, document: Document, replies: Sequence[Any]
) -> AsyncIterator[tuple[World, Outcomes, Pausing]]:
    """A world whose model waits, and whose runtime follows its file."""
    clock = SystemClock()
    model = PausedModel(replies, clock=clock, name="ollama/llama3.2")
    model.pausing = Pausing()
    async with (
        open_world(folder, document, clock=clock, model=model) as world,
        following(world.runtime) as outcomes,
    ):
        yield world, outcomes, model.pausing


async def config_events(world: World) -> list[tuple[Any, ...]]:
    rows = await world.events("type", "revision", "revision_before", "paths", "codes")
    return [row for row in rows if row[0].startswith("config_")]


async def shown_until(followed: AsyncIterator[FeedItem], last: str) -> list[tuple[Any, Any]]:
    """Return the changes of config and the decisions that a reader of the feed gets, in order."""
    shown: list[tuple[Any, Any]] = []
    async with asyncio.timeout(LIMIT_SECONDS):
        async for row in followed:
            assert not isinstance(row, Resync)
            if str(row["type"]).startswith(("tool_", "config_")):
                shown.append((row["type"], row["rule"]))
            if row["type"] == last:
                break
    return shown


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
        async with (
            following(world.runtime) as outcomes,
            open_feed(world.runtime.store, clock=SystemClock()) as feed,
            aclosing(feed.follow(after=0)) as followed,
        ):
            rehearsed = await world.say("Remember my tea.")
            by_rename(path, grant(sample(), "memory_note", "allow"))
            allowed = await outcomes.applied()
            saved = await world.say("Remember my tea.")
            outcomes.all.clear()
            in_place(path, grant(sample(), "memory_note", "deny"))
            denied = await outcomes.applied()
            refused = await world.say("Remember my bread.")
            shown = await shown_until(followed, "tool_denied")

        assert shown == [
            ("tool_shadowed", "shadow"),
            ("config_applied", None),
            ("tool_used", "allow"),
            ("config_applied", None),
            ("tool_denied", "deny"),
        ]
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


@pytest.mark.proves("P10", "P2")
@pytest.mark.parametrize(
    ("began", "saved", "event", "effect"),
    [
        ("allow", "deny", ("tool_denied", "deny"), "refused"),
        ("allow", "shadow", ("tool_shadowed", "shadow"), "rehearsed"),
        ("shadow", "deny", ("tool_denied", "deny"), "refused"),
    ],
)
async def test_a_grant_that_is_tightened_binds_the_next_call_of_a_running_exchange(
    tmp_path: Path, began: str, saved: str, event: tuple[str, str], effect: str
):
    document = grant(sample(), "memory_note", began)
    async with paused_world(tmp_path, document, [noting(TEA), "Done."]) as (world, outcomes, model):
        talk = asyncio.create_task(world.say("Remember my tea."))
        await model.is_asked.wait()
        by_rename(tmp_path / "brain.json", grant(sample(), "memory_note", saved))
        applied = await outcomes.applied()
        model.goes_on.set()
        reply = await talk

        assert reply.outcome == "answered"
        assert [each.kind for each in reply.effects] == [effect]
        decisions = await decisions_of(world)
        assert decisions == [(*event, applied.revision)]
        assert "0 of 10" in (await world.say("/notes")).text


async def test_a_tool_that_only_some_channels_have_from_now_on_is_denied_to_a_running_exchange(
    tmp_path: Path,
):
    began = grant(sample(), "memory_note", "allow")
    began["channels"] = [{"type": "console"}, {"type": "console", "name": "desk"}]
    saved = grant(began, "memory_note", "allow", channels=["desk"])
    async with paused_world(tmp_path, began, [noting(TEA), "Done."]) as (world, outcomes, model):
        talk = asyncio.create_task(world.say("Remember my tea."))
        await model.is_asked.wait()
        by_rename(tmp_path / "brain.json", saved)
        applied = await outcomes.applied()
        model.goes_on.set()
        await talk

        assert await decisions_of(world) == [("tool_denied", "channel", applied.revision)]


async def test_a_brain_that_turns_private_makes_the_next_note_of_a_running_exchange_private(
    tmp_path: Path,
):
    began = grant(sample(), "memory_note", "allow")
    began["brains"][0]["sensitivity"] = "public"
    saved = grant(sample(), "memory_note", "allow")
    async with paused_world(tmp_path, began, [noting(TEA), "Done."]) as (world, outcomes, model):
        talk = asyncio.create_task(world.say("Remember my tea."))
        await model.is_asked.wait()
        by_rename(tmp_path / "brain.json", saved)
        await outcomes.applied()
        model.goes_on.set()
        await talk

        box = Box(brain="assistant", scope="conversation", channel="console", conversation="main")
        notes = await world.runtime.store.read(lambda rows: rows.notes(box, may_read_private=True))
        assert [(note.text, note.sensitivity) for note in notes] == [(TEA, "private")]
        facts = [row for row in await world.events("type", "facts") if row[0] == "tool_used"]
        assert [facts["sensitivity"] for _, facts in facts] == ["private"]


@pytest.mark.proves("P10")
@pytest.mark.parametrize(("began", "saved"), [("shadow", "allow"), ("deny", "allow")])
async def test_a_grant_that_is_loosened_holds_from_the_next_exchange_on(
    tmp_path: Path, began: str, saved: str
):
    replies = [noting(TEA), "First.", noting(TEA), "Second."]
    document = grant(sample(), "memory_note", began)
    async with paused_world(tmp_path, document, replies) as (world, outcomes, model):
        began_with = world.runtime.config.revision
        talk = asyncio.create_task(world.say("Remember my tea."))
        await model.is_asked.wait()
        by_rename(tmp_path / "brain.json", grant(sample(), "memory_note", saved))
        applied = await outcomes.applied()
        model.goes_on.set()
        await talk
        reply = await world.say("Remember my tea.")

        first = {"shadow": ("tool_shadowed", "shadow"), "deny": ("tool_denied", "deny")}[began]
        assert await decisions_of(world) == [
            (*first, began_with),
            ("tool_used", "allow", applied.revision),
        ]
        assert reply.effects == (Effect(kind="saved", number=1),)


async def test_a_brain_that_is_gone_from_the_file_grants_a_running_exchange_nothing(
    tmp_path: Path,
):
    began = grant(sample(), "memory_note", "allow")
    other = {**began["brains"][0], "name": "successor"}
    async with paused_world(tmp_path, began, [noting(TEA), "Done."]) as (world, outcomes, model):
        talk = asyncio.create_task(world.say("Remember my tea."))
        await model.is_asked.wait()
        by_rename(tmp_path / "brain.json", {**began, "brains": [other]})
        applied = await outcomes.applied()
        model.goes_on.set()
        reply = await talk

        assert reply.outcome == "answered"
        assert await decisions_of(world) == [("tool_denied", "unknown_tool", applied.revision)]


@pytest.mark.proves("P1", "P10")
@pytest.mark.parametrize(
    ("text", "paths", "codes"),
    [
        pytest.param('{"brains": [', ["brains[0]"], ["not_json"], id="half a file"),
        pytest.param("", [""], ["not_json"], id="an empty file"),
        pytest.param(
            grant(sample(), "memory_note", "alow"),
            ["brains[0].agent.governance[1].mode"],
            ["unknown_value"],
            id="a misspelt mode",
        ),
        pytest.param(
            {**sample(), "a stranger's words": 1}, [""], ["unknown_key"], id="an unknown key"
        ),
    ],
)
async def test_a_save_that_is_rejected_changes_nothing_and_is_on_record(
    tmp_path: Path, text: Any, paths: list[str], codes: list[str]
):
    replies = [noting(TEA), "That was a rehearsal."]
    async with open_world(tmp_path, sample(), replies, clock=SystemClock()) as world:
        began_with = world.runtime.config.revision
        async with following(world.runtime) as outcomes:
            in_place(tmp_path / "brain.json", text)
            rejected = await outcomes.rejected()
            await world.say("Remember my tea.")

        assert rejected.text.startswith("error: ")
        assert "the config in force runs on" in rejected.text
        assert world.runtime.config.revision == began_with
        assert await config_events(world) == [("config_rejected", began_with, None, paths, codes)]
        assert await decisions_of(world) == [("tool_shadowed", "shadow", began_with)]


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"storage": {"path": "elsewhere/brain.db"}}, "storage.path"),
        ({"storage": {"path": "state/brain.db", "synchronous": "normal"}}, "storage.synchronous"),
        ({"activity": {"retain_days": 7}}, "activity"),
        ({"log": {"level": "debug"}}, "log.level"),
        ({"server": {"addr": "127.0.0.1:9999"}}, "server.addr"),
        ({"server": {"enabled": False}}, "server.enabled"),
        ({"channels": [{"type": "console", "name": "desk"}]}, "channels[0].name"),
    ],
)
async def test_what_holds_until_a_restart_is_refused_by_name_and_nothing_of_that_save_is_applied(
    tmp_path: Path, changed: Document, path: str
):
    document = grant({**sample(), **changed}, "memory_note", "deny")
    async with (
        open_world(tmp_path, sample(), clock=SystemClock()) as world,
        following(world.runtime) as outcomes,
    ):
        began_with = world.runtime.config.revision
        by_rename(tmp_path / "brain.json", document)
        rejected = await outcomes.rejected()

        assert rejected.paths == (path,)
        assert "needs a restart" in rejected.text
        assert world.runtime.config.revision == began_with
        events = await config_events(world)
        assert events == [("config_rejected", began_with, None, [path], ["needs_restart"])]


async def test_the_same_document_in_another_dress_is_no_event(tmp_path: Path):
    async with open_world(tmp_path, sample(), clock=SystemClock()) as world:
        compact = json.dumps({"_comment": "tidied", **sample()}, indent=None).encode()

        outcome = await world.runtime.reload.apply(compact)

        assert outcome.kind == "unchanged"
        assert await config_events(world) == []


async def test_a_lower_cap_is_applied_and_deletes_nothing_and_is_told(tmp_path: Path):
    document = grant(sample(), "memory_note", "allow")
    replies = [
        noting(TEA),
        "Kept.",
        noting("I like rye bread."),
        "Kept.",
        noting("I ski."),
        "Full.",
    ]
    async with open_world(tmp_path, document, replies, clock=SystemClock()) as world:
        await world.say("Remember my tea.")
        await world.say("Remember my bread.")
        lower = json.loads(json.dumps(document))
        lower["brains"][0]["agent"]["memory"]["max_notes"] = 1

        outcome = await world.runtime.reload.apply(json.dumps(lower).encode())
        reply = await world.say("Remember that I ski.")

        assert outcome.kind == "applied"
        assert outcome.codes == ("box_over_cap",)
        assert "1 box holds more (up to 2 notes)" in outcome.text
        assert (await config_events(world))[0][-2:] == (
            ["brains[0].agent.memory.max_notes"],
            ["box_over_cap"],
        )
        assert [each.kind for each in reply.effects] == ["refused"]
        assert "full" in reply.effects[0].reason
        assert "2 of 1" in (await world.say("/notes")).text


@pytest.mark.proves("P10")
async def test_a_change_that_cannot_be_put_on_record_is_not_made_and_is_offered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.1)
    async with (
        open_world(tmp_path, sample(), clock=SystemClock()) as world,
        following(world.runtime) as outcomes,
    ):
        began_with = world.runtime.config.revision
        with lock_held_elsewhere(tmp_path):
            by_rename(tmp_path / "brain.json", grant(sample(), "memory_note", "allow"))
            rejected = await outcomes.rejected()
            in_force = world.runtime.config.revision
        applied = await outcomes.applied()

        assert (rejected.codes, in_force) == (("not_recorded",), began_with)
        assert [each.kind for each in outcomes.all] == ["rejected", "applied"]
        assert [row[0] for row in await config_events(world)] == ["config_applied"]
        assert world.runtime.config.revision == applied.revision


async def test_a_reload_while_another_runs_waits_for_it_and_the_later_one_stays(tmp_path: Path):
    async with open_world(tmp_path, sample(), clock=SystemClock()) as world:
        offered = [grant(sample(), "memory_note", mode) for mode in ("allow", "deny", "allow")]

        outcomes = await asyncio.gather(
            *(world.runtime.reload.apply(json.dumps(each).encode()) for each in offered)
        )

        assert [each.kind for each in outcomes] == ["applied"] * 3
        assert outcomes[0].revision == outcomes[2].revision == world.runtime.config.revision
        assert [each.revision_before for each in outcomes[1:]] == [
            each.revision for each in outcomes[:2]
        ]


async def test_who_listened_and_left_does_not_end_the_following(tmp_path: Path):
    def left(outcome: Outcome) -> None:
        raise BrokenPipeError

    async with (
        open_world(tmp_path, sample(), clock=SystemClock()) as world,
        following(world.runtime) as outcomes,
    ):
        world.runtime.reload.tell_to(left)
        first = await world.runtime.reload.apply(b"{")
        world.runtime.reload.tell_to(outcomes.hear)
        by_rename(tmp_path / "brain.json", grant(sample(), "memory_note", "allow"))
        second = await outcomes.applied()

    assert (first.kind, second.kind) == ("rejected", "applied")


async def test_what_was_only_written_out_is_applied_and_says_so(tmp_path: Path):
    async with open_world(tmp_path, sample(), clock=SystemClock()) as world:
        outcome = await world.runtime.reload.apply(json.dumps(sample(log={})).encode())

        assert (outcome.kind, outcome.paths) == ("applied", ())
        assert "nothing but what stood at its default" in outcome.text
        assert [row[0] for row in await config_events(world)] == ["config_applied"]


async def decisions_of(world: World) -> list[tuple[Any, ...]]:
    """The tool events: type, rule, and the revision that decided."""
    rows = await world.events("type", "rule", "revision")
    return [row for row in rows if row[0].startswith("tool_")]
