"""Whether an event is what a filter describes: the same answer as the store's, without asking it. Pure."""

from collections.abc import Callable

from brain.clock import to_rfc3339
from brain.store import EventFilter, EventRow

__all__ = ["matcher"]


def matcher(wanted: EventFilter) -> Callable[[EventRow], bool]:
    """Return what tells of an event whether `wanted` describes it."""
    since = "" if wanted.since is None else to_rfc3339(wanted.since)
    exact = tuple(
        (name, value)
        for name in ("brain", "conversation", "tool", "mode")
        if (value := getattr(wanted, name))
    )

    def is_wanted(row: EventRow) -> bool:
        return (
            all(row[name] == value for name, value in exact)
            and (not wanted.types or row["type"] in wanted.types)
            and (not wanted.tools_only or row["tool"] is not None)
            and str(row["at"]) >= since
            and isinstance(row["seq"], int)
            and row["seq"] > wanted.after
        )

    return is_wanted
