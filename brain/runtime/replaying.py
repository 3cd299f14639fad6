"""The calls on record, decided again under another config: what would change."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from brain.gate import Decision
from brain.records import Origin
from brain.runtime.judging import Circumstances, Judge
from brain.store import EventFilter, EventRow, Snapshot, Store

__all__ = ["Changed", "PastCall", "Replay", "past_calls", "read_calls", "replay"]

_CALLS: Final = ("tool_used", "tool_shadowed", "tool_denied", "tool_interrupted")
"""One of these ends every call; `tool_decided` only begins one."""

_LIMITS: Final = ("per_reply_budget", "repeated_call", "gate_error")
"""Rules that are not the policy's: they would have refused under any other as well."""

_ORIGINS: Final[Mapping[str, Origin]] = {
    "model": "model",
    "operator": "operator",
    "mcp-client": "mcp-client",
    "job": "job",
}
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PastCall:
    """A call on record: what was decided, by which rule, from which circumstances."""

    seq: int
    at: str
    tool: str
    asked: Circumstances
    mode: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A call that would be decided otherwise."""

    call: PastCall
    would: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The recorded calls, decided again.

    `other_rule` counts those with the same effect for another reason. `homeless` are calls of a
    brain or channel that the other config does not have: about them nothing can be said.
    """

    calls: int
    changed: tuple[Changed, ...]
    other_rule: int
    homeless: int

    def kinds(self) -> tuple[tuple[str, str, str, int], ...]:
        """Return tool, old and new effect of what changed, and how often, the most frequent first."""
        counted = Counter(
            (each.call.tool, each.call.mode, each.would.effect) for each in self.changed
        )
        return tuple((*kind, count) for kind, count in counted.most_common())


def replay(calls: Iterable[PastCall], judge: Judge) -> Replay:
    """Decide each call again as `judge` would. Pure but for what the judge remembers."""
    changed: list[Changed] = []
    total = other_rule = homeless = 0
    for call in calls:
        total += 1
        if not judge.knows(call.asked.brain, call.asked.channel):
            homeless += 1
            continue
        would = judge.decide(call.tool, call.asked)
        if would.effect != call.mode:
            changed.append(Changed(call=call, would=would))
        elif would.rule != call.rule:
            other_rule += 1
    return Replay(calls=total, changed=tuple(changed), other_rule=other_rule, homeless=homeless)


async def read_calls(store: Store, *, since: datetime | None) -> tuple[PastCall, ...]:
    """Read every call on record that a policy decided, oldest first. Raises StoreError."""
    found: list[PastCall] = []
    wanted = EventFilter(types=_CALLS, since=since)
    while True:
        rows = await store.read(partial(_page, wanted=wanted))
        found += past_calls(rows)
        if len(rows) < _PAGE:
            return tuple(found)
        wanted = replace(wanted, after=int(str(rows[-1]["seq"])))


def _page(snapshot: Snapshot, *, wanted: EventFilter) -> tuple[EventRow, ...]:
    return snapshot.events(wanted, limit=_PAGE)


def past_calls(rows: Sequence[EventRow]) -> Iterator[PastCall]:
    """Yield the calls among `rows` that a policy decided: no made-up names, no limits."""
    for row in rows:
        origin = _ORIGINS.get(str(row["origin"]))
        if row["tool"] in (None, "unknown") or row["rule"] in _LIMITS or origin is None:
            continue
        facts = row["facts"] if isinstance(row["facts"], Mapping) else {}
        yield PastCall(
            seq=int(str(row["seq"])),
            at=str(row["at"]),
            tool=str(row["tool"]),
            asked=Circumstances(
                brain=str(row["brain"]),
                channel=str(row["channel"]),
                origin=origin,
                is_local=origin == "operator" or bool(facts.get("local")),
                is_tainted=bool(facts.get("tainted")),
            ),
            mode=str(row["mode"]),
            rule=str(row["rule"]),
        )
