"""An event in words: one line for people. Pure."""

from collections.abc import Mapping
from typing import Final

from brain.activity.events import EVENT_TYPES
from brain.counts import counted
from brain.records import JSONValue
from brain.store import EventRow

__all__ = ["RULES", "decision_words", "line"]

RULES: Final[Mapping[str, str]] = {
    "unknown_tool": "there is no such tool",
    "not_granted": "no grant names it",
    "channel": "its grants are for other channels",
    "deny": "a grant denies it",
    "sensitive_locality": "it is sensitive and the model is not proved local",
    "taint": "text from outside was in the prompt",
    "shadow": "a grant shadows it",
    "allow": "a grant allows it",
    "gate_error": "the decision itself failed",
    "per_reply_budget": "the model asked for too many calls at once",
    "repeated_call": "the same call came a third time",
}
"""Each rule of the gate, as the reason that a person reads."""


def decision_words(mode: str, rule: str, *, has_shield: bool = False) -> str:
    """Return a decision for a person: its effect, the reason, and what that means."""
    rehearsed = "; calls are rehearsed, nothing is stored or sent" if mode == "shadow" else ""
    shield = "; it may reach private addresses only" if has_shield else ""
    return f"{mode}, {RULES.get(rule, rule)}{rehearsed}{shield}"


def line(row: EventRow) -> str:
    """Return seq, time, type and place of an event, what it means, and what else it says."""
    where = "/".join(str(row[name]) for name in ("brain", "channel") if row[name] is not None)
    parts = [f"{row['seq']:>6}", str(row["at"]), str(row["type"]), where]
    parts.append(EVENT_TYPES.get(str(row["type"]), "An event of a newer brain."))
    parts.extend(_details(row))
    return "  ".join(part for part in parts if part)


def _details(row: EventRow) -> list[str]:
    details = [
        f"{name} {row[name]}"
        for name in ("tool", "mode", "outcome", "model")
        if row[name] is not None
    ]
    rule = row["rule"]
    if rule is not None:
        details.append(f"because {RULES.get(str(rule), str(rule))}")
    details.extend(f"{name} {counted(count, 'token')}" for name, count in _numbers(row["tokens"]))
    details.extend(f"{name} {count}" for name, count in _numbers(row["counts"]))
    if row["latency_ms"] is not None:
        details.append(f"{row['latency_ms']} ms")
    for name in ("paths", "codes"):
        values = row[name]
        if isinstance(values, list | tuple):
            is_rehearsed = name == "codes" and row["type"] == "tool_shadowed"
            what = "as a real call it would have been" if is_rehearsed else name
            details.append(f"{what} {', '.join(str(value) for value in values)}")
    return details


def _numbers(values: JSONValue) -> list[tuple[str, int]]:
    if not isinstance(values, Mapping):
        return []
    return [(name, value) for name, value in values.items() if isinstance(value, int)]
