"""Write the reference files that are made from the code: `python -m tests.docs.reference`."""

from brain.activity.reference import render_page, render_schema
from brain.transfer import render_export_schema
from tests.docs.pages import ROOT

EVENTS_PAGE = ROOT / "docs" / "reference" / "events.md"
EVENTS_SCHEMA = ROOT / "schemas" / "event.schema.json"
EXPORT_SCHEMA = ROOT / "schemas" / "export.schema.json"


def main() -> None:
    EVENTS_PAGE.write_text(render_page(), encoding="utf-8")
    EVENTS_SCHEMA.write_text(render_schema(), encoding="utf-8")
    EXPORT_SCHEMA.write_text(render_export_schema(), encoding="utf-8")


if __name__ == "__main__":
    main()
