"""When a reply is tried again: a pure decision."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from brain.channels.webhook.posted import seconds_asked_for
from brain.runtime.backoff import (
    LONGEST_SECONDS,
    expires,
    is_due,
    is_last_try,
    next_try_at,
    seconds_until_due,
)
from brain.store import Delivery

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
JITTER = st.floats(0, 1, exclude_max=True)
TRIES = st.integers(1, 10_000)


def due(at: datetime) -> Delivery:
    return Delivery(
        delivery_id="x",
        channel="hook",
        conversation="c",
        sender="s",
        body="{}",
        at=NOW,
        due_at=at,
        expires_at=expires(NOW),
    )


@given(tries=TRIES, jitter=JITTER, asked=st.floats(0, 1e12))
def test_a_pause_is_never_longer_than_an_hour_nor_shorter_than_asked_for(
    tries: int, jitter: float, asked: float
) -> None:
    pause = (next_try_at(NOW, tries=tries, wait_seconds=asked, jitter=jitter) - NOW).total_seconds()

    assert min(asked, LONGEST_SECONDS) <= pause + 1e-5
    assert pause <= LONGEST_SECONDS


@given(tries=st.integers(1, 12), jitter=JITTER)
def test_the_bound_doubles_from_a_second(tries: int, jitter: float) -> None:
    pause = next_try_at(NOW, tries=tries, wait_seconds=0, jitter=jitter) - NOW

    assert pause.total_seconds() <= 2.0 ** (tries - 1)


def test_the_longest_pause_is_reached_and_spread() -> None:
    pauses = [
        (next_try_at(NOW, tries=30, wait_seconds=0, jitter=jitter) - NOW).total_seconds()
        for jitter in (0.0, 0.25, 0.5)
    ]

    assert pauses == [0.0, 900.0, 1800.0]


@given(seconds=st.floats(-1e6, 1e6))
def test_a_reply_is_due_in_its_time_and_when_a_clock_was_set_back(seconds: float) -> None:
    delivery = due(NOW + timedelta(seconds=seconds))
    left = (delivery.due_at - NOW).total_seconds()

    assert is_due(delivery, NOW) == (left <= 0 or left > LONGEST_SECONDS)


@given(st.lists(st.floats(0, 1e4), max_size=5))
def test_nobody_waits_past_what_is_due_next(seconds: list[float]) -> None:
    waiting = tuple(due(NOW + timedelta(seconds=each)) for each in seconds)

    found = seconds_until_due(waiting, NOW, at_most=5)

    assert 0 <= found <= 5
    assert all(found <= each + 1e-5 for each in seconds)


def test_it_is_tried_for_three_days() -> None:
    delivery = due(NOW)

    assert not is_last_try(delivery, NOW + timedelta(days=3, seconds=-1))
    assert is_last_try(delivery, NOW + timedelta(days=3))


def test_retry_after_is_a_number_or_a_date_and_anything_else_is_none() -> None:
    told = {
        text: seconds_asked_for(text, now=NOW)
        for text in (
            "120",
            " 7 ",
            "Mon, 02 Mar 2026 12:01:00 GMT",
            "Mon, 02 Mar 2026 11:00:00 GMT",
            "soon",
            "-5",
            "",
            "9" * 400,
            "1.5",
        )
    }

    assert list(told.values()) == [120, 7, 60, 0, 0, 0, 0, 1e9, 0]
