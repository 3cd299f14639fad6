"""Whatever stands in the file, the answer is a report."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain.config import check_config, render_problems
from tests.config.expected import REPO
from tests.config.strategies import damaged_texts, mutations

GOOD = [
    json.loads((REPO / name).read_text(encoding="utf-8"))
    for name in (
        "config/brain.json",
        "examples/two-brains-two-channels.json",
        "tests/configs/good/every-field.json",
    )
]


def resolve(document: Any, pointer: str) -> bool:
    """Say whether an RFC 6901 pointer finds a value, its last part aside (it may be missing)."""
    for part in pointer.split("/")[1:-1]:
        name = part.replace("~1", "/").replace("~0", "~")
        document = document[int(name) if isinstance(document, list) else name]
    return isinstance(document, dict | list)


@pytest.mark.proves("P1")
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(document=st.sampled_from(GOOD).flatmap(mutations))
def test_a_mutated_config_gives_a_report_whose_every_problem_has_its_place(
    tmp_path: Path, document: Any
) -> None:
    path = tmp_path / "brain.json"
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    environ = {"XDG_DATA_HOME": str(tmp_path)}

    report = check_config(path, environ=environ, static=False)

    assert (report.config is None) == bool(report.problems)
    for each in (*report.problems, *report.warnings):
        assert each.line >= 1
        assert each.column >= 1
        assert each.found
        assert each.expected
        assert resolve(document, each.pointer)
    for as_json in (False, True):
        text = render_problems(report, as_json=as_json)
        text.encode("utf-8")
        assert all(character.isprintable() or character == "\n" for character in text)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    scheme=st.sampled_from(["http", "https", "ftp"]),
    rest=st.text(st.sampled_from("ab.:[]@/?#%1 \\\u00e9\u3002"), max_size=20),
    addr=st.sampled_from(["127.0.0.1:2112", "[::1]:80", "0.0.0.0:8080"]),
)
def test_any_address_for_replies_gives_a_report_and_one_that_passes_can_be_asked(
    tmp_path: Path, scheme: str, rest: str, addr: str
) -> None:
    document = {**GOOD[0], "storage": {}, "server": {"addr": addr, "token_env": "T"}}
    webhook = {"token_env": "H", "outbound_url": f"{scheme}://{rest}"}
    document["channels"] = [{"type": "webhook", "webhook": webhook}]
    path = tmp_path / "brain.json"
    path.write_text(json.dumps(document), encoding="utf-8")

    report = check_config(path, environ={}, static=True)

    if report.config is not None:
        assert httpx.URL(webhook["outbound_url"]).host


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=damaged_texts().map(str.encode) | st.binary(max_size=60))
def test_any_bytes_give_a_report(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "brain.json"
    path.write_bytes(content)

    report = check_config(path, environ={}, static=True)

    assert report.problems
    assert render_problems(report)


HUGE = "9" * 4300  # the longest integer that Python writes out


@pytest.mark.parametrize(
    "agent",
    [
        {"memory": {"max_notes": 0, "max_note_runes": 0, "budget_runes": 1}},
        {"memory": {"max_notes": 10, "max_note_runes": 0}},
        {"memory": {"max_notes": 0}, "max_iterations": 0},
    ],
)
def test_numbers_beyond_all_measure_are_told_and_not_reckoned_with(
    tmp_path: Path, agent: dict[str, Any]
) -> None:
    document = {"storage": {}, **GOOD[0]}
    document["brains"] = [
        {**GOOD[0]["brains"][0], "agent": {**GOOD[0]["brains"][0]["agent"], **agent}}
    ]
    path = tmp_path / "brain.json"
    path.write_text(json.dumps(document).replace(": 0", f": {HUGE}"), encoding="utf-8")

    report = check_config(path, environ={}, static=True)

    assert {each.code for each in report.problems} == {"out_of_range"}


@pytest.mark.parametrize(
    "text",
    [
        "[" + ",".join(str(number) for number in range(30_000)) + "]",
        "{" + ",".join(f'"k{number}":0' for number in range(10_000)) + "}",
        '{"brains":[{"agent":{"tools":["' + '","'.join("abcdefgh" * 2_000) + '"]}}]}',
        '{"brains":[' + ",".join(["{}"] * 4_000) + "]}",
        '{"' + "k" * 900_000 + '":0}',
    ],
    ids=["list", "keys", "repeats", "brains", "one key"],
)
@pytest.mark.timeout(60)
def test_a_large_file_of_nonsense_is_answered_in_time(tmp_path: Path, text: str) -> None:
    path = tmp_path / "brain.json"
    path.write_text(text, encoding="utf-8")

    report = check_config(path, environ={}, static=False)

    assert report.problems
    assert render_problems(report)
