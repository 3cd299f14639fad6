"""The machine's own time zone, through summer time and back."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from brain.clock import SystemClock

pytestmark = pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs time.tzset (POSIX)")


@pytest.fixture
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        # The rules in full: a machine without zone files would take the name for UTC.
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_berlin")
def test_the_zone_of_the_machine_knows_both_sides_of_a_change_of_summer_time() -> None:
    zone, berlin = SystemClock().zone(), ZoneInfo("Europe/Berlin")
    start = datetime(2026, 1, 1, tzinfo=UTC)

    for quarters in range(0, 4 * 24 * 366, 3):
        moment = start + timedelta(minutes=15 * quarters)
        here, there = moment.astimezone(zone), moment.astimezone(berlin)
        assert (here.replace(tzinfo=None), here.fold) == (there.replace(tzinfo=None), there.fold)
        assert here.astimezone(UTC) == moment


@pytest.mark.usefixtures("in_berlin")
@pytest.mark.parametrize("fold", [0, 1])
@pytest.mark.parametrize("day", [datetime(2026, 3, 29, 2, 30), datetime(2026, 10, 25, 2, 30)])  # noqa: DTZ001 (a time on the wall)
def test_a_skipped_and_a_repeated_time_are_read_as_zoneinfo_reads_them(
    day: datetime, fold: int
) -> None:
    zone, berlin = SystemClock().zone(), ZoneInfo("Europe/Berlin")
    wall = day.replace(fold=fold)

    assert wall.replace(tzinfo=zone).astimezone(UTC) == wall.replace(tzinfo=berlin).astimezone(UTC)
