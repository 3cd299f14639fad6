"""The receipt of an exchange, from its events: what rode in the prompt and what came of it. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from brain.activity import RULES
from brain.commands.answer import counted
from brain.store import EventRow

__all__ = ["EXCHANGE_ENDS", "last_exchange", "receipt"]

EXCHANGE_ENDS: Final = ("reply_sent", "exchange_failed", "exchange_cancelled")

_CALL_ENDS: Final = ("tool_used", "tool_shadowed", "tool_denied", "tool_interrupted")
_PART: Final = "_tokens"


def last_exchange(rows: Sequence[EventRow]) -> tuple[EventRow, ...]:
    """Return the events, among `rows`, of the newest exchange that has ended; none if none has."""
    ended = [row["exchange"] for row in rows if row["type"] in EXCHANGE_ENDS]
    return tuple(row for row in rows if ended and row["exchange"] == ended[-1])


def receipt(rows: Sequence[EventRow]) -> str:
    """Return, in lines, what the events of one exchange say. `rows` are in order of seq."""
    return "\n".join(
        [
            *_end(rows),
            *_model(rows),
            *_prompt(rows),
            *_left_out(rows),
            *_calls(rows),
            f"Events {rows[0]['seq']} to {rows[-1]['seq']} of the record say so.",
        ]
    )


def _end(rows: Sequence[EventRow]) -> Iterator[str]:
    words = {
        "reply_sent": "it was answered",
        "exchange_failed": "it failed",
        "exchange_cancelled": "it was stopped",
    }
    for row in rows:
        if row["type"] in EXCHANGE_ENDS:
            outcome = row["outcome"]
            is_told = outcome not in (None, "answered")
            reason = f" ({outcome})" if is_told else ""
            yield f"The last exchange: {words[str(row['type'])]}{reason}."


def _model(rows: Sequence[EventRow]) -> Iterator[str]:
    for row in rows:
        if row["type"] == "model_fallback":
            yield f"Passed over: {row['model']} ({row['outcome']})."
    asked = [row for row in rows if row["type"] == "model_called"]
    if not asked:
        yield "No model was asked."
        return
    tokens = [_numbers(row, "tokens") for row in asked]
    took = sum(row["latency_ms"] for row in asked if isinstance(row["latency_ms"], int))
    times = f"{len(asked)} times" if len(asked) > 1 else "once"
    yield (
        f"Model: {asked[-1]['model']}, proof {asked[-1]['proof'] or 'none'}, asked {times}, "
        f"{took} ms, {sum(each.get('prompt', 0) for each in tokens)} tokens read, "
        f"{sum(each.get('reply', 0) for each in tokens)} written."
    )


def _prompt(rows: Sequence[EventRow]) -> Iterator[str]:
    """Tell of the last prompt: it holds all that the ones before it held."""
    asked = [row for row in rows if row["type"] == "model_called"]
    counts = _numbers(asked[-1], "counts") if asked else {}
    if not counts:
        return
    notes, exchanges, turns, tools = (
        counted(counts.get(f"{thing}s", 0), thing) for thing in ("note", "exchange", "turn", "tool")
    )
    yield f"In the prompt: {notes}, {exchanges} before this one ({turns}), {tools} announced."
    parts = [
        f"{name.removesuffix(_PART).replace('_', ' ')} {count}"
        for name, count in counts.items()
        if name.endswith(_PART) and count
    ]
    in_all = f"{counts.get('estimate', 0)} in all"
    yield f"Estimated tokens: {', '.join([*parts, in_all])}."


def _left_out(rows: Sequence[EventRow]) -> Iterator[str]:
    trimmed = sum(
        _numbers(row, "counts").get("exchanges", 0)
        for row in rows
        if row["type"] == "prompt_trimmed"
    )
    if trimmed:
        yield f"Left out so that the prompt fits: {counted(trimmed, 'exchange')}, the oldest."
    if any(row["type"] == "prompt_refused" for row in rows):
        yield "The prompt did not fit and was not sent."


def _calls(rows: Sequence[EventRow]) -> Iterator[str]:
    ended = [row for row in rows if row["type"] in _CALL_ENDS]
    if not ended:
        yield "No tool was called."
        return
    yield "Calls:"
    for row in ended:
        codes = row["codes"]
        code = f" ({codes[0]})" if isinstance(codes, Sequence) and codes else ""
        rule = str(row["rule"])
        yield f"- {row['tool']}: {row['mode']}, {RULES.get(rule, rule)}; {row['outcome']}{code}"


def _numbers(row: EventRow, name: str) -> dict[str, int]:
    value = row[name]
    if not isinstance(value, Mapping):
        return {}
    return {key: number for key, number in value.items() if isinstance(number, int)}
