"""Every kind of store there is: the contract tests run on each."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brain.config import Storage
from brain.store import Store, open_store
from tests.clocks import FakeClock


@pytest.fixture(params=["file", "memory"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock
) -> AsyncIterator[Store]:
    storage = Storage(path=tmp_path / "home" / "brain.db") if request.param == "file" else None
    async with open_store(storage, clock=clock) as opened:
        yield opened
