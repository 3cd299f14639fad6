"""When a reply that was not delivered is tried again, and for how long. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from brain.store import Delivery

__all__ = ["KEPT_TRYING", "expires", "is_due", "is_last_try", "next_try_at", "seconds_until_due"]

FIRST_SECONDS: Final = 1.0
LONGEST_SECONDS: Final = 3600.0
"""Where doubling ends, and the most that a receiver's Retry-After is followed."""

KEPT_TRYING: Final = timedelta(days=3)
"""Long enough for a receiver that breaks on a Friday evening."""

_MOST_DOUBLINGS: Final = 16


def expires(at: datetime) -> datetime:
    """Return the moment behind which a failure is the last, for a reply that is tried from `at` on."""
    return at + KEPT_TRYING


def next_try_at(now: datetime, *, tries: int, wait_seconds: float, jitter: float) -> datetime:
    """Return when to try again after `tries` failures; `jitter` is in [0, 1).

    The pause is random below a bound that doubles from a second ("full jitter": Brooker,
    Exponential Backoff And Jitter, 2015), and at least what the receiver asked for.
    """
    bound = min(FIRST_SECONDS * 2.0 ** min(tries - 1, _MOST_DOUBLINGS), LONGEST_SECONDS)
    return now + timedelta(seconds=max(min(wait_seconds, LONGEST_SECONDS), jitter * bound))


def is_last_try(delivery: Delivery, now: datetime) -> bool:
    """Tell whether a failure at `now` is the one after which it is given up."""
    return now >= delivery.expires_at


def is_due(delivery: Delivery, now: datetime) -> bool:
    """Tell whether a reply is to be tried now.

    One that is due later than any pause lasts was put off by a clock that has been set back since.
    """
    return not 0 < (delivery.due_at - now).total_seconds() <= LONGEST_SECONDS


def seconds_until_due(deliveries: Sequence[Delivery], now: datetime, *, at_most: float) -> float:
    """Return how long nothing of these is to be done."""
    left = [max(0.0, (each.due_at - now).total_seconds()) for each in deliveries]
    return min([at_most, *left])
