"""The one road to an effect: what is announced, decided twice, counted, recorded and told."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.activity import Journal, Recorder
from brain.config import Grant, Memory, ToolAttributes
from brain.errors import BadArguments, StoreUnusable, ToolFailed
from brain.gate import Decision, Policy, compile_policy
from brain.memory import Provenance, Target, forget
from brain.records import Effect, Mode, Observation
from brain.store import Snapshot, Store, Transaction
from brain.tools import CallContext, Executor, ToolOutcome
from brain.tools.builtin.memory_note import MemoryNote
from tests.clocks import FakeClock
from tests.gate.brains import brain_with
from tests.tools.kit import (
    FACTS,
    LISTED,
    NO_TOOL_FACTS,
    Desk,
    Fetch,
    call,
    event,
    flush,
    open_desk,
)

OPERATOR = Provenance(
    brain="assistant",
    sensitivity="private",
    channel="console",
    origin="operator",
    revision="now",
)
NOTE = call("memory_note", note="likes tea")
WEB_FACTS = {**FACTS, "network": 1}


def govern(desk: Desk, **modes: Mode) -> None:
    """Put another policy in force, while exchanges are running."""
    grants = [Grant(tool=name, mode=modes.get(name, "allow")) for name in LISTED]
    desk.brain = brain_with(*grants, tools=LISTED, memory=Memory(max_notes=3))


def never() -> asyncio.Future[str]:
    return asyncio.get_running_loop().create_future()


# What is announced


async def test_shadowed_tools_are_announced_like_allowed_ones_and_denied_ones_are_not(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock) as desk:
        all_allowed = desk.begin()[0].announced
        govern(desk, memory_note="shadow", echo="deny")
        announced = desk.begin()[0].announced
    assert [spec.name for spec in all_allowed] == list(LISTED)
    assert announced == tuple(spec for spec in all_allowed if spec.name != "echo")


async def test_taint_hides_no_tool(desk: Desk) -> None:
    assert desk.begin(is_tainted=True)[0].announced == desk.begin()[0].announced


async def test_a_memory_tool_without_a_box_is_not_announced_and_stores_nothing(desk: Desk) -> None:
    calls, journal = desk.begin(conversation="", box=None)
    assert "memory_note" not in [spec.name for spec in calls.announced]
    [observation] = await calls.run([NOTE])
    await flush(journal)
    why = "notes belong to a conversation here, and this message has none"
    assert observation == Observation(call=NOTE, text=f"Not stored: {why}.", outcome="error")
    assert calls.effects == (Effect(kind="refused", reason=why),)
    assert await desk.notes() == []


async def test_an_unknown_name_is_told_the_names_that_were_announced(desk: Desk) -> None:
    govern(desk, memory_note="deny", echo="deny")
    calls, _ = desk.begin()
    [observation] = await calls.run([call("remember")])
    assert observation.text == "There is no such tool. The tools are: calc, fetch, time."


async def test_where_no_tool_is_announced_an_unknown_name_is_told_so(desk: Desk) -> None:
    govern(desk, calc="deny", echo="deny", fetch="deny", memory_note="deny", time="deny")
    calls, _ = desk.begin()
    [observation] = await calls.run([call("remember")])
    assert observation.text == "There is no such tool. There are no tools here."


# Decided twice


@pytest.mark.proves("P2")
async def test_a_grant_that_is_tightened_binds_the_next_call_of_a_running_exchange(
    desk: Desk,
) -> None:
    calls, journal = desk.begin()
    await calls.run([NOTE])
    govern(desk, memory_note="deny")
    [observation] = await calls.run([call("memory_note", note="has a cat")])
    await flush(journal)
    assert (
        observation.text
        == "Not permitted here. Tell the user so, and do not offer to do it another way."
    )
    assert (await desk.events("tool_denied")) == [
        event(
            "tool_denied",
            tool="memory_note",
            mode="deny",
            outcome="denied",
            rule="deny",
            facts=FACTS,
            revision="now",
        )
    ]
    assert await desk.notes() == ["likes tea"]


async def test_a_grant_that_is_loosened_waits_for_the_next_exchange(desk: Desk) -> None:
    govern(desk, memory_note="shadow")
    calls, _ = desk.begin()
    govern(desk, memory_note="allow")
    [observation] = await calls.run([NOTE])
    assert observation.outcome == "shadowed"
    assert await desk.notes() == []


@pytest.mark.proves("P2")
async def test_a_decision_that_fails_is_a_denial(desk: Desk) -> None:
    def no_policy(brain: str) -> Policy:
        raise KeyError(brain)

    executor = Executor(
        tools={"memory_note": MemoryNote(recorder=desk.recorder)},
        policy_in_force=no_policy,
        clock=desk.clock,
    )
    journal = desk.journal()
    calls = executor.begin(desk.context(), journal)
    [observation] = await calls.run([NOTE])
    await flush(journal)
    assert calls.announced == ()
    assert observation.outcome == "denied"
    assert await desk.events() == [
        event(
            "tool_denied",
            tool="memory_note",
            mode="deny",
            outcome="denied",
            rule="gate_error",
            facts=NO_TOOL_FACTS,
        )
    ]
    assert await desk.notes() == []


async def test_the_config_may_call_a_tool_sensitive_and_then_a_model_not_proved_local_has_none(
    tmp_path: Path, clock: FakeClock
) -> None:
    attrs = {"echo": {"sensitive": True}}
    async with open_desk(tmp_path, clock, tool_attrs=attrs) as desk:
        calls, journal = desk.begin(is_local=False)
        assert "echo" not in [spec.name for spec in calls.announced]
        [observation] = await calls.run([call("echo", text="hello")])
        await flush(journal)
        assert observation.outcome == "denied"
        [denied] = await desk.events()
        assert (denied["rule"], denied["facts"]) == (
            "sensitive_locality",
            {**FACTS, "local": 0, "sensitive": 1},
        )
        [observation] = await desk.begin()[0].run([call("echo", text="hello")])
        assert observation.text == "hello"


async def test_what_would_be_decided_is_told_for_every_tool(desk: Desk) -> None:
    govern(desk, memory_note="shadow", echo="deny")
    decisions = desk.executor.decisions(desk.context())
    assert {name: (one.effect, one.rule) for name, one in decisions.items()} == {
        "calc": ("allow", "allow"),
        "echo": ("deny", "deny"),
        "fetch": ("allow", "allow"),
        "memory_note": ("shadow", "shadow"),
        "time": ("allow", "allow"),
    }
    assert decisions["fetch"] == Decision(
        effect="allow", rule="allow", revision="began", shield=True
    )


# Counted


async def test_the_same_call_a_third_time_in_an_exchange_is_refused(desk: Desk) -> None:
    calls, journal = desk.begin()
    same = call("calc", expression="1 + 1")
    twice = await calls.run([same, same])
    third = await calls.run([call("CALC", expression="1 + 1"), call("calc", expression="1 + 2")])
    await flush(journal)
    assert [observation.outcome for observation in (*twice, *third)] == [
        "ok", "ok", "refused", "ok",
    ]  # fmt: skip
    assert await desk.events("tool_denied") == [
        event(
            "tool_denied",
            tool="calc",
            mode="deny",
            outcome="refused",
            rule="repeated_call",
            facts=FACTS,
        )
    ]
    [fresh] = await desk.begin()[0].run([same])
    assert fresh.outcome == "ok"


# When it is on record


async def test_an_answer_rides_in_the_next_commit_and_a_note_is_committed_at_once(
    desk: Desk,
) -> None:
    calls, _ = desk.begin()
    await calls.run([call("time")])
    assert await desk.events() == []
    await calls.run([NOTE])
    assert [one["type"] for one in await desk.events()] == ["tool_used", "note_stored", "tool_used"]


async def test_a_call_with_an_effect_outside_is_on_record_before_it_runs(
    tmp_path: Path, clock: FakeClock
) -> None:
    page: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with open_desk(tmp_path, clock, fetch=Fetch(does=lambda: page)) as desk:
        calls, _ = desk.begin()
        running = asyncio.ensure_future(calls.run([call("fetch", url="a")]))
        await desk.fetch.started.wait()
        outside = {"tool": "fetch", "mode": "allow", "rule": "allow", "facts": WEB_FACTS}
        decided = event("tool_decided", **outside)
        assert await desk.events() == [decided]
        clock.advance(1.5)
        page.set_result("a page")
        [observation] = await running
        assert observation.text == "a page"
        used = event("tool_used", outcome="ok", latency_ms=1500, **outside)
        assert await desk.events() == [decided, used]


async def test_a_tool_that_takes_too_long_is_given_up(tmp_path: Path, clock: FakeClock) -> None:
    async with open_desk(tmp_path, clock, fetch=Fetch(does=never)) as desk:
        calls, _ = desk.begin(tool_timeout_seconds=0.001)
        [observation] = await calls.run([call("fetch", url="a")])
        assert observation.text == "The call failed: no answer within 0.001 s."
        assert observation.outcome == "error"
        assert [(one["type"], one.get("codes")) for one in await desk.events()] == [
            ("tool_decided", None),
            ("tool_used", ["timed_out"]),
        ]


async def test_a_call_that_is_cancelled_has_its_end_on_record(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, fetch=Fetch(does=never)) as desk:
        calls, journal = desk.begin()
        running = asyncio.ensure_future(calls.run([call("fetch", url="a")]))
        await desk.fetch.started.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await flush(journal)
        assert [(one["type"], one.get("codes")) for one in await desk.events()] == [
            ("tool_decided", None),
            ("tool_used", ["cancelled"]),
        ]


# What went wrong


def raising(error: Exception) -> Callable[[], Any]:
    def does() -> Any:
        raise error

    return does


@pytest.mark.parametrize(
    ("error", "text", "code"),
    [
        (ToolFailed("the page is gone"), "The call failed: the page is gone.", "tool_failed"),
        (BadArguments("the host is not listed"), "The call failed: the host is not listed.", "bad_arguments"),
        (OSError(2, "canary", "/srv/owner/secret"), "The call failed: the tool could not do it.", "tool_failed"),
        (TimeoutError("canary"), "The call failed: the tool could not do it.", "tool_failed"),
    ],
)  # fmt: skip
async def test_a_tool_that_fails_is_told_in_our_words_alone(
    tmp_path: Path, clock: FakeClock, error: Exception, text: str, code: str
) -> None:
    async with open_desk(tmp_path, clock, fetch=Fetch(does=raising(error))) as desk:
        calls, _ = desk.begin()
        [observation] = await calls.run([call("fetch", url="a")])
        assert (observation.text, observation.outcome) == (text, "error")
        [_, used] = await desk.events()
        assert (used["outcome"], used["codes"]) == ("error", [code])
        assert "canary" not in repr(used)


class BrokenNote(MemoryNote):
    """Stores, then fails: a defect in a tool."""

    def apply(self, tx: Transaction, arguments: Any, context: CallContext) -> ToolOutcome:
        super().apply(tx, arguments, context)
        raise RuntimeError("canary")


async def test_a_tool_that_breaks_inside_its_transaction_leaves_no_row(desk: Desk) -> None:
    executor = Executor(
        tools={"memory_note": BrokenNote(recorder=desk.recorder)},
        policy_in_force=lambda _: compile_policy(desk.brain, revision="now"),
        clock=desk.clock,
    )
    journal = desk.journal()
    calls = executor.begin(desk.context(), journal)
    [observation] = await calls.run([NOTE])
    await flush(journal)
    assert observation.text == "The call failed: the tool could not do it."
    assert calls.effects == (Effect(kind="refused", reason="the tool failed"),)
    assert await desk.notes() == []
    assert await desk.events() == [
        event(
            "tool_used",
            tool="memory_note",
            mode="allow",
            rule="allow",
            facts=FACTS,
            outcome="error",
            codes=["tool_failed"],
            latency_ms=0,
        )
    ]


class FullDisk:
    """A store that takes no writes."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner

    async def write(self, change: Callable[[Transaction], Any]) -> Any:
        raise StoreUnusable("the disk is full")

    async def read(self, query: Callable[[Snapshot], Any]) -> Any:
        return await self._inner.read(query)

    async def close(self) -> None:
        await self._inner.close()


