"""The road from a file to a Config."""

import hashlib
from pathlib import Path

import pytest

from brain.config import (
    Agent,
    Brain,
    Channel,
    Config,
    Grant,
    LogSettings,
    Memory,
    Model,
    Route,
    SessionRules,
    Storage,
    check_config,
    load_config,
    render_problems,
)
from brain.errors import ConfigError

REPO = Path(__file__).resolve().parents[2]


def write(folder: Path, text: str, name: str = "brain.json") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_config_loads_whole(tmp_path: Path) -> None:
    path = write(tmp_path, (REPO / "config" / "brain.json").read_text(encoding="utf-8"))
    environ = {"XDG_DATA_HOME": str(tmp_path / "share")}

    loaded = load_config(path, environ=environ)

    folder = tmp_path / "share" / "brain" / hashlib.sha256(str(path).encode()).hexdigest()[:12]
    assert loaded.warnings == ()
    assert loaded.config == Config(
        path=path,
        revision=loaded.config.revision,
        data_folder=folder,
        brains=(
            Brain(
                name="assistant",
                sensitivity="private",
                models=(
                    Model(
                        provider="ollama",
                        model_id="llama3.2",
                        locality="local",
                        base_url="http://127.0.0.1:11434",
                    ),
                    Model(
                        provider="embedded",
                        model_id="qwen2.5-coder-1.5b-instruct",
                        locality="local",
                    ),
                ),
                agent=Agent(
                    tools=("time", "memory_note"),
                    governance=(
                        Grant(tool="time", mode="allow"),
                        Grant(tool="memory_note", mode="shadow"),
                    ),
                    memory=Memory(scope="conversation", budget_runes=2172),
                ),
            ),
        ),
        channels=(Channel(name="console", type="console"),),
        routes=(Route(channel="console", brain="assistant"),),
        storage=Storage(path=folder / "brain.db"),
        session=SessionRules(recall_max=10),
        log=LogSettings(),
    )


@pytest.mark.proves("P1")
def test_a_broken_config_raises_with_every_problem_at_once(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        '{\n  "session": {"recall_max": "10"},\n  "brians": []\n}\n',
    )

    with pytest.raises(ConfigError) as caught:
        load_config(path, environ={})

    told = [(each.code, each.path, each.line, each.column) for each in caught.value.problems]
    assert told == [
        ("missing_key", "", 1, 1),
        ("storage_missing", "session", 2, 3),
        ("wrong_type", "session.recall_max", 2, 29),
        ("unknown_key", "brians", 3, 3),
    ]


def test_the_error_and_the_report_say_the_same(tmp_path: Path) -> None:
    path = write(tmp_path, "{}")

    report = check_config(path, environ={}, static=False)

    assert render_problems(report.error()) == render_problems(report)
