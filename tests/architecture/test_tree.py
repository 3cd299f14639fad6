"""What lies in the project: nothing beside the agreed entries, nothing of one person's machine."""

import re

from tests.architecture.sources import ROOT, tracked_files

TOP_LEVEL = {
    ".ci", ".gitignore", "CHANGELOG.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
    "brain", "config", "docs", "examples", "pyproject.toml", "schemas", "tests",
}  # fmt: skip
TEXT = (".py", ".md", ".json", ".toml", ".yml", ".yaml", ".txt", ".jsonl", "Makefile", ".ci/run")
MACHINE = re.compile(
    r"/(?:home|Users)/[a-z][\w.-]*/"  # somebody's folder
    r"|/(?:root|work|opt)/(?!\.ollama\b)[\w.-]+"  # where the Ollama image keeps its models
    r"|\b(?:index-url|find-links|extra-index-url)\b\s*="  # somebody's package index
)
BIGGEST_FILE = 512 * 1024


def test_the_top_level_holds_the_agreed_entries_only() -> None:
    assert {name.split("/", 1)[0] for name in tracked_files()} - TOP_LEVEL == set()


def test_no_file_names_a_place_of_one_machine() -> None:
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1} {match.group()}"
        for name in tracked_files()
        if name.endswith(TEXT) and name != "tests/architecture/test_tree.py"
        for text in [(ROOT / name).read_text(encoding="utf-8", errors="replace")]
        for match in MACHINE.finditer(text)
    ]

    assert found == []


def test_no_big_file_is_kept_in_the_project() -> None:
    big = [name for name in tracked_files() if (ROOT / name).stat().st_size > BIGGEST_FILE]

    assert big == []


def test_what_ci_runs_can_be_run() -> None:
    script = ROOT / ".ci" / "run"

    assert script.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    assert script.stat().st_mode & 0o111