async def test_a_store_that_takes_no_writes_ends_the_exchange_and_runs_nothing(desk: Desk) -> None:
    journal = Journal(store=FullDisk(desk.store), recorder=desk.recorder)
    calls = desk.executor.begin(desk.context(), journal)
    with pytest.raises(StoreUnusable):
        await calls.run([call("fetch", url="a")])
    with pytest.raises(StoreUnusable):
        await calls.run([NOTE])
    assert desk.fetch.contexts == []
    assert calls.effects == ()


# Taint and the shield


async def test_what_a_tool_returned_from_outside_holds_later_notes(desk: Desk) -> None:
    calls, _ = desk.begin()
    assert not calls.is_tainted
    await calls.run([call("fetch", url="a")])
    assert calls.is_tainted
    [observation] = await calls.run([NOTE])
    assert observation.outcome == "shadowed"
    assert calls.effects == (
        Effect(kind="held", number=1, reason="this talk read what fetch returned"),
    )
    [kept] = await desk.rehearsals()
    assert (kept.held_for, kept.would) == ("this talk read what fetch returned", "stored")
    assert await desk.notes() == []


async def test_what_tainted_an_exchange_first_stays_its_source(desk: Desk) -> None:
    calls, _ = desk.begin(is_tainted=True, taint_source="this talk read a stranger's turn")
    await calls.run([call("fetch", url="a"), NOTE])
    assert calls.effects == (
        Effect(kind="held", number=1, reason="this talk read a stranger's turn"),
    )


