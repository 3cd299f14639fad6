"""The road from a file to a Config."""

import hashlib
import json
from pathlib import Path

import pytest

from brain.config import (
    Activity,
    Agent,
    Brain,
    Channel,
    Config,
    Grant,
    LogSettings,
    Memory,
    Model,
    Persona,
    Rehearsals,
    Route,
    Server,
    ServerToken,
    SessionRules,
    Storage,
    Webhook,
    WebhookFields,
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
                    memory=Memory(scope="conversation", budget_runes=2172, budget_tokens=2258),
                ),
            ),
        ),
        channels=(Channel(name="console", type="console"), Channel(name="http", type="http")),
        routes=(
            Route(channel="console", brain="assistant"),
            Route(channel="http", brain="assistant"),
        ),
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


def test_every_field_of_the_file_reaches_the_config(monkeypatch: pytest.MonkeyPatch) -> None:
    path = REPO / "tests" / "configs" / "good" / "every-field.json"
    monkeypatch.setenv("HOME", "/srv/ana")

    loaded = load_config(path, environ={"OLLAMA_KEY": "hunter2", "FORGE_TOKEN": "hunter3"})

    assert [warning.path for warning in loaded.warnings] == [
        "session.keep_days",
        "server.enabled",
    ]
    assert loaded.config == Config(
        path=path,
        revision=loaded.config.revision,
        data_folder=Path("/srv/ana/state"),
        storage=Storage(path=Path("/srv/ana/state/brain.db"), synchronous="normal"),
        session=SessionRules(
            triggers=("/fresh",), daily_at="04:30", idle_min=90, recall_max=50, keep_days=400
        ),
        channels=(
            Channel(name="desk", type="console", operators=("ana",), trusted=("ana", "bo")),
            Channel(name="console", type="console"),
            Channel(name="http", type="http"),
            Channel(
                name="forge",
                type="webhook",
                operators=("bo",),
                webhook=Webhook(
                    path="/hooks/forge",
                    token_env="FORGE_TOKEN",
                    outbound_url="https://forge.example.org:8443/replies?to=brain",
                    outbound_token_env="FORGE_TOKEN",
                    mapping=WebhookFields(
                        conversation="/issue/id",
                        text="/comment/body",
                        sender="user",
                        message_id="delivery",
                    ),
                ),
            ),
        ),
        routes=(
            Route(channel="http", brain="first"),
            Route(channel="console", brain="second"),
            Route(channel="desk", brain="first"),
            Route(channel="forge", brain="second"),
        ),
        server=Server(
            enabled=False,
            addr="[::1]:8080",
            token_env="OLLAMA_KEY",
            tokens=(ServerToken(name="gate", token_env="OLLAMA_KEY", role="gateway"),),
            allowed_hosts=("brain.example.org",),
            openai_effects="field",
            conversation_headers=("X-Chat",),
        ),
        activity=Activity(retain_days=30, anchor_path=path.parent / "../head"),
        log=LogSettings(level="debug", format="json"),
        brains=(FIRST, SECOND),
    )
    assert loaded.config.brain_of("desk") == FIRST


FIRST = Brain(
    name="first",
    sensitivity="private",
    models=(
        Model(
            provider="embedded",
            model_id="qwen",
            locality="local",
            model_path=REPO / "tests" / "configs" / "good" / "every-field.json",
            request_timeout_seconds=1.5,
        ),
        Model(
            provider="ollama",
            model_id="llama3.2",
            locality="local",
            base_url="http://ollama:11434",
            trusted_hosts=("ollama",),
            request_timeout_seconds=120.0,
            load_timeout_seconds=3600.0,
            max_retries=3,
            keep_alive="-1",
            num_ctx=16384,
            num_predict=512,
            options={"temperature": 0.5, "stop": ["\n"]},
            think="off",
        ),
        Model(
            provider="ollama",
            model_id="mistral",
            locality="local",
            base_url="http://127.0.0.1:11434",
        ),
    ),
    persona=Persona(display_name="Ada", tone="dry", language="Spanish", instructions="Be brief."),
    agent=Agent(
        tools=("memory_note", "calc"),
        governance=(
            Grant(tool="memory_note", mode="allow", channels=("desk",)),
            Grant(tool="memory_note", mode="deny"),
            Grant(tool="calc", mode="shadow"),
        ),
        max_iterations=7,
        exchange_timeout_seconds=600.0,
        history_turns=0,
        system_prompt="Answer.",
        tool_timeout_seconds=5.0,
        tool_attrs={"calc": {"network": True}},
        taint="ignore",
        memory=Memory(
            scope="brain",
            max_notes=3,
            max_note_runes=50,
            budget_runes=300,
            budget_tokens=2150,
            rehearsals=Rehearsals(max=5, keep_days=2),
        ),
    ),
)
SECOND = Brain(
    name="second",
    sensitivity="public",
    models=(
        Model(
            provider="ollama",
            model_id="big:cloud",
            locality="cloud",
            base_url="http://127.0.0.1:11434",
            api_key_env="OLLAMA_KEY",
        ),
    ),
)


@pytest.mark.parametrize("path", sorted((REPO / "examples").glob("*.json")), ids=lambda p: p.stem)
def test_every_example_is_valid_without_a_warning(path: Path, tmp_path: Path) -> None:
    report = check_config(path, environ={"XDG_DATA_HOME": str(tmp_path)}, static=False)

    assert render_problems(report).endswith(f"{path.name} is valid")


def test_the_examples_that_are_promised_are_there() -> None:
    names = {path.stem for path in (REPO / "examples").glob("*.json")}

    assert names >= {"minimal", "rehearsal", "private-brain-scope", "two-brains-two-channels"}


def test_remarks_layout_and_the_order_of_keys_do_not_change_the_revision(tmp_path: Path) -> None:
    text = (REPO / "examples" / "minimal.json").read_text(encoding="utf-8")
    document = json.loads(text)
    brain = {"_comment": ["é"], **dict(reversed(document["brains"][0].items()))}
    other = {"$schema": "x", "brains": [brain]}
    changed = {"brains": [{**document["brains"][0], "name": "other"}]}

    revisions = [
        load_config(write(tmp_path, json.dumps(each)), environ={}).config.revision
        for each in (document, other, changed)
    ]

    canonical = (
        '{"brains":[{"models":[{"locality":"local","model_id":"llama3.2","provider":"ollama"}],'
        '"name":"assistant","policy":{"kind":"priority"},"sensitivity":"private"}]}'
    )
    assert revisions[0] == hashlib.sha256(canonical.encode()).hexdigest()
    assert revisions[1] == revisions[0]
    assert revisions[2] != revisions[0]
