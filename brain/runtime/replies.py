"""What the runtime says itself of a message that gets no answer. Pure."""

from dataclasses import dataclass
from typing import Final, assert_never

from brain.errors import StoreError
from brain.records import Effect, Reader, Reply
from brain.runtime.intake import Refusal

__all__ = ["SoFar", "failed", "interrupted", "refused"]

FAULT: Final = (
    "Something went wrong inside brain; the message was taken in and not answered. The log on stderr "
    "has the details; ask again."
)
DONE_ALL_THE_SAME: Final = "What is told of notes below is so all the same."


@dataclass(slots=True, kw_only=True)
class SoFar:
    """What an exchange has done to notes so far: its reply says so, however it ends."""

    exchange_id: str
    reader: Reader
    effects: tuple[Effect, ...] = ()

    def hear(self, effects: tuple[Effect, ...]) -> None:
        """Take what has been done by now."""
        self.effects = effects

    def not_stored(self, error: StoreError) -> Reply:
        """Return the reply of an exchange that the store did not take."""
        return self._ended(error.told(is_operator=self.reader.is_operator), code="store")

    def fault(self) -> Reply:
        """Return the reply of an exchange that a fault of brain put an end to."""
        return self._ended(FAULT, code="internal")

    def cut(self) -> Reply:
        """Return the reply of an exchange that was cancelled."""
        return Reply(
            text="",
            outcome="cancelled",
            effects=self.effects,
            reader=self.reader,
            exchange_id=self.exchange_id,
        )

    def _ended(self, told: str, *, code: str) -> Reply:
        return Reply(
            text=f"{told} {DONE_ALL_THE_SAME}" if self.effects else told,
            outcome="failed",
            effects=self.effects,
            reader=self.reader,
            exchange_id=self.exchange_id,
            code=code,
        )


def failed(exchange_id: str, told: str, *, code: str) -> Reply:
    """Return the reply that tells of a failure in words that its sender may read."""
    return Reply(text=told, outcome="failed", exchange_id=exchange_id, code=code)


def interrupted(exchange_id: str, cut: Reply | None = None) -> Reply:
    """Return the reply to a message whose exchange had begun and came to no end.

    `cut` is what is known of it, where brain was there when it was cut off.
    """
    return Reply(
        text="brain had begun to answer this message and was stopped. What its tools had done by "
        "then stands, /notes shows what is stored. Send it as a new message to have it answered.",
        outcome="failed",
        effects=() if cut is None else cut.effects,
        reader=Reader() if cut is None else cut.reader,
        exchange_id=exchange_id,
        code="interrupted",
    )


def refused(exchange_id: str, why: Refusal) -> Reply:
    """Return the reply to a message that is not taken up."""
    match why:
        case "repeated":
            return Reply(text="", outcome="repeated", exchange_id=exchange_id, code="repeated")
        case "interrupted":
            return interrupted(exchange_id)
        case "forgotten":
            told = (
                "This message was forgotten while it waited, and was not answered. Send it again, "
                "if it is to be answered."
            )
            return failed(exchange_id, told, code="forgotten")
    assert_never(why)
