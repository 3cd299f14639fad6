"""When a session has ended: minutes of silence, a time of day, and what clocks do to both."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.config import SessionRules
from brain.memory import is_expired

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def why(newest: str | None, now: str, rules: SessionRules, zone: tzinfo = UTC) -> str:
    return is_expired(
        newest_turn_at=None if newest is None else at(newest), now=at(now), rules=rules, zone=zone
    )


@pytest.mark.parametrize(
    ("newest", "now", "reason"),
    [
        (None, "2026-03-09 09:00", ""),
        ("2026-03-02 09:00", "2026-03-02 09:29:59.999", ""),
        ("2026-03-02 09:00", "2026-03-02 09:30", "idle"),
        ("2026-03-02 09:00", "2026-03-09 09:00", "idle"),
        ("2026-03-02 09:00", "2026-03-02 08:00", ""),
        ("2026-03-02 09:00", "2020-01-01 00:00", ""),
    ],
)
def test_idle_counts_from_the_newest_turn_and_never_backwards(
    newest: str | None, now: str, reason: str
) -> None:
    assert why(newest, now, SessionRules(idle_min=30)) == reason


def test_without_rules_about_time_a_session_never_ends() -> None:
    assert why("2020-01-01 00:00", "2026-03-02 09:00", SessionRules()) == ""


@pytest.mark.parametrize(
    ("newest", "now", "reason"),
    [
        (None, "2026-03-09 09:00", ""),
        ("2026-03-02 03:59", "2026-03-02 04:00", "daily"),
        ("2026-03-02 03:59", "2026-03-02 03:59:59", ""),
        ("2026-03-02 04:00", "2026-03-02 23:59", ""),
        ("2026-03-02 04:00", "2026-03-03 03:59", ""),
        ("2026-03-02 04:00", "2026-03-03 04:00", "daily"),
        ("2026-02-02 04:00", "2026-03-03 03:00", "daily"),
        ("2028-02-28 05:00", "2028-02-29 03:00", ""),
        ("2028-02-28 05:00", "2028-02-29 04:00", "daily"),
        ("2028-02-29 05:00", "2028-03-01 04:00", "daily"),
        ("2026-03-02 09:00", "2026-03-02 03:00", ""),
    ],
)
def test_daily_ends_what_was_last_said_before_the_hour_struck(
    newest: str | None, now: str, reason: str
) -> None:
    assert why(newest, now, SessionRules(daily_at="04:00")) == reason


@pytest.mark.parametrize(
    ("newest", "now", "reason"),
    [
        # 2026-03-29 in Berlin: 02:00 CET is followed by 03:00 CEST, at 01:00 UTC.
        ("2026-03-29 00:59:59", "2026-03-29 00:59:59.500", ""),
        ("2026-03-29 00:59:59", "2026-03-29 01:00", "daily"),
        ("2026-03-29 01:00", "2026-03-29 01:40", ""),
        ("2026-03-29 01:00", "2026-03-30 00:29", ""),
        ("2026-03-29 01:00", "2026-03-30 00:30", "daily"),
    ],
)
def test_a_time_that_dst_skips_is_the_first_moment_after_the_gap(
    newest: str, now: str, reason: str
) -> None:
    assert why(newest, now, SessionRules(daily_at="02:30"), BERLIN) == reason


@pytest.mark.parametrize(
    ("newest", "now", "reason"),
    [
        # 2026-10-25 in Berlin: 02:30 comes at 00:30 UTC (CEST) and again at 01:30 UTC (CET).
        ("2026-10-25 00:29", "2026-10-25 00:30", "daily"),
        ("2026-10-25 00:30", "2026-10-25 01:31", ""),
        ("2026-10-25 00:45", "2026-10-25 03:00", ""),
        ("2026-10-25 01:31", "2026-10-26 01:29", ""),
        ("2026-10-25 01:31", "2026-10-26 01:30", "daily"),
    ],
)
def test_a_time_that_comes_twice_counts_once(newest: str, now: str, reason: str) -> None:
    assert why(newest, now, SessionRules(daily_at="02:30"), BERLIN) == reason


@pytest.mark.parametrize(
    ("zone", "newest", "now", "reason"),
    [
        # Lord Howe moves by half an hour: 2026-10-04 02:00 is followed by 02:30, at 15:30 UTC.
        ("Australia/Lord_Howe", "2026-10-03 15:29", "2026-10-03 15:30", "daily"),
        ("Australia/Lord_Howe", "2026-10-03 15:30", "2026-10-03 16:00", ""),
        # Samoa left out 2011-12-30: that day's hour is the first moment of the 31st, at 10:00 UTC.
        ("Pacific/Apia", "2011-12-30 09:59", "2011-12-30 10:00", "daily"),
        ("Pacific/Apia", "2011-12-30 10:00", "2011-12-30 12:14", ""),
        ("Pacific/Apia", "2011-12-30 10:00", "2011-12-30 12:15", "daily"),
    ],
)
def test_odd_time_zones_keep_to_the_same_rule(
    zone: str, newest: str, now: str, reason: str
) -> None:
    assert why(newest, now, SessionRules(daily_at="02:15"), ZoneInfo(zone)) == reason


@pytest.mark.parametrize(
    ("newest", "now", "reason"),
    [
        # 2010-11-07 in St. John's: 00:01 is followed by 23:01 of the day before, at 02:31 UTC.
        ("2010-11-07 02:29", "2010-11-07 02:30", "daily"),
        ("2010-11-07 02:29", "2010-11-07 02:35", "daily"),
        ("2010-11-07 02:30", "2010-11-07 02:35", ""),
        ("2010-11-07 02:35", "2010-11-07 03:31", ""),
        ("2010-11-07 03:31", "2010-11-08 03:29", ""),
        ("2010-11-07 03:31", "2010-11-08 03:30", "daily"),
    ],
)
def test_a_midnight_that_comes_twice_counts_once(newest: str, now: str, reason: str) -> None:
    rules = SessionRules(daily_at="00:00")

    assert why(newest, now, rules, ZoneInfo("America/St_Johns")) == reason


@pytest.mark.parametrize("skipped", ["02:00", "02:10", "02:29", "02:59"])
def test_the_first_moment_after_a_gap_is_exact(skipped: str) -> None:
    rules = SessionRules(daily_at=skipped)
    strikes = "2026-03-29 01:00:00"

    assert why("2026-03-29 00:59:59.999", strikes, rules, BERLIN) == "daily"
    assert why(strikes, "2026-03-29 12:00", rules, BERLIN) == ""


def test_idle_is_named_before_daily_where_both_are_due() -> None:
    rules = SessionRules(idle_min=10, daily_at="04:00")

    assert why("2026-03-02 03:00", "2026-03-02 05:00", rules) == "idle"
    assert why("2026-03-02 03:55", "2026-03-02 04:01", rules) == "daily"


@given(
    newest=st.integers(0, 3 * 365 * 86400).map(
        lambda seconds: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    ),
    hours=st.integers(0, 23),
    minutes=st.integers(0, 59),
    zone=st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"]),
)
def test_the_hour_strikes_once_in_every_stretch_of_a_day_and_a_dst_step(
    newest: datetime, hours: int, minutes: int, zone: str
) -> None:
    rules = SessionRules(daily_at=f"{hours:02}:{minutes:02}")

    def ended(after: timedelta) -> bool:
        reason = is_expired(
            newest_turn_at=newest, now=newest + after, rules=rules, zone=ZoneInfo(zone)
        )
        return reason == "daily"

    assert not ended(timedelta(0))
    assert ended(timedelta(hours=25))
    moments = [ended(timedelta(minutes=10 * step)) for step in range(151)]
    assert moments == sorted(moments), "what has ended does not begin again"
