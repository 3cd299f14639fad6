"""The decision: first rule that applies, in the order of the table in docs/policy.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from brain.config import Grant
from brain.records import Mode, Origin, Sensitivity

__all__ = ["CallFacts", "Decision", "Policy", "Rule", "decide", "stricter"]

Rule = Literal[
    "unknown_tool", "not_granted", "channel", "deny", "sensitive_locality", "taint", "shadow",
    "allow", "gate_error", "per_reply_budget", "repeated_call",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What one brain grants, at one revision. Grants stand by tool name."""

    brain: str
    revision: str
    sensitivity: Sensitivity
    tools: frozenset[str]
    grants: Mapping[str, tuple[Grant, ...]]
    taint: Literal["shadow", "deny", "ignore"]


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
    """An effect, the rule that gave it, the revision it was made under; `shield` for a network tool."""

    effect: Mode
    rule: Rule
    revision: str
    shield: bool = False


def decide(policy: Policy, facts: CallFacts) -> Decision:
    raise NotImplementedError


def stricter(first: Decision, second: Decision) -> Decision:
    """Return the stricter of two decisions about one call (deny < shadow < allow)."""
    raise NotImplementedError
