"""A store of its own for each test of the commands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brain.config import Storage
from brain.store import Store, open_store
from tests.clocks import FakeClock


@pytest.fixture
async def store(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Store]:
    async with open_store(Storage(path=tmp_path / "home" / "brain.db"), clock=clock) as opened:
        yield opened
