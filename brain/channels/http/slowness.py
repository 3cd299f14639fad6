"""Guessing costs time: answers to wrong tokens and codes are held back."""

from typing import Final

from brain.channels.http.refusal import Refusal
from brain.clock import Clock

__all__ = ["Slowness"]

REMEMBERED_SECONDS: Final = 60.0
FIRST_DELAY_SECONDS: Final = 0.1
LONGEST_DELAY_SECONDS: Final = 2.0
WAITING_AT_MOST: Final = 64
"""How many refused requests are held back at once: behind them the answer comes at once, as 429."""


class Slowness:
    """Holds back the answers to wrong tokens, longer with each one of the last minute."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failed_at: list[float] = []
        self._waiting = 0

    async def hold_back(self) -> None:
        """Wait. Raises Refusal where too many are held back already."""
        now = self._clock.monotonic()
        self._failed_at = [at for at in self._failed_at if now - at < REMEMBERED_SECONDS]
        self._failed_at = [*self._failed_at[-WAITING_AT_MOST:], now]
        if self._waiting >= WAITING_AT_MOST:
            raise Refusal(
                429, "too_many_failures", "too many wrong tokens", headers={"Retry-After": "60"}
            )
        doublings = min(len(self._failed_at) - 1, 10)
        self._waiting += 1
        try:
            await self._clock.sleep(min(FIRST_DELAY_SECONDS * 2**doublings, LONGEST_DELAY_SECONDS))
        finally:
            self._waiting -= 1
