"""Each setting in force, where it came from, and never a secret."""

import json
from pathlib import Path
from typing import Any

import pytest

from brain.config import Setting, check_config, explain, render_problems
from brain.errors import ConfigError
from tests.config.expected import REPO


def settings(folder: Path, content: Any, **environ: str) -> dict[str, Setting]:
    path = folder / "brain.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    environ = {"XDG_DATA_HOME": str(folder), **environ}
    report = check_config(path, environ=environ, static=False)
    return {each.path: each for each in explain(report, environ=environ, is_named=True)}


def test_the_shipped_config_is_explained(tmp_path: Path) -> None:
    text = (REPO / "config" / "brain.json").read_text(encoding="utf-8")

    rows = settings(tmp_path, text, OLLAMA_HOST="0.0.0.0:11434")

    assert rows["config"] == Setting(
        path="config",
        value=str(tmp_path / "brain.json"),
        source="flag",
        default="./brain.json, then brain.json in the user's config folder",
        detail="--config",
    )
    assert rows["session.recall_max"] == Setting(
        path="session.recall_max", value="10", source="file", default="0"
    )
    assert rows["session.idle_min"] == Setting(
        path="session.idle_min", value="0", source="default", default="0"
    )
    assert rows["brains[0].models[0].base_url"] == Setting(
        path="brains[0].models[0].base_url",
        value="http://127.0.0.1:11434",
        source="environment",
        default="the provider's own: http://127.0.0.1:11434 for ollama",
        detail="OLLAMA_HOST",
    )
    assert rows["brains[0].models[1].base_url"].value == "absent"
    assert rows["brains[0].agent.memory.budget_runes"].value == "2172"
    assert rows["brains[0].name"].default == "required"
    assert rows["channels[0].name"].value == "console"
    assert rows["routes"].value == "console -> assistant, http -> assistant"
    assert rows["storage.path"].source == "default"
    assert rows["storage.path"].value.endswith("brain.db")
    assert "brains[0].agent.long_term" not in rows


def test_what_may_be_a_secret_is_not_shown(tmp_path: Path) -> None:
    model = {
        "provider": "ollama",
        "model_id": "llama3.2",
        "locality": "local",
        "options": {"api_key": "hunter2", "deep": [{"token": "hunter2"}], "seed": 7},
    }
    brain = {"name": "a", "sensitivity": "public", "policy": {"kind": "priority"}}

    rows = settings(tmp_path, {"brains": [{**brain, "models": [model]}]})

    options = rows["brains[0].models[0].options"].value
    assert json.loads(options) == {
        "api_key": "a value that is not shown",
        "deep": [{"token": "a value that is not shown"}],
        "seed": 7,
    }
    assert "hunter2" not in str(rows)


def test_a_broken_config_is_not_explained(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        settings(tmp_path, {})


def test_a_report_as_json_has_pointers(tmp_path: Path) -> None:
    path = tmp_path / "brain.json"
    path.write_text('{"brains": [], "a/b~c": 1}', encoding="utf-8")

    report = check_config(path, environ={}, static=True)
    told = json.loads(render_problems(report, as_json=True))

    assert told == {
        "valid": False,
        "message": f"{path} is not valid; nothing was started (2 problems in 1 file)",
        "problems": [
            {
                "code": "too_few",
                "path": "brains",
                "pointer": "/brains",
                "found": "an empty list",
                "expected": "a list of at least 1",
                "fix": "",
                "file": str(path),
                "line": 1,
                "column": 12,
                "severity": "problem",
            },
            {
                "code": "unknown_key",
                "path": "['a/b~c']",
                "pointer": "/a~1b~0c",
                "found": "unknown key 'a/b~c'",
                "expected": "one of activity, brains, channels, log, routes, schema_version, "
                "server, session, storage",
                "fix": "",
                "file": str(path),
                "line": 1,
                "column": 16,
                "severity": "problem",
            },
        ],
        "warnings": [],
    }
