"""Moments as people write them: `2h` ago, or a date and time. Pure."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from brain.errors import UsageError

__all__ = ["parse_since"]

_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_AGO: Final = re.compile(r"(\d{1,6})([smhdw])")


def parse_since(text: str, *, now: datetime, zone: tzinfo) -> datetime:
    """Return the moment that `text` means: so long before `now`, or a date, read in `zone`.

    Raises UsageError.
    """
    ago = _AGO.fullmatch(text.strip().casefold())
    try:
        if ago:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone)
        moment.astimezone(UTC)  # the first and the last day of the calendar may have no such moment
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"--since {text!r} is no moment",
            fix="write 45s, 30m, 2h, 7d or 4w, or a moment such as 2026-03-02T09:30",
        ) from error
    return moment
