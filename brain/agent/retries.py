"""When a model that could not take a question is asked again. Pure."""

from typing import Final

from brain.errors import ModelBusy, ModelError, ModelUnreachable

__all__ = ["retry_delay"]

FIRST_CEILING_SECONDS: Final = 0.2
MOST_SECONDS: Final = 30.0  # a person waits: no longer, whatever the server wishes


def retry_delay(
    error: ModelError, *, attempt: int, max_retries: int, chance: float
) -> float | None:
    """Return how many seconds to wait before asking again, or None to give up.

    Only what may pass by itself is tried again: nothing answers, or the server is busy. `attempt`
    counts from 0; `chance` is a random number in 0..1. Full jitter: anything up to a ceiling that
    doubles each time, but never less than the server asked for.
    """
    if attempt >= max_retries or not isinstance(error, ModelBusy | ModelUnreachable):
        return None
    ceiling = min(FIRST_CEILING_SECONDS * 2.0**attempt, MOST_SECONDS)
    wish = error.retry_after_seconds if isinstance(error, ModelBusy) else 0.0
    return max(chance * ceiling, min(wish, MOST_SECONDS))
