"""A shelf of note boxes for every test of the memory."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from brain.activity import Recorder
from brain.config import Storage
from brain.store import open_store
from tests.clocks import FakeClock
from tests.memory.shelf import Shelf


@pytest.fixture
async def shelf(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Shelf]:
    async with open_store(Storage(path=tmp_path / "brain.db"), clock=clock) as store:
        yield Shelf(store=store, recorder=Recorder(run_id="run1", revision="r1"))
