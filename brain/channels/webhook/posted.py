"""What the receiver of a reply said to it. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

__all__ = ["Posted", "seconds_asked_for"]

_MOST_DIGITS: Final = 9
_MOST_RUNES: Final = 64  # no date is that long


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """What came of a try. `failure` is a word from a closed set, or `status_404`; empty: delivered.

    `wait_seconds` is how long the receiver asked to be left alone.
    """

    failure: str = ""
    wait_seconds: float = 0.0


def seconds_asked_for(retry_after: str, *, now: datetime) -> float:
    """Return the seconds of a `Retry-After`, which is a number or a date; 0 for anything else."""
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(text) if len(text) <= _MOST_DIGITS else float(10**_MOST_DIGITS)
    try:
        moment = parsedate_to_datetime(text[:_MOST_RUNES])
        aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return max(0.0, (aware - now).total_seconds())
    except (ValueError, OverflowError):  # no date, or one that no calendar has
        return 0.0
