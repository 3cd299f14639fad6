from datetime import UTC, datetime, timedelta, timezone

import pytest

from brain.cli.moments import parse_since
from brain.errors import UsageError

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
EAST = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("90s", datetime(2026, 3, 2, 8, 58, 30, tzinfo=UTC)),
        ("30m", datetime(2026, 3, 2, 8, 30, tzinfo=UTC)),
        ("2H", datetime(2026, 3, 2, 7, 0, tzinfo=UTC)),
        ("1d", datetime(2026, 3, 1, 9, 0, tzinfo=UTC)),
        ("1w", datetime(2026, 2, 23, 9, 0, tzinfo=UTC)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=EAST)),
        ("2026-03-01T10:00", datetime(2026, 3, 1, 10, tzinfo=EAST)),
        ("2026-03-01T10:00Z", datetime(2026, 3, 1, 10, tzinfo=UTC)),
    ],
)
def test_a_moment_is_read_as_people_write_it(text: str, moment: datetime) -> None:
    assert parse_since(text, now=NOW, zone=EAST) == moment


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2x", "-1h", "2026-13-01", "999999w", "0001-01-01"]
)
def test_what_is_no_moment_is_refused_with_what_would_be_one(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_since(text, now=NOW, zone=EAST)

    assert repr(text) in refused.value.message
    assert "2h" in refused.value.fix
