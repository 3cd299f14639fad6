"""Messages that came in and whose exchange came to no end: its process was killed, or its store failed.

Each gets its end on record, once: at the next start, or with the end of the run that took it in.
"""

from collections.abc import Sequence
from typing import Final

from brain.activity import Draft, Recorder
from brain.store import EventRow, Transaction

__all__ = ["INTERRUPTED", "end_messages"]

INTERRUPTED: Final = "interrupted"
"""The outcome of an exchange that nobody will end any more."""


def end_messages(tx: Transaction, recorder: Recorder, runs: Sequence[str]) -> None:
    """Record how each message of these runs ended that has no end; the runs do nothing any more.

    A message that waits to be answered at the next start has not come in by the record: that it
    came in is stored with the beginning of its exchange.
    """
    for row in tx.unended_messages(runs):
        recorder.append(tx, _end_of(row))


def _end_of(row: EventRow) -> Draft:
    def text(name: str) -> str | None:
        value = row.get(name)
        return value if isinstance(value, str) else None

    return Draft(
        type="exchange_failed",
        brain=text("brain"),
        channel=text("channel"),
        conversation=text("conversation"),
        actor=text("actor"),
        exchange=text("exchange"),
        outcome=INTERRUPTED,
        revision=text("revision"),
    )
