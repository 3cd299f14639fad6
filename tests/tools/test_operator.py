"""What the operator asks for takes the same road: a deny binds, shadow and taint do not."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.config import Memory
from brain.errors import NotFound, UsageError
from brain.records import Effect, Mode, Note, Rehearsal
from brain.store import Snapshot
from tests.clocks import FakeClock
from tests.tools.kit import FACTS, Desk, call, event, open_desk

NOTE = call("memory_note", note="likes tea")
BY_OPERATOR: dict[str, Any] = {"origin": "operator", "channel": "console"}
OPERATOR_FACTS = {name: value for name, value in FACTS.items() if name != "local"}


async def all_notes(desk: Desk) -> tuple[Note, ...]:
    box = desk.context().box
    assert box is not None

    def query(snapshot: Snapshot) -> tuple[Note, ...]:
        return snapshot.notes(box, may_read_private=True)

    return await desk.store.read(query)


async def rehearse(desk: Desk, *texts: str, **context: Any) -> tuple[Rehearsal, ...]:
    calls, _ = desk.begin(**context)
    await calls.run([call("memory_note", note=text) for text in texts])
    return await desk.rehearsals()


@pytest.mark.proves("P2")
@pytest.mark.parametrize("mode", ["allow", "shadow"])
async def test_the_operators_own_note_is_stored_although_the_models_would_be_rehearsed(
    tmp_path: Path, clock: FakeClock, mode: Mode
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": mode}) as desk:
        context = desk.context(model="", is_local=False, is_tainted=True)
        done = await desk.executor.run_as_operator(NOTE, context, desk.journal())
        assert (done.effect, done.rule) == (Effect(kind="saved", number=1), "allow")
        [note] = await all_notes(desk)
        assert (note.text, note.origin, note.is_tainted) == ("likes tea", "operator", False)
        common = {"tool": "memory_note", "origin": "operator", "ref": "#1", "counts": {"notes": 1}}
        expected = [
            event("note_stored", outcome="operator", **common),
            event(
                "tool_used", mode="allow", rule="allow", outcome="ok", codes=["stored"], latency_ms=0,
                facts=OPERATOR_FACTS, **common,
            ),
        ]  # fmt: skip
        assert await desk.events() == [
            {name: value for name, value in one.items() if name != "model"} for one in expected
        ]


@pytest.mark.proves("P2")
async def test_a_deny_binds_the_operator_and_the_rule_is_told(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": "deny"}) as desk:
        journal = desk.journal()
        done = await desk.executor.run_as_operator(NOTE, desk.context(), journal)
        assert (done.observation.outcome, done.rule) == ("denied", "deny")
        assert [draft.type for draft in journal.pending] == ["tool_denied"]
        assert await desk.notes() == []


async def test_the_operators_note_may_follow_a_clear_its_context_did_not_see(desk: Desk) -> None:
    context = desk.context(generation=5)
    done = await desk.executor.run_as_operator(NOTE, context, desk.journal())
    assert done.effect == Effect(kind="saved", number=1)


@pytest.mark.proves("P3")
async def test_a_promoted_rehearsal_is_a_new_decision_and_a_note_that_says_where_it_came_from(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": "shadow"}) as desk:
        [kept] = await rehearse(desk, " likes  tea", sender="guest", session=4, turn_id=40)
        context = desk.context(channel="console", sender="owner", session=9, turn_id=90)
        done = await desk.executor.promote(kept, context, desk.journal())
        assert done.effect == Effect(kind="saved", number=1)
        [note] = await all_notes(desk)
        assert (note.text, note.origin, note.sender, note.session, note.turn_id) == (
            "likes tea", "promoted", "guest", 4, 40,
        )  # fmt: skip
        assert await desk.rehearsals() == ()
        assert [
            (one["type"], one["origin"], one.get("outcome"), one["ref"])
            for one in await desk.events()
        ] == [
            ("rehearsal_kept", "model", "rehearsed", "#1"),
            ("tool_shadowed", "model", "ok", "#1"),
            ("note_stored", "operator", "promoted", "#2"),
            ("rehearsal_promoted", "operator", None, "#1"),
            ("tool_used", "operator", "ok", "#2"),
        ]


async def test_a_rehearsal_held_for_taint_is_a_clean_note_once_promoted(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock) as desk:
        [kept] = await rehearse(desk, "likes tea", is_tainted=True, taint_source="this talk read x")
        assert kept.held_for == "this talk read x"
        await desk.executor.promote(kept, desk.context(is_tainted=True), desk.journal())
        [note] = await all_notes(desk)
        assert not note.is_tainted


@pytest.mark.proves("P4")
async def test_a_promotion_that_meets_a_full_box_stores_nothing_and_keeps_the_rehearsal(
    tmp_path: Path, clock: FakeClock
) -> None:
    modes: dict[str, Mode] = {"memory_note": "shadow"}
    async with open_desk(tmp_path, clock, modes=modes, memory=Memory(max_notes=1)) as desk:
        first, second = await rehearse(desk, "likes tea", "has a cat")
        await desk.executor.promote(first, desk.context(), desk.journal())
        done = await desk.executor.promote(second, desk.context(), desk.journal())
        assert done.effect == Effect(
            kind="refused", reason="the box is full (1 of 1)", fix="/notes clear empties it"
        )
        assert await desk.notes() == ["likes tea"]
        assert await desk.rehearsals() == (second,)


async def test_a_rehearsal_that_is_gone_is_not_promoted_twice(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": "shadow"}) as desk:
        [kept] = await rehearse(desk, "likes tea")
        await desk.executor.promote(kept, desk.context(), desk.journal())
        with pytest.raises(NotFound, match="there is no rehearsal 1 here"):
            await desk.executor.promote(kept, desk.context(), desk.journal())
        assert await desk.notes() == ["likes tea"]


async def test_a_denied_tool_is_not_promoted(tmp_path: Path, clock: FakeClock) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": "shadow"}) as desk:
        [kept] = await rehearse(desk, "likes tea")
        context = desk.context(policy=replace(desk.context().policy, modes={}))
        done = await desk.executor.promote(kept, context, desk.journal())
        assert (done.observation.outcome, done.rule) == ("denied", "not_granted")
        assert await desk.rehearsals() == (kept,)


async def test_a_rehearsal_of_another_conversation_is_not_promoted_into_this_one(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": "shadow"}) as desk:
        [kept] = await rehearse(desk, "likes tea")
        elsewhere = desk.context(conversation="other")
        with pytest.raises(UsageError, match="belongs to another box"):
            await desk.executor.promote(kept, elsewhere, desk.journal())


async def test_a_rehearsal_of_a_tool_that_stores_nothing_is_not_promoted(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"fetch": "shadow"}) as desk:
        await desk.begin()[0].run([call("fetch", url="a")])
        [kept] = await desk.rehearsals()
        with pytest.raises(UsageError, match="is of fetch, which stores nothing here"):
            await desk.executor.promote(kept, desk.context(), desk.journal())
        assert desk.fetch.contexts == []


async def test_what_was_private_stays_private_when_a_brain_that_became_public_promotes_it(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": "shadow"}) as desk:
        [kept] = await rehearse(desk, "likes tea", sensitivity="private")
        desk.brain = replace(desk.brain, sensitivity="public")
        await desk.executor.promote(kept, desk.context(), desk.journal())
        [note] = await all_notes(desk)
        assert note.sensitivity == "private"


@pytest.mark.proves("P5")
async def test_what_was_rehearsed_under_a_private_brain_is_promoted_to_a_private_note(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": "shadow"}) as desk:
        [kept] = await rehearse(desk, "the door code is 4711")
        desk.brain = replace(desk.brain, sensitivity="public")
        await desk.executor.promote(kept, desk.context(), desk.journal())
        [note] = await all_notes(desk)
        assert (kept.sensitivity, note.sensitivity) == ("private", "private")
