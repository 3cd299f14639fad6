from pathlib import Path

import pytest

from brain.activity.reference import render_page, render_schema
from brain.transfer import render_export_schema
from tests.docs.reference import EVENTS_PAGE, EVENTS_SCHEMA, EXPORT_SCHEMA


@pytest.mark.parametrize(
    ("path", "made"),
    [
        (EVENTS_PAGE, render_page()),
        (EVENTS_SCHEMA, render_schema()),
        (EXPORT_SCHEMA, render_export_schema()),
    ],
    ids=["events.md", "event.schema.json", "export.schema.json"],
)
def test_what_is_made_from_the_code_is_as_the_code_makes_it(path: Path, made: str) -> None:
    assert path.read_text(encoding="utf-8") == made, "write it with: python -m tests.docs.reference"
