"""Contracts and completeness."""

import re
import subprocess
import sys
from pathlib import Path

from tests.architecture.sources import ROOT, package_sources


def test_the_import_contracts_hold() -> None:
    tool = Path(sys.executable).parent / "lint-imports"

    done = subprocess.run(
        [tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_is_left_to_do_in_the_code() -> None:
    left = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|NotImplementedError|To be written")

    found = [
        f"{source.path}:{number} {line.strip()}"
        for source in package_sources()
        for number, line in enumerate(source.text.splitlines(), start=1)
        if left.search(line)
    ]

    assert found == []
