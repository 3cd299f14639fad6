"""When a call to a model is tried again: a pure decision, and the loop that follows it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from brain.clock import Clock
from brain.errors import ModelBusy, ModelError, ModelUnreachable
from brain.models.ports import Delta

__all__ = ["pause_before_retry", "retrying"]

_FIRST_PAUSE_SECONDS: Final = 0.2
_LONGEST_PAUSE_SECONDS: Final = 30.0  # what Retry-After may ask for, and where doubling ends


def pause_before_retry(
    error: ModelError, *, retries_made: int, max_retries: int, has_output: bool, jitter: float
) -> float | None:
    """Return how many seconds to wait before trying again, None where that is not to be done.

    Only a server that can't be reached or says it is busy is asked again, and never after a part of
    the answer went out. The pause is random below a bound that doubles from 200 ms ("full jitter":
    Brooker, Exponential Backoff And Jitter, 2015), and at least what Retry-After asks for; a server
    that asks for more than 30 s is not waited for. `jitter` is in [0, 1).
    """
    if has_output or retries_made >= max_retries:
        return None
    if not isinstance(error, ModelUnreachable | ModelBusy):
        return None
    wish = error.retry_after_seconds if isinstance(error, ModelBusy) else 0.0
    if wish > _LONGEST_PAUSE_SECONDS:
        return None
    bound = min(_FIRST_PAUSE_SECONDS * 2.0**retries_made, _LONGEST_PAUSE_SECONDS)
    return max(wish, jitter * bound)


async def retrying(
    ask: Callable[[], AsyncGenerator[Delta, None]],
    *,
    max_retries: int,
    clock: Clock,
    jitter: Callable[[], float],
) -> AsyncGenerator[Delta, None]:
    """Yield the deltas of the first `ask()` that does not end in an error worth a retry."""
    retries_made = 0
    while True:
        has_output = False
        answer = ask()
        try:
            async with aclosing(answer):
                async for delta in answer:
                    has_output = True
                    yield delta
        except ModelError as error:
            pause = pause_before_retry(
                error,
                retries_made=retries_made,
                max_retries=max_retries,
                has_output=has_output,
                jitter=jitter(),
            )
            if pause is None:
                raise
        else:
            return
        retries_made += 1
        await clock.sleep(pause)
