"""The decision: its table row by row, and what must hold for any policy."""

import itertools
import timeit
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.config import Brain, Grant, Model
from brain.gate import CallFacts, Decision, Policy, Rule, compile_policy, decide, stricter
from brain.records import Mode, Origin
from tests.gate.brains import brain_with

RANK = {"deny": 0, "shadow": 1, "allow": 2}
NAMES = st.sampled_from(["time", "memory_note", "read_file", "invented"])
CHANNELS = st.sampled_from(["console", "http", "webhook"])
MODES: st.SearchStrategy[Mode] = st.sampled_from(["allow", "shadow", "deny"])
GRANTS = st.builds(
    Grant,
    tool=NAMES,
    mode=MODES,
    channels=st.lists(CHANNELS, max_size=2, unique=True).map(tuple),
)
BRAINS = st.builds(
    lambda grants, tools, sensitivity, taint: brain_with(
        *grants, tools=tools, sensitivity=sensitivity, taint=taint
    ),
    st.lists(GRANTS, max_size=6),
    st.lists(NAMES, max_size=4, unique=True),
    st.sampled_from(["private", "public"]),
    st.sampled_from(["shadow", "deny", "ignore"]),
)
FACTS = st.builds(
    CallFacts,
    tool=NAMES,
    channel=CHANNELS,
    origin=st.sampled_from(get_args(Origin)),
    is_local=st.booleans(),
    is_tainted=st.booleans(),
    is_sensitive=st.booleans(),
    is_network=st.booleans(),
    writes_memory=st.booleans(),
)


def facts(**changes: Any) -> CallFacts:
    plain = CallFacts(
        tool="memory_note",
        channel="console",
        origin="model",
        is_local=True,
        is_tainted=False,
        is_sensitive=False,
        is_network=False,
        writes_memory=True,
    )
    return replace(plain, **changes)


def decided(brain: Brain, call: CallFacts) -> Decision:
    return decide(compile_policy(brain, revision="r1"), call)


ALLOWED = Grant(tool="memory_note", mode="allow")
SHADOWED = Grant(tool="memory_note", mode="shadow")
DENIED = Grant(tool="memory_note", mode="deny")
ON_HTTP = Grant(tool="memory_note", mode="allow", channels=("http",))
TAINTED = facts(is_tainted=True)
SENSITIVE = facts(is_sensitive=True, is_local=False)

TABLE: list[Any] = [
    pytest.param([ALLOWED], facts(tool="shell"), "deny", "unknown_tool", id="unknown"),
    pytest.param([ALLOWED], facts(tool="time"), "deny", "not_granted", id="no grant"),
    pytest.param([ON_HTTP], facts(), "deny", "channel", id="another channel"),
    pytest.param([ON_HTTP], facts(channel="http"), "allow", "allow", id="its channel"),
    pytest.param([ON_HTTP, DENIED], facts(), "deny", "deny", id="the rest is denied"),
    pytest.param([ON_HTTP, DENIED], facts(channel="http"), "allow", "allow", id="but not http"),
    pytest.param([DENIED], facts(), "deny", "deny", id="denied"),
    pytest.param([ALLOWED], SENSITIVE, "deny", "sensitive_locality", id="sensitive"),
    pytest.param([SHADOWED], SENSITIVE, "deny", "sensitive_locality", id="binds shadow too"),
    pytest.param([ALLOWED], facts(is_sensitive=True), "allow", "allow", id="sensitive but local"),
    pytest.param([DENIED], SENSITIVE, "deny", "deny", id="deny comes before sensitive"),
    pytest.param([ALLOWED], TAINTED, "shadow", "taint", id="tainted"),
    pytest.param([SHADOWED], TAINTED, "shadow", "taint", id="taint comes before shadow"),
    pytest.param([DENIED], TAINTED, "deny", "deny", id="deny comes before taint"),
    pytest.param(
        [ALLOWED], replace(TAINTED, writes_memory=False), "allow", "allow", id="writes nothing"
    ),
    pytest.param([SHADOWED], facts(), "shadow", "shadow", id="shadowed"),
    pytest.param([ALLOWED], facts(), "allow", "allow", id="allowed"),
    pytest.param([SHADOWED], facts(origin="operator"), "allow", "allow", id="operator, shadow"),
    pytest.param(
        [ALLOWED], replace(TAINTED, origin="operator"), "allow", "allow", id="operator, taint"
    ),
    pytest.param([DENIED], facts(origin="operator"), "deny", "deny", id="operator, deny"),
    pytest.param(
        [ALLOWED], replace(SENSITIVE, origin="operator"), "deny", "sensitive_locality",
        id="operator, sensitive",
    ),
    pytest.param([SHADOWED], facts(origin="job"), "shadow", "shadow", id="a job is no operator"),
    pytest.param([SHADOWED], facts(origin="mcp-client"), "shadow", "shadow", id="nor is a client"),
]  # fmt: skip


@pytest.mark.proves("P2")
@pytest.mark.parametrize(("grants", "call", "effect", "rule"), TABLE)
def test_the_first_rule_that_applies_decides(
    grants: list[Grant], call: CallFacts, effect: Mode, rule: Rule
) -> None:
    assert decided(brain_with(*grants), call) == Decision(effect=effect, rule=rule, revision="r1")


