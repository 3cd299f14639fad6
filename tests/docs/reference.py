"""Write the reference pages that are made from the code: `python -m tests.docs.reference`."""

from brain.activity import EVENT_TYPES
from tests.docs.pages import ROOT

EVENTS_PAGE = ROOT / "docs" / "reference" / "events.md"


def events_page() -> str:
    types = "\n".join(f"| `{name}` | {sentence} |" for name, sentence in EVENT_TYPES.items())
    return (
        "# Events\n\n"
        "Every type that a row of the Activity feed can have. "
        "[Look at the Activity feed](../activity.md) says how to read and verify it.\n\n"
        f"| type | what it says |\n|---|---|\n{types}\n"
    )


def main() -> None:
    EVENTS_PAGE.write_text(events_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
