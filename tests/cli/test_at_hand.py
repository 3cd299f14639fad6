"""What a check and a start say of the store that is there."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from brain.cli.at_hand import store_problems
from brain.config import check_config
from tests.cli.program import SMALL, Program

NOTING = {
    "tools": ["memory_note"],
    "governance": [{"tool": "memory_note", "mode": "allow"}],
    "memory": {"max_notes": 2},
}


def noting(name: str = "assistant", **agent: Any) -> dict[str, Any]:
    config: dict[str, Any] = json.loads(json.dumps({**SMALL, "storage": {"path": "kept/brain.db"}}))
    config["brains"][0].update(name=name, agent={**NOTING, **agent})
    return config


def keep(program: Program, *notes: str) -> None:
    program.write("brain.json", noting())
    for note in notes:
        added = program.run("notes", "add", note, "--config", "brain.json")
        assert added.returncode == 0, added.stderr


ONLY_TIME = {"tools": ["time"], "governance": [{"tool": "time", "mode": "allow"}]}


@pytest.mark.parametrize(
    ("changed", "path", "told"),
    [
        pytest.param(
            noting("helper"),
            "brains",
            ("2 notes of brain 'assistant' in the store", "name the brain 'assistant' again"),
            id="renamed",
        ),
        pytest.param(
            noting(memory={"scope": "brain"}),
            "brains[0].agent",
            ("2 notes of brain 'assistant'", '"memory": {"scope": "conversation"}'),
            id="another scope",
        ),
        pytest.param(
            {**noting(), "brains": [{**noting()["brains"][0], "agent": ONLY_TIME}]},
            "brains[0].agent",
            ("2 notes of brain 'assistant'", '"memory": {"scope": "conversation"}'),
            id="no notes any more",
        ),
        pytest.param(
            noting(memory={"max_notes": 1}),
            "brains[0].agent.memory.max_notes",
            ("1, and 1 box holds more (up to 2 notes)", "nothing is deleted"),
            id="a lower cap",
        ),
    ],
)
def test_a_check_and_a_start_tell_of_notes_that_a_changed_config_leaves_behind(
    program: Program, changed: dict[str, Any], path: str, told: tuple[str, ...]
) -> None:
    keep(program, "likes tea", "lives in Hue")
    before = sorted(entry.name for entry in (program.folder / "kept").iterdir())
    program.write("brain.json", changed)

    check = program.run("check", "--config", "brain.json")
    assert sorted(entry.name for entry in (program.folder / "kept").iterdir()) == before
    run = program.run("run", "--config", "brain.json")

    assert (check.returncode, run.returncode) == (0, 0)
    for text in (check.stdout, run.stderr):
        assert "warning: brain.json:" in text
        assert f"  {path}\n" in text
        assert [each in text for each in told] == [True] * len(told)


def test_a_check_refuses_the_store_that_a_start_would_refuse(program: Program) -> None:
    keep(program, "likes tea")
    path = program.folder / "kept" / "brain.db"
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO migrations (name, at) VALUES ('m999_later', 'then')")
    connection.close()

    done = program.run("check", "--json", "--config", "brain.json")
    started = program.run("run", "--config", "brain.json")

    (problem,) = json.loads(done.stdout)["problems"]
    assert (done.returncode, started.returncode) == (2, 1)
    assert (problem["code"], problem["path"]) == ("store_unusable", "storage")
    assert "was written by a newer brain" in problem["found"]
    assert problem["found"] in started.stderr


def test_a_store_on_the_network_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "brain.json"
    path.write_text(json.dumps({**SMALL, "storage": {"path": "//server/share/brain.db"}}))

    (warning,) = store_problems(check_config(path, environ={}, static=True))

    assert (warning.severity, warning.code, warning.path) == ("warning", "network_store", "storage")


def test_a_start_on_a_new_store_says_where_others_are(program: Program) -> None:
    config = {**SMALL, "storage": {}}
    program.write("one.json", config)
    program.write("two.json", config)

    first = program.run("run", "--config", "one.json")
    second = program.run("run", "--config", "two.json")
    again = program.run("run", "--config", "two.json")

    (kept,) = [line.strip() for line in second.stderr.splitlines() if line.endswith("/brain.db")]
    assert Path(kept).is_file()
    assert ["is new and empty" in done.stderr for done in (first, second, again)] == [
        False, True, False,
    ]  # fmt: skip


def test_of_many_other_stores_the_last_used_are_named_and_the_rest_are_counted(
    program: Program,
) -> None:
    stores = program.folder / "home" / "data" / "brain"
    for number in range(5):
        path = stores / f"other{number}" / "brain.db"
        path.parent.mkdir(parents=True)
        path.touch()
        os.utime(path, (number, number))
    program.write("one.json", {**SMALL, "storage": {}})

    done = program.run("run", "--config", "one.json")

    told = [line for line in done.stderr.splitlines() if line.startswith(("  /", "  and"))]
    assert told == [
        *(f"  {stores}/other{number}/brain.db" for number in (4, 3, 2)),
        "  and 2 more beside them",
    ]
