"""What `make` prints: the set-up talks on stderr, so that a pipe through `make run` stays clean."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.architecture.sources import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
SETUP = ROOT / ".ci" / "setup.py"


def recipes() -> list[str]:
    joined = MAKEFILE.replace("\\\n", " ")
    return [line[1:] for line in joined.splitlines() if line.startswith("\t")]


def test_no_recipe_is_echoed() -> None:
    assert [line for line in recipes() if not line.startswith("@")] == []


def test_every_set_up_reads_no_stdin_and_talks_on_stderr() -> None:
    set_ups = [line for line in recipes() if ".ci/setup.py" in line]

    assert len(set_ups) >= 4
    assert [line for line in set_ups if "</dev/null >&2" not in line] == []


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make on this machine")
def test_help_names_every_target_that_is_meant_for_people() -> None:
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)

    targets = set(re.findall(r"^([a-z-]+):(?!=)", MAKEFILE, re.MULTILINE))
    assert {line.split()[1] for line in told.stdout.splitlines()} == targets


def test_a_set_up_of_no_known_kind_is_refused_on_stderr() -> None:
    done = subprocess.run(
        [sys.executable, str(SETUP), "everything"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert "run|test" in done.stderr
