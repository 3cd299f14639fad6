"""When a model is asked again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.agent.retries import retry_delay
from brain.errors import ModelBusy, ModelError, ModelRefused, ModelTimedOut, ModelUnreachable


def _delay(
    error: ModelError, *, attempt: int = 0, max_retries: int = 3, chance: float = 1.0
) -> float | None:
    return retry_delay(error, attempt=attempt, max_retries=max_retries, chance=chance)


def test_the_ceiling_of_the_jitter_begins_at_200_ms_and_doubles():
    error = ModelUnreachable("down")
    assert [_delay(error, attempt=attempt) for attempt in range(4)] == [0.2, 0.4, 0.8, None]
    assert _delay(error, attempt=2, chance=0.25) == 0.2


def test_what_the_server_asks_for_is_waited_up_to_half_a_minute():
    assert _delay(ModelBusy("429", retry_after_seconds=7)) == 7
    assert _delay(ModelBusy("503", retry_after_seconds=3600)) == 30


@pytest.mark.parametrize("error", [ModelRefused("500"), ModelTimedOut("late"), ModelError("?")])
def test_nothing_else_is_tried_again(error: ModelError):
    assert _delay(error) is None


def test_without_retries_in_the_config_nothing_is_tried_again():
    assert _delay(ModelUnreachable("down"), max_retries=0) is None


@given(st.integers(0, 60), st.floats(0, 1), st.floats(0, 1e6))
def test_no_wait_is_longer_than_half_a_minute(attempt: int, chance: float, wish: float):
    delay = retry_delay(
        ModelBusy("busy", retry_after_seconds=wish),
        attempt=attempt,
        max_retries=61,
        chance=chance,
    )
    assert delay is not None
    assert 0 <= delay <= 30
