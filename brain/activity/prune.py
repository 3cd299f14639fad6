"""Events that are older than the config keeps go, and an event tells of it in the same transaction."""

from datetime import datetime, timedelta
from typing import Final

from brain.activity.events import Draft
from brain.activity.recorder import Recorder
from brain.clock import to_rfc3339
from brain.store import EventFilter, Store, Transaction

__all__ = ["prune_events"]

_BATCH: Final = 1000
"""How many events one transaction removes, so that nobody waits long for the writer."""


async def prune_events(store: Store, recorder: Recorder, *, keep_days: int, now: datetime) -> int:
    """Remove what lies before the oldest event that is to be kept; return how many events went.

    The log stays verifiable: each `activity_pruned` carries the first and the last seq removed and,
    as `ref`, the hash of the last. Raises StoreError; what was removed before that stays removed.
    """
    limit = to_rfc3339(now - timedelta(days=keep_days))
    oldest = await store.read(lambda rows: rows.events(EventFilter(), limit=1))
    if not oldest or str(oldest[0]["at"]) >= limit:
        return 0  # the common case costs one row
    removed = 0
    while batch := await store.write(lambda tx: _prune_batch(tx, recorder, limit)):
        removed += batch
    return removed


def _prune_batch(tx: Transaction, recorder: Recorder, limit: str) -> int:
    head, _ = tx.event_head()
    oldest = tx.events(EventFilter(), limit=_BATCH)
    first = last = 0
    digest = ""
    for row in oldest:
        seq = row["seq"]
        if not isinstance(seq, int) or seq == head or str(row["at"]) >= limit:
            break
        first, last, digest = first or seq, seq, str(row["hash"])
    if not last:
        return 0
    recorder.append(
        tx, Draft(type="activity_pruned", counts={"first": first, "last": last}, ref=digest)
    )
    return tx.drop_events(through=last)
