"""What changed between two configs, where it stands, and what of it waits for a restart."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.config import (
    IN_PLACE,
    RESTART_ONLY,
    Config,
    changed_keys,
    check_config,
    known_path,
    needing_restart,
    to_path,
)
from brain.config.places import to_pointer
from brain.config.schema import schema_document
from tests.flows.world import grant, sample


def config_of(folder: Path, document: Any) -> Config:
    content = json.dumps(document).encode()
    report = check_config(folder / "brain.json", environ={}, static=True, content=content)
    assert report.config is not None, report.problems
    return report.config


def paths(before: Config, after: Config) -> list[str]:
    return [to_path(keys) for keys in changed_keys(before, after)]


def test_a_config_differs_from_itself_nowhere(tmp_path: Path) -> None:
    config = config_of(tmp_path, sample())

    assert changed_keys(config, config) == ()


def test_what_stands_at_its_default_is_no_change(tmp_path: Path) -> None:
    before = config_of(tmp_path, sample())
    after = config_of(tmp_path, sample(log={"level": "info"}, _comment="said for people"))

    assert paths(before, after) == []
    assert before.revision != after.revision


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (grant(sample(), "memory_note", "deny"), ["brains[0].agent.governance[1].mode"]),
        (
            grant(sample(), "memory_note", "shadow", channels=["console"]),
            ["brains[0].agent.governance[1].channels"],
        ),
        (sample(session={"recall_max": 20}), ["session.recall_max"]),
        (sample(session={"recall_max": 10, "triggers": ["/fresh"]}), ["session.triggers"]),
        (sample(routes=[{"channel": "console", "brain": "assistant"}]), ["routes"]),
        (
            sample(channels=[{"type": "console", "operators": ["ana"]}]),
            ["channels[0].operators"],
        ),
    ],
)
def test_changes_are_named_where_they_stand_and_apply_in_place(
    tmp_path: Path, change: Any, changed: list[str]
) -> None:
    before, after = config_of(tmp_path, sample()), config_of(tmp_path, change)

    assert paths(before, after) == changed
    assert needing_restart(before, after) == ()


def test_an_object_with_free_keys_is_one_place_so_that_no_word_of_it_is_told(
    tmp_path: Path,
) -> None:
    document = sample()
    document["brains"][0]["models"][0]["options"] = {"a word of the owner": 1}

    assert paths(config_of(tmp_path, sample()), config_of(tmp_path, document)) == [
        "brains[0].models[0].options"
    ]


def test_the_default_written_out_is_no_reason_to_restart(tmp_path: Path) -> None:
    before = config_of(
        tmp_path, sample(channels=[{"type": "console"}, {"type": "console", "name": "desk"}])
    )
    turned = config_of(
        tmp_path, sample(channels=[{"type": "console", "name": "desk"}, {"type": "console"}])
    )
    written_out = config_of(
        tmp_path,
        sample(
            channels=[{"type": "console"}, {"type": "console", "name": "desk"}],
            storage={"path": str(tmp_path / "state" / "brain.db")},
            activity={"retain_days": 365},
            server={"addr": "127.0.0.1:2112"},
        ),
    )

    assert needing_restart(before, turned) == ()
    assert needing_restart(before, written_out) == ()


@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        ("", ""),
        ("/brains/0/agent/memory/max_notes", "brains[0].agent.memory.max_notes"),
        ("/brains/0/agnet/memory", "brains[0]"),
        ("/brains/first", "brains"),
        ("/brains/0/models/1/options/a word~1of the owner", "brains[0].models[1].options"),
        ("/$schema", ""),
    ],
)
def test_a_path_is_cut_at_the_first_key_that_is_not_from_the_schema(
    pointer: str, path: str
) -> None:
    assert known_path(pointer) == path


def leaves(schema: Any, path: str = "") -> Iterator[str]:
    """Yield every path of the schema that holds no further named keys."""
    if "items" in schema:
        yield from leaves(schema["items"], f"{path}[]")
    elif named := schema.get("properties"):
        for name, inner in named.items():
            yield from leaves(inner, f"{path}.{name}" if path else name)
    else:
        yield path


def test_every_key_is_either_taken_over_in_place_or_refused_by_name() -> None:
    restart = [path for paths in RESTART_ONLY for path in paths.split(", ")]
    found = {
        path: [
            each
            for each in (*restart, *IN_PLACE)
            if path == each or path.startswith((f"{each}.", f"{each}[]"))
        ]
        for path in leaves(schema_document())
    }

    assert {path: classes for path, classes in found.items() if len(classes) != 1} == {}
    assert {each for classes in found.values() for each in classes} == {*restart, *IN_PLACE}


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"storage": {"path": "elsewhere.db"}}, "storage.path"),
        ({"server": {"enabled": False}}, "server.enabled"),
        ({"server": {"addr": "127.0.0.1:9"}}, "server.addr"),
        ({"channels": [{"type": "console"}, {"type": "http"}]}, "channels"),
        ({"channels": [{"type": "console", "name": "desk"}]}, "channels[0].name"),
        ({"activity": {"retain_days": 3}}, "activity"),
        ({"log": {"level": "debug"}}, "log.level"),
    ],
)
def test_each_key_that_holds_until_a_restart_is_named_where_it_stands(
    tmp_path: Path, changes: Any, path: str
) -> None:
    document = sample(channels=[{"type": "console"}])
    before, after = config_of(tmp_path, document), config_of(tmp_path, document | changes)

    assert [to_path(keys) for keys in needing_restart(before, after)] == [path]


@given(st.lists(st.text(max_size=12) | st.integers(0, 9), max_size=6))
def test_no_word_of_a_stranger_is_ever_in_a_path(keys: list[str | int]) -> None:
    path = known_path(to_pointer(("brains", 0, *keys)))

    assert path.startswith("brains[0]")
    assert path.isascii()
    assert " " not in path
