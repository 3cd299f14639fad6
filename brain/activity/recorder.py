"""The one way an event gets into the log: a place in the chain, inside the change's transaction."""

from collections.abc import Mapping

from brain.activity.anchor import Anchor
from brain.activity.chain import hash_of
from brain.activity.drafts import check
from brain.activity.events import VERSION, Draft, Facts
from brain.clock import to_rfc3339
from brain.ids import new_id
from brain.records import JSONValue
from brain.store import EventRow, Transaction

__all__ = ["Recorder"]


class Recorder:
    """Appends events of one process run. `revision` is what an event without one carries.

    `anchor` is where the head is written down elsewhere; `newest_seq` is the last seq given, which
    may have been taken back with its transaction.
    """

    def __init__(self, *, run_id: str, revision: str, anchor: Anchor | None = None) -> None:
        self.run_id = run_id
        self.revision = revision
        self.anchor = anchor if anchor is not None else Anchor(None)
        self.newest_seq = 0

    def append(self, tx: Transaction, draft: Draft) -> EventRow:
        """Give `draft` its seq, id, time and hash, append it to the log of `tx`, return the row.

        Raises ValueError for a draft that no event can hold: an unknown type, or a word that is
        not from a closed set.
        """
        check(draft)
        seq, prev = tx.event_head()
        row: dict[str, JSONValue] = {
            "v": VERSION,
            "seq": seq + 1,
            "id": new_id(),
            "at": to_rfc3339(tx.now),
            "run": self.run_id,
            "type": draft.type,
            "brain": draft.brain,
            "channel": draft.channel,
            "conversation": draft.conversation,
            "actor": draft.actor,
            "exchange": draft.exchange,
            "tool": draft.tool,
            "mode": draft.mode,
            "outcome": draft.outcome,
            "rule": draft.rule,
            "origin": draft.origin,
            "facts": _facts(draft.facts),
            "model": draft.model,
            "proof": draft.proof,
            "tokens": _counted(draft.tokens),
            "latency_ms": draft.latency_ms,
            "ref": draft.ref,
            "counts": _counted(draft.counts),
            "revision": self.revision if draft.revision is None else draft.revision,
            "revision_before": draft.revision_before,
            "paths": None if draft.paths is None else list(draft.paths),
            "codes": None if draft.codes is None else list(draft.codes),
            "prev": prev,
        }
        row["hash"] = hash_of(prev, row)
        tx.append_event(row)
        self.newest_seq = seq + 1
        return row


def _facts(facts: Facts | None) -> Mapping[str, JSONValue] | None:
    """Return what is known, true as 1 and false as 0: the chain holds strings and integers only."""
    if facts is None:
        return None
    known: dict[str, JSONValue] = {}
    for name in ("local", "sensitivity", "tainted", "sensitive", "network"):
        value = getattr(facts, name)
        if value is not None:
            known[name] = value if isinstance(value, str) else int(value)
    return known or None


def _counted(counts: Mapping[str, int] | None) -> Mapping[str, JSONValue] | None:
    return dict(sorted(counts.items())) if counts else None
