"""Time is a parameter: the one place of brain that reads a clock or sleeps."""

import asyncio
import time
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Protocol

__all__ = ["Clock", "SystemClock", "to_milliseconds", "to_rfc3339"]


class Clock(Protocol):
    """What brain may know of time."""

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC. It may jump, as wall clocks do."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go backwards, from an arbitrary start."""
        ...

    def zone(self) -> tzinfo:
        """Return the time zone in which `session.daily_at` is read."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    def zone(self) -> tzinfo:
        return _MachineZone()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _MachineZone(tzinfo):
    """The time zone of the machine with its whole history.

    `datetime.astimezone()` gives the offset of one moment, which is wrong on the other side of a
    change to or from summer time.
    """

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return None if moment is None else moment.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, _moment: datetime | None) -> timedelta | None:
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        return None if moment is None else moment.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, moment: datetime) -> datetime:
        here = moment.replace(tzinfo=UTC).astimezone()
        first = here.replace(tzinfo=self, fold=0)
        return first if first.utcoffset() == here.utcoffset() else first.replace(fold=1)


def to_milliseconds(moment: datetime) -> int:
    """Return whole milliseconds since the epoch of an aware datetime."""
    return round(moment.timestamp() * 1000)


def to_rfc3339(moment: datetime) -> str:
    """Return `2026-01-31T09:30:00.123Z`: UTC, milliseconds, as events write it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
