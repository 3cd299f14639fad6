"""Gathers the facts of a call and brings them before the gate."""

from collections.abc import Callable, Mapping

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
        self._storing = frozenset(
            name for name, tool in tools.items() if isinstance(tool, StoreTool)
        )
        self._policy_in_force = policy_in_force

    def tools_of(self, context: CallContext) -> dict[str, Tool]:
        """Return the tools of the brain by name, in order of their names."""
        known = context.policy.tools
        return {name: tool for name, tool in sorted(self._tools.items()) if name in known}

    def is_storing(self, name: str) -> bool:
        """Tell whether the effect of a tool is a row of our own store."""
        return name in self._storing

    def decide(self, name: str, context: CallContext) -> tuple[Decision, Facts]:
        """Return the decision about a call of `name`, and what it was made from."""
        used = self._facts(name, context, context.policy)
        decision = decide(context.policy, used)
        policy_now = self._policy_in_force(context.brain)
        if policy_now is not context.policy:
            used_now = self._facts(name, context, policy_now)
            began, decision = decision, stricter(decision, decide(policy_now, used_now))
            used = used if decision.effect == began.effect else used_now
        known = known_facts(context)
        return decision, Facts(
            local=known.local,
            sensitivity=known.sensitivity,
            tainted=known.tainted,
            sensitive=used.is_sensitive,
            network=used.is_network,
        )

    def _facts(self, name: str, context: CallContext, policy: Policy) -> CallFacts:
        attributes = self._tools[name].attributes
        overrides = policy.tool_attrs.get(name, {})
        return CallFacts(
            tool=name,
            channel=context.channel,
            origin=context.origin,
            is_local=context.is_local,
            is_tainted=context.is_tainted,
            is_sensitive=overrides.get("sensitive", attributes.sensitive),
            is_network=overrides.get("network", attributes.network),
            writes_memory=name in self._storing,
        )
