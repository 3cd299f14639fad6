"""Moments as the database keeps them: whole milliseconds since the epoch, UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

__all__ = ["from_stored", "to_stored", "whole_milliseconds"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def to_stored(moment: datetime) -> int:
    """Return the whole milliseconds of an aware moment, cut and never rounded up."""
    return (moment - _EPOCH) // _MILLISECOND


def from_stored(milliseconds: int) -> datetime:
    """Return the aware moment, in UTC, that was stored."""
    return _EPOCH + milliseconds * _MILLISECOND


def whole_milliseconds(moment: datetime) -> datetime:
    """Return `moment` in UTC as it will read after it was stored."""
    return from_stored(to_stored(moment))
