"""The one way an event gets into the log: a place in the chain, inside the change's transaction."""

from brain.activity.events import Draft
from brain.store import EventRow, Transaction

__all__ = ["Recorder"]


class Recorder:
    """Appends events of one process run. `revision` is what an event without one carries."""

    def __init__(self, *, run_id: str, revision: str) -> None:
        self.run_id = run_id
        self.revision = revision

    def append(self, tx: Transaction, draft: Draft) -> EventRow:
        """Give `draft` its seq, id, time and hash, append it to the log of `tx`, return the row."""
        raise NotImplementedError
