"""The decision: the first rule that applies, in the order of the table in docs/policy.md.

| rule | applies when | effect |
|---|---|---|
| `unknown_tool` | the brain has no such tool | deny |
| `not_granted` | no grant names it | deny |
| `channel` | none of its grants covers this channel | deny |
| `deny` | the mode of its grant is deny | deny |
| `sensitive_locality` | the tool is sensitive, the model is not proved local | deny |
| `taint` | the exchange is tainted, the tool writes memory, `taint` is not ignore | shadow or deny |
| `shadow`, `allow` | otherwise | the mode of its grant |

What the operator asks for is not rehearsed and not held: the last two rows give `allow` for the
origin operator. Everything above them binds the operator as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from brain.records import Mode, Origin, Sensitivity

__all__ = ["THE_REST", "CallFacts", "Decision", "Policy", "Rule", "decide", "stricter"]

Rule = Literal[
    "unknown_tool", "not_granted", "channel", "deny", "sensitive_locality", "taint", "shadow",
    "allow", "gate_error", "per_reply_budget", "repeated_call",
]  # fmt: skip

THE_REST: Final = ""
"""Stands among the channels of a tool for every channel that no grant names."""

_RANK: Final[Mapping[Mode, int]] = {"deny": 0, "shadow": 1, "allow": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What one brain grants, at one revision; made by `compile_policy`.

    `modes` gives for each granted tool the mode on each channel that a grant names, and under
    `THE_REST` the mode on all others. `tool_attrs` is what the config overrides of a tool's own
    attributes: the caller applies it when it gathers the facts.
    """

    brain: str
    revision: str
    sensitivity: Sensitivity
    tools: frozenset[str]
    modes: Mapping[str, Mapping[str, Mode]]
    taint: Literal["shadow", "deny", "ignore"]
    tool_attrs: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFacts:
    """All that a decision may know of a call."""

    tool: str
    channel: str
    origin: Origin
    is_local: bool
    is_tainted: bool
    is_sensitive: bool
    is_network: bool
    writes_memory: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An effect, the rule that gave it, the revision it was made under.

    `shield`: this network tool may only reach private addresses.
    """

    effect: Mode
    rule: Rule
    revision: str
    shield: bool = False


def decide(policy: Policy, facts: CallFacts) -> Decision:
    """Return what may happen to a call, and by which rule."""
    by_channel = policy.modes.get(facts.tool, {})
    mode = by_channel.get(facts.channel) or by_channel.get(THE_REST)
    effect, rule = _restriction(policy, facts, mode) or _by_mode(policy, facts, mode)
    return Decision(
        effect=effect,
        rule=rule,
        revision=policy.revision,
        shield=facts.is_network and policy.sensitivity == "private",
    )


def _restriction(
    policy: Policy, facts: CallFacts, mode: Mode | None
) -> tuple[Literal["deny"], Rule] | None:
    """Return the first rule that denies whatever the origin, or None."""
    if facts.tool not in policy.tools:
        return "deny", "unknown_tool"
    if not policy.modes.get(facts.tool):
        return "deny", "not_granted"
    if mode is None:
        return "deny", "channel"
    if mode == "deny":
        return "deny", "deny"
    if facts.is_sensitive and not facts.is_local:
        return "deny", "sensitive_locality"
    return None


def _by_mode(policy: Policy, facts: CallFacts, mode: Mode | None) -> tuple[Mode, Rule]:
    if facts.origin == "operator":
        return "allow", "allow"
    if facts.is_tainted and facts.writes_memory and policy.taint != "ignore":
        return policy.taint, "taint"
    if mode == "allow":
        return "allow", "allow"
    return "shadow", "shadow"


def stricter(first: Decision, second: Decision) -> Decision:
    """Return the stricter of two decisions about one call (deny < shadow < allow).

    Of two that are equally strict it is the first. A shield that either asked for stays.
    """
    chosen = second if _RANK[second.effect] < _RANK[first.effect] else first
    if chosen.shield == (first.shield or second.shield):
        return chosen
    return replace(chosen, shield=True)
