"""Calls that a dead process had begun: at the next start they get their end on record."""

from collections.abc import Mapping, Sequence
from typing import Any

from brain.activity import Draft, Facts, Recorder
from brain.store import EventRow, Store, Transaction

__all__ = ["record_interrupted"]


async def record_interrupted(store: Store, recorder: Recorder, dead_runs: Sequence[str]) -> int:
    """Record `tool_interrupted` for each call of `dead_runs` that was decided and never ended.

    Nobody knows whether such a call had its effect. Returns how many there were; asking again
    finds none. The runs of living processes are not to be among `dead_runs`.
    """

    def change(tx: Transaction) -> int:
        begun = tx.undecided_calls(dead_runs)
        for row in begun:
            recorder.append(tx, _end_of(row))
        return len(begun)

    return await store.write(change)


def _end_of(row: EventRow) -> Draft:
    def text(name: str) -> str | None:
        value = row.get(name)
        return value if isinstance(value, str) else None

    return Draft(
        type="tool_interrupted",
        brain=text("brain"),
        channel=text("channel"),
        conversation=text("conversation"),
        actor=text("actor"),
        exchange=text("exchange"),
        tool=text("tool"),
        mode=text("mode"),
        outcome="interrupted",
        rule=text("rule"),
        origin=text("origin"),
        facts=_facts(row.get("facts")),
        model=text("model"),
        ref=text("ref"),
        revision=text("revision"),
    )


def _facts(value: Any) -> Facts | None:
    """Return the facts of an event; in the row they are whole numbers, null where not known."""
    if not isinstance(value, Mapping):
        return None

    def flag(name: str) -> bool | None:
        return None if value.get(name) is None else bool(value[name])

    return Facts(
        local=flag("local"),
        sensitivity=value.get("sensitivity"),
        tainted=flag("tainted"),
        sensitive=flag("sensitive"),
        network=flag("network"),
    )