def test_a_brain_that_denies_on_taint_denies_a_tainted_call_that_writes_memory() -> None:
    assert decided(brain_with(ALLOWED, taint="deny"), TAINTED) == Decision(
        effect="deny", rule="taint", revision="r1"
    )


def test_a_brain_that_ignores_taint_decides_by_its_grant() -> None:
    assert decided(brain_with(ALLOWED, taint="ignore"), TAINTED) == Decision(
        effect="allow", rule="allow", revision="r1"
    )


def test_a_network_tool_of_a_private_brain_gets_the_shield_and_of_a_public_one_none() -> None:
    call = facts(is_network=True)
    assert decided(brain_with(ALLOWED, sensitivity="private"), call).shield
    assert not decided(brain_with(ALLOWED, sensitivity="public"), call).shield
    assert not decided(brain_with(ALLOWED, sensitivity="private"), facts()).shield


def test_a_brain_without_an_agent_is_denied_everything() -> None:
    model = Model(provider="scripted", model_id="m", locality="local")
    brain = Brain(name="answers", sensitivity="public", models=(model,))
    assert decided(brain, facts()) == Decision(effect="deny", rule="unknown_tool", revision="r1")


@pytest.mark.proves("P2")
@given(brain=BRAINS, call=FACTS)
def test_nothing_is_allowed_that_no_grant_names(brain: Brain, call: CallFacts) -> None:
    assert brain.agent is not None
    named = any(
        grant.tool == call.tool and (not grant.channels or call.channel in grant.channels)
        for grant in brain.agent.governance
    )
    if not named or call.tool not in brain.agent.tools:
        assert decided(brain, call).effect == "deny"


@given(brain=BRAINS, call=FACTS, order=st.randoms())
def test_no_order_of_grants_changes_a_decision(brain: Brain, call: CallFacts, order: Any) -> None:
    assert brain.agent is not None
    grants = list(brain.agent.governance)
    order.shuffle(grants)
    other = replace(brain, agent=replace(brain.agent, governance=tuple(grants)))
    assert decided(brain, call) == decided(other, call)


@given(brain=BRAINS, call=FACTS, grant=GRANTS)
def test_adding_a_deny_never_allows_more(brain: Brain, call: CallFacts, grant: Grant) -> None:
    assert brain.agent is not None
    more = (*brain.agent.governance, replace(grant, mode="deny"))
    other = replace(brain, agent=replace(brain.agent, governance=more))
    assert RANK[decided(other, call).effect] <= RANK[decided(brain, call).effect]


@given(brain=BRAINS, call=FACTS)
def test_the_same_facts_give_the_same_decision_and_always_a_rule(
    brain: Brain, call: CallFacts
) -> None:
    decision = decided(brain, call)
    assert decision == decided(brain, call)
    assert decision.rule in get_args(Rule)
    assert decision.rule not in ("gate_error", "per_reply_budget", "repeated_call")


@given(brain=BRAINS, call=FACTS)
def test_what_the_operator_may_do_is_never_less_than_what_the_model_may(
    brain: Brain, call: CallFacts
) -> None:
    by_model = decided(brain, replace(call, origin="model"))
    by_operator = decided(brain, replace(call, origin="operator"))
    assert RANK[by_operator.effect] >= RANK[by_model.effect]
    assert by_operator.effect != "shadow"


DECISIONS = [
    Decision(effect=effect, rule=rule, revision=revision, shield=shield)
    for (effect, rule), revision, shield in itertools.product(
        (("deny", "deny"), ("shadow", "shadow"), ("allow", "allow")), ("r1", "r2"), (False, True)
    )
]


@pytest.mark.parametrize(("first", "second"), list(itertools.product(DECISIONS, DECISIONS)))
def test_the_stricter_of_two_decisions_holds_and_the_shield_stays(
    first: Decision, second: Decision
) -> None:
    chosen = stricter(first, second)
    assert RANK[chosen.effect] == min(RANK[first.effect], RANK[second.effect])
    assert chosen.shield == (first.shield or second.shield)
    source = first if RANK[first.effect] <= RANK[second.effect] else second
    assert (chosen.rule, chosen.revision) == (source.rule, source.revision)


def policy_of_fifty_grants() -> Policy:
    grants = [
        Grant(tool=f"tool_{number % 10}", mode="allow", channels=(f"channel_{number}",))
        for number in range(50)
    ]
    tools = [f"tool_{number}" for number in range(10)]
    return compile_policy(brain_with(*grants, tools=tools), revision="r1")


def test_a_decision_among_fifty_grants_takes_microseconds() -> None:
    """The bound is ten times the aim, so that a busy machine does not fail it; a scan would."""
    policy = policy_of_fifty_grants()
    call = facts(tool="tool_9", channel="channel_49")
    assert decide(policy, call).effect == "allow"
    best = min(timeit.repeat(lambda: decide(policy, call), number=1000, repeat=5)) / 1000
    assert best < 100e-6
