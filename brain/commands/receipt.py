"""The receipt of an exchange: its events and what was kept of its last prompt, read together. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from brain.activity import RULES
from brain.counts import counted
from brain.records import JSONValue, Receipt
from brain.store import EventFilter, EventRow, Snapshot

__all__ = ["EXCHANGE_ENDS", "Account", "account_data", "account_text", "last_account"]

EXCHANGE_ENDS: Final = ("reply_sent", "exchange_failed", "exchange_cancelled")

_ENDED: Final = {
    "reply_sent": "it was answered",
    "exchange_failed": "it failed",
    "exchange_cancelled": "it was stopped",
}
_CALL_ENDS: Final = ("tool_used", "tool_shadowed", "tool_denied", "tool_interrupted")
_PART: Final = "_tokens"
_SEARCHED: Final = 400
"""Events in which the last exchange is looked for: it has some ten, commands since have one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One exchange that has ended. `rode` is None where nothing was kept of its prompt."""

    events: tuple[EventRow, ...]
    rode: Receipt | None

    def of_type(self, *types: str) -> tuple[EventRow, ...]:
        return tuple(row for row in self.events if row["type"] in types)

    @property
    def asked(self) -> tuple[EventRow, ...]:
        """The calls of models."""
        return self.of_type("model_called")

    def tokens(self, which: str) -> int:
        """Return what the models say they read (`prompt`) or wrote (`reply`)."""
        return sum(_numbers(row, "tokens").get(which, 0) for row in self.asked)

    @property
    def latency_ms(self) -> int:
        found = [row["latency_ms"] for row in self.asked]
        return sum(each for each in found if isinstance(each, int))


def last_account(snapshot: Snapshot, conversation_id: str) -> Account | None:
    """Return the newest exchange of the conversation that has ended; None if none has."""
    wanted = EventFilter(conversation=conversation_id)
    rows = snapshot.events(wanted, limit=_SEARCHED, newest=True)
    ended = [row["exchange"] for row in rows if row["type"] in EXCHANGE_ENDS]
    if not ended:
        return None
    kept = snapshot.receipt(conversation_id)
    return Account(
        events=tuple(row for row in rows if row["exchange"] == ended[-1]),
        rode=kept if kept is not None and kept.exchange_id == ended[-1] else None,
    )


def account_text(account: Account) -> str:
    """Return in lines what an exchange was made of and what came of it."""
    first, last = account.events[0], account.events[-1]
    return "\n".join(
        [
            *_end(account),
            *_model(account),
            *_prompt(account),
            *_left_out(account),
            *_calls(account),
            f"Events {first['seq']} to {last['seq']} of the record say so.",
        ]
    )


def account_data(account: Account) -> JSONValue:
    """Return the same as data."""
    rode, last = account.rode, account.asked[-1] if account.asked else None
    end = account.of_type(*EXCHANGE_ENDS)[-1]
    return {
        "exchange": end["exchange"],
        "ended": end["type"],
        "outcome": end["outcome"],
        "model": last["model"] if last else None,
        "proof": last["proof"] if last else None,
        "is_local": rode.is_local if rode else None,
        "lane": rode.lane if rode else None,
        "asked": len(account.asked),
        "latency_ms": account.latency_ms,
        "tokens": {which: account.tokens(which) for which in ("prompt", "reply")},
        "estimated_tokens": rode.estimated_tokens if rode else None,
        "room_tokens": rode.room_tokens if rode else None,
        "parts": dict(rode.parts) if rode else None,
        "notes": [
            {"number": number, "note_id": note_id}
            for number, note_id in zip(rode.notes, rode.note_ids, strict=True)
        ]
        if rode
        else None,
        "tools": list(rode.tools) if rode else None,
        "exchanges": rode.exchanges if rode else None,
        "dropped": rode.dropped if rode else None,
        "passed_over": [
            {"model": row["model"], "outcome": row["outcome"]}
            for row in account.of_type("model_fallback")
        ],
        "calls": [
            {name: row[name] for name in ("tool", "mode", "rule", "outcome", "codes", "ref")}
            for row in account.of_type(*_CALL_ENDS)
        ],
        "set_aside": [row["tool"] for row in account.of_type("call_set_aside")],
        "events": [account.events[0]["seq"], account.events[-1]["seq"]],
    }


def _end(account: Account) -> Iterator[str]:
    for row in account.of_type(*EXCHANGE_ENDS):
        outcome = row["outcome"]
        is_told = outcome not in (None, "answered")
        reason = f" ({outcome})" if is_told else ""
        yield f"The last exchange: {_ENDED[str(row['type'])]}{reason}."


def _model(account: Account) -> Iterator[str]:
    for row in account.of_type("model_fallback"):
        yield f"Passed over: {row['model']} ({row['outcome']})."
    if not account.asked:
        yield "No model was asked."
        return
    last, count = account.asked[-1], len(account.asked)
    proof = str(last["proof"] or "none")
    if account.rode is not None:
        proof += " (local)" if account.rode.is_local else " (not local)"
    yield (
        f"Model: {last['model']}, proof {proof}, "
        f"asked {'once' if count == 1 else counted(count, 'time')}, {account.latency_ms} ms, "
        f"{counted(account.tokens('prompt'), 'token')} read, {account.tokens('reply')} written."
    )


def _prompt(account: Account) -> Iterator[str]:
    """Tell of the last prompt: it holds all that the ones before it held."""
    counts = _numbers(account.asked[-1], "counts") if account.asked else {}
    rode = account.rode
    if rode is not None:
        word = "note" if len(rode.notes) == 1 else "notes"
        notes = f"{word} {_listed(rode.notes)}" if rode.notes else "no note"
        turns = f" ({counted(counts['turns'], 'turn')})" if "turns" in counts else ""
        tools = f"announced {_listed(rode.tools)}" if rode.tools else "no tool announced"
        yield f"In the prompt: {notes}; {_before(rode.exchanges)}{turns}; {tools}."
        in_all = f"{rode.estimated_tokens} in all, room for {rode.room_tokens}"
        yield _estimated(rode.parts, in_all)
    elif counts:
        notes, turns, tools = (
            counted(counts.get(f"{thing}s", 0), thing) for thing in ("note", "turn", "tool")
        )
        before = _before(counts.get("exchanges", 0))
        yield f"In the prompt: {notes}, {before} ({turns}), {tools} announced."
        parts = {
            name.removesuffix(_PART): count
            for name, count in counts.items()
            if name.endswith(_PART)
        }
        yield _estimated(parts, f"{counts.get('estimate', 0)} in all")


def _before(exchanges: int) -> str:
    return f"{counted(exchanges, 'exchange')} before this one"


def _estimated(parts: Mapping[str, int], in_all: str) -> str:
    told = [f"{name.replace('_', ' ')} {count}" for name, count in parts.items() if count]
    return f"Estimated tokens: {', '.join([*told, in_all])}."


def _listed(items: Sequence[object]) -> str:
    return ", ".join(map(str, items))


def _left_out(account: Account) -> Iterator[str]:
    trimmed = sum(
        _numbers(row, "counts").get("exchanges", 0) for row in account.of_type("prompt_trimmed")
    )
    if trimmed:
        yield f"Left out so that the prompt fits: {counted(trimmed, 'exchange')}, the oldest."
    if account.of_type("prompt_refused"):
        yield "The prompt did not fit and was not sent."
    if account.of_type("prompt_truncated"):
        yield "The server cut the prompt in silence: it read less than was sent."


def _calls(account: Account) -> Iterator[str]:
    ended = account.of_type(*_CALL_ENDS)
    for row in account.of_type("call_set_aside"):
        yield f"Set aside, since nobody had asked for it: {row['tool']}."
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
