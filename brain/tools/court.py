"""Gathers the facts of a call and brings them before the gate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from brain.activity import Facts
from brain.gate import CallFacts, Decision, Policy, decide, stricter
from brain.records import Sensitivity, ToolSpec
from brain.tools.context import CallContext
from brain.tools.ports import AnswerTool, OutsideTool, StoreTool, Tool
from brain.tools.recording import known_facts

__all__ = ["Court", "Kinds"]


Judge = Callable[["Court", str, CallContext], tuple[Decision, Facts]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Announced:
    """What is announced while the policy an exchange began with and the one in force are these."""

    began: Policy
    now: Policy
    specs: tuple[ToolSpec, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """Each tool by its name and kind, looked at once: such a look costs more than a decision."""

    answering: Mapping[str, AnswerTool]
    storing: Mapping[str, StoreTool]
    outside: Mapping[str, OutsideTool]

    @classmethod
    def of(cls, tools: Mapping[str, Tool]) -> "Kinds":
        storing = {name: tool for name, tool in tools.items() if isinstance(tool, StoreTool)}
        outside = {name: tool for name, tool in tools.items() if isinstance(tool, OutsideTool)}
        answering = {name: tool for name, tool in tools.items() if isinstance(tool, AnswerTool)}
        return cls(answering=answering, storing=storing, outside=outside)


class Court:
    """Decides by the policy an exchange began with and by the one in force; the stricter holds."""

    def __init__(
        self, *, tools: Mapping[str, Tool], policy_in_force: Callable[[str], Policy]
    ) -> None:
        self._tools = tools
        self.kinds = Kinds.of(tools)
        self._policy_in_force = policy_in_force
        self._known = {name: tools[name] for name in sorted(tools)}
        self._announced: dict[tuple[object, ...], _Announced] = {}

    def tools_of(self, context: CallContext) -> dict[str, Tool]:
        """Return the tools of the brain by name, in order of their names."""
        known = context.policy.tools
        return {name: tool for name, tool in self._known.items() if name in known}

    def announced(self, context: CallContext, judge: Judge) -> tuple[ToolSpec, ...]:
        """Return the tools that are not denied to an untainted exchange of `context`, by name.

        The same facts under the same policies give the same tuple again, so that a prompt's
        beginning is made once and not in every exchange.
        """
        now = self._policy_in_force(context.brain)
        key = (
            context.brain,
            context.channel,
            context.origin,
            context.is_local,
            context.box is None,
        )
        kept = self._announced.get(key)
        if kept is None or kept.began is not context.policy or kept.now is not now:
            kept = _Announced(began=context.policy, now=now, specs=self._announce(context, judge))
            self._announced[key] = kept
        return kept.specs

    def _announce(self, context: CallContext, judge: Judge) -> tuple[ToolSpec, ...]:
        clean = replace(context, is_tainted=False)
        return tuple(
            tool.spec
            for name, tool in self.tools_of(context).items()
            if self.has_place(name, context) and judge(self, name, clean)[0].effect != "deny"
        )

    def has_place(self, name: str, context: CallContext) -> bool:
        """Tell whether the effect of a tool has a box to go to, where it needs one."""
        return context.box is not None or not self.is_storing(name)

    def is_storing(self, name: str) -> bool:
        """Tell whether the effect of a tool is a row of our own store."""
        return name in self.kinds.storing

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
            sensitivity=_stricter_sensitivity(context, policy_now),
            tainted=known.tainted,
            sensitive=used.is_sensitive,
            network=used.is_network,
        )

    def tightened(self, context: CallContext) -> CallContext:
        """Return the context as the policy in force has it.

        What an exchange writes whose brain has turned private since it began is private.
        """
        sensitivity = _stricter_sensitivity(context, self._policy_in_force(context.brain))
        if sensitivity == context.sensitivity:
            return context
        return replace(context, sensitivity=sensitivity)

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
            writes_memory=name in self.kinds.storing,
        )


def _stricter_sensitivity(context: CallContext, now: Policy) -> Sensitivity:
    return "private" if "private" in (context.sensitivity, now.sensitivity) else "public"
