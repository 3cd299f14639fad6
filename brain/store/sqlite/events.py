"""Events as rows of the database, and back."""

import json
from collections.abc import Mapping
from typing import Any, Final

from brain.clock import to_rfc3339
from brain.records import JSONValue
from brain.store.rows import EventFilter, EventRow

__all__ = ["EVENT_COLUMNS", "INSERT_EVENT", "event_from", "event_query", "event_values"]

EVENT_COLUMNS: Final = (
    "v", "seq", "id", "at", "run", "type", "brain", "channel", "conversation", "actor",
    "exchange", "tool", "mode", "outcome", "rule", "origin", "facts", "model", "proof",
    "tokens", "latency_ms", "ref", "counts", "revision", "revision_before", "paths", "codes",
    "prev", "hash",
)  # fmt: skip
"""The fields of an event, in the order in which it is chained; a test holds it to activity.FIELDS."""

_JSON: Final = tuple(
    EVENT_COLUMNS.index(name) for name in ("facts", "tokens", "counts", "paths", "codes")
)
_BEFORE_SINCE: Final = (
    "SELECT coalesce(min(seq) - 1, 9223372036854775807) "
    "FROM events INDEXED BY events_at WHERE at >= ?"
)
"""The seq before the first event at or after a moment; the largest there is where none is."""

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
_NAMES: Final = ", ".join(EVENT_COLUMNS)
INSERT_EVENT: Final = (
    f"INSERT INTO events ({_NAMES}) VALUES ({', '.join('?' for _ in EVENT_COLUMNS)})"  # noqa: S608 - column names of our own
)


def event_values(row: EventRow) -> list[Any]:
    """Return the values of `row` in the order of the columns."""
    values: list[Any] = [row[name] for name in EVENT_COLUMNS]
    for place in _JSON:
        if values[place] is not None:
            values[place] = _ENCODER.encode(values[place])
    return values


def event_from(values: tuple[Any, ...]) -> EventRow:
    """Return the event that a row of the table holds."""
    columns = list(values)
    for place in _JSON:
        if columns[place] is not None:
            columns[place] = _parsed(columns[place])
    row: Mapping[str, JSONValue] = dict(zip(EVENT_COLUMNS, columns, strict=True))
    return row


def _parsed(text: str) -> Any:
    """Return the JSON in `text`; a text that someone damaged is kept, so that its hash is wrong."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def event_query(
    wanted: EventFilter, *, limit: int, newest: bool
) -> tuple[str, list[str | int | None]]:
    """Return the statement and parameters that find what `wanted` describes.

    One index leads: that of the conversation, else of the type, else of the brain. The other
    columns are kept from leading (a unary plus does that), so that SQLite never sorts a history to
    find its newest rows; of several types each gives its own newest.
    """
    order = "DESC" if newest else "ASC"
    types = wanted.types if wanted.types and not wanted.conversation else ("",)
    parts: list[str] = []
    parameters: list[str | int | None] = []
    for leading_type in types:
        clauses, bound = _clauses(wanted, leading_type)
        parts.append(
            f"SELECT * FROM (SELECT {_NAMES} FROM events "  # noqa: S608 - clauses of our own, values bound
            f"WHERE {' AND '.join(clauses)} ORDER BY seq {order} LIMIT ?)"
        )
        parameters.extend((*bound, limit))
    if len(parts) == 1:
        return parts[0], parameters
    parameters.append(limit)
    return f"{' UNION ALL '.join(parts)} ORDER BY seq {order} LIMIT ?", parameters


def _clauses(wanted: EventFilter, leading_type: str) -> tuple[list[str], list[str | int | None]]:
    clauses: list[str] = []
    bound: list[str | int | None] = []
    if wanted.since is None:
        clauses.append("seq > ?")
        bound.append(wanted.after)
    else:  # one lower bound, for of two SQLite would seek to one and pass over the rest row by row
        since = to_rfc3339(wanted.since)
        clauses.append(f"seq > max(?, ({_BEFORE_SINCE})) AND +at >= ?")
        bound.extend((wanted.after, since, since))
    if wanted.conversation:
        clauses.append("conversation = ?")
        bound.append(wanted.conversation)
        if wanted.types:
            clauses.append(f"+type IN ({', '.join('?' for _ in wanted.types)})")
            bound.extend(wanted.types)
    elif leading_type:
        clauses.append("type = ?")
        bound.append(leading_type)
    if wanted.brain:
        clauses.append("+brain = ?" if wanted.conversation or leading_type else "brain = ?")
        bound.append(wanted.brain)
    if wanted.tools_only:
        clauses.append("tool IS NOT NULL")
    for column, value in (("tool", wanted.tool), ("mode", wanted.mode)):
        if value:
            clauses.append(f"+{column} = ?")
            bound.append(value)
    return clauses, bound
