"""What the runtime says itself of a message that gets no answer. Pure."""

from typing import assert_never

from brain.records import Reply
from brain.runtime.intake import Refusal

__all__ = ["failed", "interrupted", "refused"]


def failed(exchange_id: str, told: str, *, code: str) -> Reply:
    """Return the reply that tells of a failure in words that its sender may read."""
    return Reply(text=told, outcome="failed", exchange_id=exchange_id, code=code)


def interrupted(exchange_id: str) -> Reply:
    """Return the reply to a message whose exchange had begun and came to no end."""
    return Reply(
        text="brain had begun to answer this message and was stopped. What its tools had done by "
        "then stands, /notes shows what is stored. Send it as a new message to have it answered.",
        outcome="failed",
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
