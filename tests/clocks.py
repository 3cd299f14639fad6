"""A clock that moves when a test says so."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo


class FakeClock:
    """Starts at 2026-03-02 09:00 UTC. `sleep` ends when `advance` has passed its moment."""

    def __init__(
        self, start: datetime = datetime(2026, 3, 2, 9, 0, tzinfo=UTC), zone: tzinfo = UTC
    ) -> None:
        self._now = start
        self._monotonic = 1000.0
        self._zone = zone
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self._passing_seconds = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def zone(self) -> tzinfo:
        return self._zone

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        if seconds <= self._passing_seconds:
            await asyncio.sleep(0)
            return
        future = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._monotonic + seconds, future))
        await future

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self._monotonic]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper[0] > self._monotonic]
        for _, future in due:
            if not future.done():
                future.set_result(None)

    @contextmanager
    def passing(self, seconds: float) -> Iterator[None]:
        """Let sleeps of up to so long end by themselves meanwhile: who looks again and again does so."""
        self._passing_seconds = seconds
        self.advance(seconds)
        try:
            yield
        finally:
            self._passing_seconds = 0.0

    def jump(self, to: datetime) -> None:
        """Set the wall clock, as an administrator or DST might; monotonic time does not move."""
        self._now = to