async def test_a_brain_that_denies_on_taint_keeps_no_rehearsal(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, taint="deny") as desk:
        calls, journal = desk.begin(is_tainted=True)
        [observation] = await calls.run([NOTE])
        await flush(journal)
        assert observation.outcome == "denied"
        assert [one["rule"] for one in await desk.events()] == ["taint"]
        assert await desk.rehearsals() == ()


async def test_a_brain_that_ignores_taint_marks_the_note(tmp_path: Path, clock: FakeClock) -> None:
    async with open_desk(tmp_path, clock, taint="ignore") as desk:
        context = desk.context(is_tainted=True)
        await desk.executor.begin(context, desk.journal()).run([NOTE])
        assert context.box is not None
        box = context.box
        [note] = await desk.store.read(lambda snapshot: snapshot.notes(box, may_read_private=True))
        assert note.is_tainted


@pytest.mark.parametrize(("sensitivity", "shield"), [("private", True), ("public", False)])
async def test_a_network_tool_of_a_private_brain_runs_behind_the_shield(
    tmp_path: Path, clock: FakeClock, sensitivity: Any, shield: bool
) -> None:
    async with open_desk(tmp_path, clock, sensitivity=sensitivity) as desk:
        calls, _ = desk.begin()
        await calls.run([call("fetch", url="a")])
        assert [context.shield for context in desk.fetch.contexts] == [shield]


