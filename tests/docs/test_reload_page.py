"""docs/reload.md says what the code does."""

from brain.config import RESTART_ONLY
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "reload.md"


def test_the_page_lists_what_needs_a_restart_as_the_code_does() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index("<!-- restart: ") : text.index("<!-- end of restart -->")]

    rows = [line for line in table.splitlines() if line.startswith("| `")]

    assert rows == [f"| `{path}` | {meaning} |" for path, meaning in RESTART_ONLY.items()]
