"""Write the expected texts and the reference page anew: `python -m tests.config.regenerate`. Read the diff before a commit."""

import os

from brain.config import render_reference
from tests.config.expected import BAD, REFERENCE, REPO, expected_file, rendered


def main() -> None:
    os.chdir(REPO)
    REFERENCE.write_text(render_reference(), encoding="utf-8")
    for path in sorted(BAD.glob("*.json")):
        expected_file(path).write_text(rendered(path), encoding="utf-8")


if __name__ == "__main__":
    main()
