"""Which events, in which order: what every face lists them with."""

from brain.store import EventFilter, EventRow, Store

__all__ = ["list_events"]


async def list_events(
    store: Store, wanted: EventFilter, *, limit: int, newest: bool = True
) -> tuple[EventRow, ...]:
    """Return up to `limit` events in order of seq: the newest ones, or the first that match."""
    return await store.read(lambda rows: rows.events(wanted, limit=limit, newest=newest))
