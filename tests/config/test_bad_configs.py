"""Every rule has a config that breaks it, and the text that its owner reads."""

from pathlib import Path

import pytest

from brain.config import PROBLEM_CODES
from tests.config.expected import BAD, REPO, checked, expected_file, rendered

# No file that is checked in can show these: they depend on the machine or on a size.
SHOWN_ELSEWHERE = {
    "unreadable",
    "too_large",
    "extra_missing",
    "environment_value",
    "secret_unsendable",
    "environment_overrides",
    "not_local",
    "weights_unusable",
    "context_too_large",
    "memory_too_small",
    "box_over_cap",
    "notes_left_behind",
    "network_store",
    "store_unusable",
    "needs_restart",
    "not_recorded",
    "not_applied",
}


@pytest.mark.proves("P1")
@pytest.mark.parametrize("path", sorted(BAD.glob("*.json")), ids=lambda path: path.stem)
def test_a_bad_config_is_told_in_full(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPO)

    assert rendered(path) == expected_file(path).read_text(encoding="utf-8")


def test_every_code_is_shown_by_a_bad_config_and_no_other_is_used() -> None:
    reports = [checked(path) for path in BAD.glob("*.json")]
    told = {each.code for report in reports for each in (*report.problems, *report.warnings)}

    assert told == set(PROBLEM_CODES) - SHOWN_ELSEWHERE


def test_every_expected_text_has_its_config() -> None:
    texts = {path.stem for path in BAD.glob("*.txt")}

    assert texts == {path.stem for path in BAD.glob("*.json")}
