from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.page.browser import open_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """One Chromium for the tests of a file. It ends with them: its loop would be in others' way."""
    with open_browser() as opened:
        yield opened
