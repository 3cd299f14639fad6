"""Gathers the facts of a call and brings them before the gate."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from brain.activity import Facts
from brain.gate import CallFacts, Decision, Policy, decide, stricter
from brain.tools.context import CallContext
from brain.tools.ports import StoreTool, Tool
from brain.tools.recording import known_facts

__all__ = ["Court"]


class Court:
    """Decides by the policy an exchange began with and by the one in force; the stricter holds."""

    def __init__(
        self, *, tools: Mapping[str, Tool], policy_in_force: Callable[[str], Policy]
    ) -> None:
        self._tools = tools
        self._policy_in_force = policy_in_force

    def tools_of(self, context: CallContext) -> dict[str, Tool]:
        """Return the tools of the brain by name, in order of their names."""
        known = context.policy.tools
        return {name: tool for name, tool in sorted(self._tools.items()) if name in known}

    def decide(self, name: str, context: CallContext) -> tuple[Decision, Facts]:
        """Return the decision about a call of `name`, and what it was made from."""
        facts = self._facts(name, context, context.policy)
        began = decide(context.policy, facts)
        policy_now = self._policy_in_force(context.brain)
        facts_now = self._facts(name, context, policy_now)
        decision = stricter(began, decide(policy_now, facts_now))
        used = facts if decision.effect == began.effect else facts_now
        return decision, replace(
            known_facts(context), sensitive=used.is_sensitive, network=used.is_network
        )

    def _facts(self, name: str, context: CallContext, policy: Policy) -> CallFacts:
        tool = self._tools[name]
        overrides = policy.tool_attrs.get(name, {})
        return CallFacts(
            tool=name,
            channel=context.channel,
            origin=context.origin,
            is_local=context.is_local,
            is_tainted=context.is_tainted,
            is_sensitive=overrides.get("sensitive", tool.attributes.sensitive),
            is_network=overrides.get("network", tool.attributes.network),
            writes_memory=isinstance(tool, StoreTool),
        )
