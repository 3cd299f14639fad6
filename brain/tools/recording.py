"""The events of a call: who asked, what was decided, what came of it. Never what was in it."""

from dataclasses import dataclass
from typing import Any, Final

from brain.activity import Draft, Facts
from brain.gate import Decision, Rule
from brain.records import Effect, Observation, ToolCall
from brain.tools.context import CallContext
from brain.tools.ports import Tool, ToolOutcome

__all__ = [
    "UNKNOWN",
    "Asked",
    "OperatorCall",
    "call_event",
    "end_event",
    "known_facts",
    "refusal_event",
]

UNKNOWN: Final = "unknown"
"""Stands in events for a tool name that the model made up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A call whose name was resolved and about which the gate has decided."""

    call: ToolCall
    name: str
    tool: Tool
    decision: Decision
    facts: Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorCall:
    """What came of a call the operator asked for. `observation.text` is written for a model.

    `effect` is for the person; `rule` says why where `observation.outcome` is `denied`.
    """

    observation: Observation
    effect: Effect | None
    rule: Rule


def known_facts(context: CallContext) -> Facts:
    """Return what is known without a tool. No model is selected for what the operator asks."""
    return Facts(
        local=None if context.origin == "operator" else context.is_local,
        sensitivity=context.sensitivity,
        tainted=context.is_tainted,
    )


def call_event(context: CallContext, asked: Asked, event_type: str, **fields: Any) -> Draft:
    """Return an event about a call that was decided; `fields` are those of Draft."""
    return _event(
        context,
        event_type,
        tool=asked.name,
        mode=asked.decision.effect,
        rule=asked.decision.rule,
        facts=asked.facts,
        revision=asked.decision.revision,
        **fields,
    )


def end_event(
    context: CallContext, asked: Asked, outcome: ToolOutcome, *, latency_ms: int | None
) -> Draft:
    """Return the event that ends a call which was not denied."""
    return call_event(
        context,
        asked,
        "tool_shadowed" if asked.decision.effect == "shadow" else "tool_used",
        outcome="error" if outcome.is_error else "ok",
        codes=None if outcome.code == "ok" else (outcome.code,),
        ref=outcome.ref,
        counts=outcome.counts,
        latency_ms=latency_ms,
    )


def refusal_event(context: CallContext, *, rule: Rule, outcome: str, **fields: Any) -> Draft:
    """Return the event of what is refused without a decision about a tool."""
    return _event(
        context,
        "tool_denied",
        mode="deny",
        rule=rule,
        outcome=outcome,
        facts=known_facts(context),
        revision=context.policy.revision,
        **fields,
    )


def _event(context: CallContext, event_type: str, **fields: Any) -> Draft:
    return Draft(
        type=event_type,
        brain=context.brain,
        channel=context.channel,
        conversation=context.conversation_id or None,
        actor=context.actor_id or None,
        exchange=context.exchange_id or None,
        origin=context.origin,
        model=context.model or None,
        **fields,
    )
