"""A desk for every test of the tools."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clocks import FakeClock
from tests.tools.kit import Desk, open_desk


@pytest.fixture
async def desk(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Desk]:
    """A brain that is allowed everything, with room for three notes."""
    async with open_desk(tmp_path, clock) as opened:
        yield opened
