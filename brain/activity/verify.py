"""Is the log what was written? A walk over the chain, and a look at the anchors kept elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from brain.activity.anchor import Anchors
from brain.activity.chain import FIRST_PREV, hash_of
from brain.counts import counted
from brain.errors import StoreBusy, StoreError, StoreUnusable
from brain.records import JSONValue
from brain.store import EventFilter, EventRow, Store

__all__ = ["Verification", "verify"]

_PAGE: Final = 1000
"""How many events are read at once: a few hundred kilobytes."""

_BEFORE_ALL: Final = -(2**63)
"""Less than any seq that someone could have slipped in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a walk over the log found.

    `first_bad` is the lowest seq that can't be trusted, None where every check held; `reason` says
    why in one sentence. `events` were looked at, `anchors` compared; the head is the newest event.
    """

    events: int
    anchors: int
    head_seq: int
    head_hash: str
    first_bad: int | None = None
    reason: str = ""

    @property
    def is_whole(self) -> bool:
        return self.first_bad is None

    @property
    def shape(self) -> dict[str, JSONValue]:
        """What was found, as data."""
        return {
            "is_whole": self.is_whole,
            "events": self.events,
            "anchors": self.anchors,
            "head_seq": self.head_seq,
            "head_hash": self.head_hash,
            "first_bad": self.first_bad,
            "reason": self.reason,
        }

    @property
    def told(self) -> str:
        """What was found, for a person."""
        if not self.is_whole:
            return f"from event {self.first_bad} on the record can't be trusted: {self.reason}"
        events = counted(self.events, "event is", "events are")
        if not self.anchors:
            return (
                f"{events} as written; a cut end would not show: no anchor (activity.anchor_path)"
            )
        fit = counted(self.anchors, "anchor fits", "anchors fit")
        return f"{events} as written; {fit}"


@dataclass(slots=True, kw_only=True)
class _Walk:
    """Where the walk has come to. `owed` is the hash that a prune must have reported, if any."""

    seq: int = 0
    hash: str = FIRST_PREV
    events: int = 0
    anchors: int = 0
    page: int = _PAGE
    pruned_to: int = 0
    pruned_hash: str = ""
    is_prune_told: bool = True
    bad: tuple[int, str] | None = None
    due: dict[int, str] = field(default_factory=dict)


async def verify(store: Store, anchors: Anchors | None = None) -> Verification:
    """Check every event of the log, oldest first, and the anchors if there are any.

    Found by the chain: an event that was edited, deleted, inserted or moved. Found by an anchor:
    a cut tail, an old copy put back, a log that was written anew. Raises StoreError.
    """
    walk = _Walk(due=dict(anchors.hashes) if anchors is not None else {})
    while await _walk_on(store, walk):
        pass
    if walk.bad is None:
        walk.bad = _missing_at_the_end(walk, anchors)
    first_bad, reason = walk.bad or (None, "")
    return Verification(
        events=walk.events,
        anchors=walk.anchors,
        head_seq=walk.seq,
        head_hash=walk.hash,
        first_bad=first_bad,
        reason=reason,
    )


async def _walk_on(store: Store, walk: _Walk) -> bool:
    """Check the next page of events; tell whether there may be another."""
    wanted = EventFilter(after=walk.seq if walk.events else _BEFORE_ALL)
    try:
        rows = await store.read(lambda snapshot: snapshot.events(wanted, limit=walk.page))
    except (StoreBusy, StoreUnusable):
        raise
    except StoreError as error:  # a row whose bytes are no text: find it alone
        if walk.page == 1:
            walk.bad = (walk.seq + 1, f"the event after seq {walk.seq} can't be read: {error}")
            return False
        walk.page = 1
        return True
    for row in rows:
        _step(walk, row)
        if walk.bad is not None:
            return False
    return len(rows) == walk.page


def _step(walk: _Walk, row: EventRow) -> None:
    """Check one event against what came before it."""
    seq = row["seq"]
    if not isinstance(seq, int):
        walk.bad = (walk.seq + 1, f"the event after seq {walk.seq} has no whole number for a seq")
        return
    if walk.events == 0 and seq > 1:
        walk.pruned_to, walk.pruned_hash = seq - 1, str(row["prev"])
        walk.seq, walk.hash, walk.is_prune_told = seq - 1, str(row["prev"]), False
    walk.bad = _fault(walk, seq, row)
    if walk.bad is None:
        walk.seq, walk.hash = seq, str(row["hash"])
        walk.events += 1
        walk.is_prune_told = walk.is_prune_told or _tells_of_prune(walk, row)


def _fault(walk: _Walk, seq: int, row: EventRow) -> tuple[int, str] | None:
    if seq != walk.seq + 1:
        return walk.seq + 1, f"event {walk.seq + 1} is missing: {seq} follows {walk.seq}"
    if row["hash"] != hash_of(str(row["prev"]), row):
        return seq, f"event {seq} is not as it was written: its hash does not fit its fields"
    if row["prev"] != walk.hash:
        first = max(walk.seq, 1)
        return first, f"event {seq} was not written behind event {walk.seq} as it is now"
    anchored = walk.due.pop(seq, None)
    if anchored is None:
        return None
    walk.anchors += 1
    if anchored != row["hash"]:
        return seq, f"event {seq} has another hash than its anchor: the log was written anew"
    return None


def _tells_of_prune(walk: _Walk, row: EventRow) -> bool:
    counts = row["counts"]
    return (
        row["type"] == "activity_pruned"
        and isinstance(counts, Mapping)
        and counts.get("last") == walk.pruned_to
        and row["ref"] == walk.pruned_hash
    )


def _missing_at_the_end(walk: _Walk, anchors: Anchors | None) -> tuple[int, str] | None:
    if not walk.is_prune_told:
        return (
            walk.pruned_to + 1,
            f"the log begins after event {walk.pruned_to}, and no event tells that it was pruned",
        )
    beyond = [seq for seq in walk.due if seq > walk.seq]
    if beyond:
        cut = (
            f"the log ends at event {walk.seq}, and an anchor knows event {max(beyond)}: its tail "
            "was cut, or an old copy was put back"
        )
        return walk.seq + 1, cut
    if anchors is not None and anchors.bad_line:
        unreadable = (
            f"line {anchors.bad_line} of the anchor file is not a seq and a hash, so that the "
            "events can't be compared with it"
        )
        return walk.seq + 1, unreadable
    return None
