"""Recorded calls decided again: what does not change is said to stay, what changes is said to change."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from brain.activity import Draft, Facts, Recorder
from brain.models import CallDelta, Done
from brain.records import ToolCall
from brain.runtime import Judge, judge_of, read_calls, replay
from brain.runtime.judging import Circumstances
from brain.runtime.replaying import PastCall
from brain.store import Transaction, open_store
from tests.clocks import FakeClock
from tests.flows.world import Document, grant, open_world, sample, written


def asking(*names: str) -> tuple[CallDelta | Done, ...]:
    note = {"note": "likes tea"}
    calls = [
        ToolCall(id=str(n), name=name, arguments=note if name == "memory_note" else {})
        for n, name in enumerate(names)
    ]
    return (*(CallDelta(call=call) for call in calls), Done(reason="stop"))


async def replayed(folder: Path, document: Document, candidate: Document) -> tuple[object, ...]:
    """Let a model call all that it can under `document`, and decide it again under `candidate`."""
    clock = FakeClock()
    replies = [asking("time", "memory_note", "launch", *["time"] * 7), "Done."]
    async with open_world(folder, document, replies, clock=clock) as world:
        await world.say("do it all")
        await world.say("/notes add mine")
        calls = await read_calls(world.runtime.store, since=None)
    found = replay(calls, judge_of(written(folder, candidate), clock=clock))
    return found.calls, found.kinds(), found.other_rule, found.homeless


async def test_under_the_same_config_nothing_changes_and_limits_and_made_up_names_do_not_count(
    tmp_path: Path,
):
    document = sample()
    assert await replayed(tmp_path, document, document) == (4, (), 0, 0)


async def test_each_call_that_would_be_decided_otherwise_is_counted_by_kind(tmp_path: Path):
    candidate = grant(grant(sample(), "memory_note", "deny"), "time", "shadow")
    assert await replayed(tmp_path, sample(), candidate) == (
        4,
        (
            ("time", "allow", "shadow", 2),
            ("memory_note", "shadow", "deny", 1),
            ("memory_note", "allow", "deny", 1),
        ),
        0,
        0,
    )


async def test_a_call_of_a_channel_that_is_gone_is_not_decided(tmp_path: Path):
    candidate = sample(channels=[{"type": "console", "name": "desk"}])
    assert await replayed(tmp_path, sample(), candidate) == (4, (), 0, 4)


async def test_the_same_effect_by_another_rule_is_no_change_but_is_counted(tmp_path: Path):
    denied = grant(sample(), "time", "deny")
    elsewhere = grant(sample(), "time", "allow", channels=["desk"])
    elsewhere["channels"] = [{"type": "console"}, {"type": "console", "name": "desk"}]
    assert (await replayed(tmp_path, denied, elsewhere))[1:] == ((), 6, 0)


async def test_a_record_of_several_pages_is_read_without_a_call_left_out_or_taken_twice():
    recorder = Recorder(run_id="run1", revision="r1")
    used = Draft(
        type="tool_used", brain="assistant", channel="console", tool="time", mode="allow",
        rule="allow", origin="model", facts=Facts(local=True),
    )  # fmt: skip

    def record(tx: Transaction) -> None:
        for _ in range(2001):
            recorder.append(tx, used)

    async with open_store(None, clock=FakeClock()) as store:
        await store.write(record)
        calls = await read_calls(store, since=None)
    assert [call.seq for call in calls] == list(range(1, 2002))


PLACES = st.builds(
    Circumstances,
    brain=st.just("assistant"),
    channel=st.sampled_from(["console", "desk"]),
    origin=st.sampled_from(["model", "operator"]),
    is_local=st.booleans(),
    is_tainted=st.booleans(),
)
MODES = st.sampled_from(["allow", "shadow", "deny"])


@settings(max_examples=40, deadline=None)
@given(
    asked=st.lists(st.tuples(PLACES, st.sampled_from(["time", "memory_note", "calc"])), max_size=8),
    before=MODES,
    after=MODES,
)
def test_only_what_another_policy_decides_otherwise_is_a_change(
    asked: list[tuple[Circumstances, str]], before: str, after: str
):
    first, second = judge(before), judge(after)
    decided = [(place, tool, first.decide(tool, place)) for place, tool in asked]
    calls = [
        PastCall(seq=n, at="", tool=tool, asked=place, mode=decision.effect, rule=decision.rule)
        for n, (place, tool, decision) in enumerate(decided)
    ]
    assert (replay(calls, first).changed, replay(calls, first).other_rule) == ((), 0)
    found = {each.call.seq for each in replay(calls, second).changed}
    for call in calls:
        differs = second.decide(call.tool, call.asked).effect != call.mode
        assert (call.seq in found) is differs
    assert all(call.tool == "memory_note" for call in calls if call.seq in found)


@cache
def judge(mode: str) -> Judge:
    document = grant(sample(), "memory_note", mode)
    document["channels"] = [{"type": "console"}, {"type": "console", "name": "desk"}]
    with TemporaryDirectory() as folder:
        return judge_of(written(Path(folder), document), clock=FakeClock())