# Rehearsals of other tools


async def test_a_shadowed_tool_with_an_effect_outside_never_runs_and_is_kept(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_desk(tmp_path, clock, modes={"fetch": "shadow"}) as desk:
        calls, _ = desk.begin()
        [observation] = await calls.run([call("fetch", url="https://example.org")])
        assert observation.outcome == "shadowed"
        assert desk.fetch.contexts == []
        assert not calls.is_tainted
        assert calls.effects == ()
        [kept] = await desk.rehearsals()
        assert (kept.tool, kept.arguments, kept.would) == (
            "fetch",
            {"url": "https://example.org"},
            "would have fetched a page",
        )


async def test_a_brain_without_memory_keeps_rehearsals_for_the_conversation(desk: Desk) -> None:
    box = desk.context().box
    assert box is not None
    grants = [Grant(tool="fetch", mode="shadow")]
    desk.brain = brain_with(*grants, tools=["fetch"])
    calls, _ = desk.begin()
    await calls.run([call("fetch", url="a")])
    now = desk.clock.now()
    [kept] = await desk.store.read(lambda snapshot: snapshot.rehearsals(box, now=now))
    assert kept.tool == "fetch"


async def test_a_rehearsal_without_a_conversation_is_recorded_and_not_kept(desk: Desk) -> None:
    govern(desk, memory_note="shadow")
    calls, _ = desk.begin(conversation="", box=None)
    [observation] = await calls.run([NOTE])
    assert observation.outcome == "shadowed"
    assert calls.effects == (
        Effect(kind="refused", reason="this message belongs to no conversation"),
    )
    assert await desk.events() == [
        event(
            "tool_shadowed",
            tool="memory_note",
            mode="shadow",
            rule="shadow",
            facts=FACTS,
            outcome="ok",
            codes=["no_conversation"],
        )
    ]


# Forgetting


@pytest.mark.proves("P11")
@pytest.mark.parametrize("mode", ["allow", "shadow"])
async def test_a_call_of_a_prompt_composed_before_a_clear_puts_nothing_back(
    tmp_path: Path, clock: FakeClock, mode: Mode
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": mode}) as desk:
        context = desk.context()
        box = context.box
        assert box is not None
        calls = desk.executor.begin(context, desk.journal())
        target = Target(kind="box", box=box)
        await desk.store.write(lambda tx: forget(tx, desk.recorder, target, by=OPERATOR))
        [observation] = await calls.run([NOTE])
        why = "something was forgotten while this answer was being made"
        assert why in observation.text
        assert calls.effects == (Effect(kind="refused", reason=why),)
        assert await desk.notes() == []
        assert await desk.rehearsals() == ()
        after = desk.executor.begin(replace(context, generation=1), desk.journal())
        [observation] = await after.run([NOTE])
        assert observation.outcome == ("ok" if mode == "allow" else "shadowed")


# Attributes


async def test_a_tool_that_is_listed_and_not_there_is_unknown(desk: Desk) -> None:
    desk.brain = brain_with(Grant(tool="ghost", mode="allow"), tools=["ghost"])
    calls, _ = desk.begin()
    [observation] = await calls.run([call("ghost")])
    assert observation.text == "There is no such tool. There are no tools here."


def test_what_the_tools_say_of_themselves_is_what_the_policy_is_told(desk: Desk) -> None:
    assert MemoryNote(recorder=Recorder(run_id="r", revision="r")).attributes == ToolAttributes()
    assert desk.fetch.attributes == ToolAttributes(network=True)
