"""What a config asks of this machine."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.config import Report, check_config, install_command, load_config, render_problems
from brain.errors import Problem

MODEL = {"provider": "ollama", "model_id": "llama3.2", "locality": "local"}


def document(*models: dict[str, Any], **root: Any) -> dict[str, Any]:
    brain = {
        "name": "assistant",
        "sensitivity": "private",
        "policy": {"kind": "priority"},
        "models": list(models) or [MODEL],
    }
    return {"brains": [brain], **root}


def check(folder: Path, content: dict[str, Any], *, static: bool = False, **environ: str) -> Report:
    path = folder / "brain.json"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return check_config(path, environ={"XDG_DATA_HOME": str(folder), **environ}, static=static)


def codes(report: Report) -> list[tuple[str, str]]:
    return [(each.code, each.path) for each in (*report.problems, *report.warnings)]


def test_a_missing_engine_names_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)

    report = check(tmp_path, document({**MODEL, "provider": "embedded"}))

    assert codes(report) == [("extra_missing", "brains[0].models[0].provider")]
    assert report.problems[0].fix == 'pip install "ownbrain[embedded]"'
    assert install_command("embedded") == 'pip install "ownbrain[embedded]"'


def test_a_secret_that_is_set_passes_and_its_value_is_nowhere(tmp_path: Path) -> None:
    content = document(
        {**MODEL, "locality": "cloud", "api_key_env": "MY_KEY"}, MODEL | {"model_id": "qwen"}
    )

    empty = check(tmp_path, content, MY_KEY="")
    ready = check(tmp_path, content, MY_KEY="hunter2")

    assert [each.found for each in empty.problems] == ["the environment variable 'MY_KEY' is empty"]
    assert ready.problems == ()
    assert "hunter2" not in render_problems(ready) + repr(ready)


UNSENDABLE = ["clé", "one\ntwo", "tab\tinside", "\x1b[31mred", "full-width\uff0fslash", "\udcff"]


@pytest.mark.parametrize("secret", UNSENDABLE)
@pytest.mark.parametrize("place", ["api_key_env", "token_env", "tokens", "webhook", "outbound"])
def test_a_secret_that_no_header_carries_is_a_problem_without_its_value(
    tmp_path: Path, place: str, secret: str
) -> None:
    content = naming_secret(place)

    report = check(tmp_path, content, MY_KEY=secret, OTHER="other")
    ready = check(tmp_path, content, MY_KEY=" a b\r\n", OTHER="other")
    blank = check(tmp_path, content, MY_KEY=" \n", OTHER="other")

    (problem,) = report.problems
    assert (problem.code, problem.found) == (
        "secret_unsendable",
        "the environment variable 'MY_KEY' holds what no HTTP header carries",
    )
    assert secret not in render_problems(report) + repr(report)
    assert ready.problems == ()
    assert [each.found for each in blank.problems] == ["the environment variable 'MY_KEY' is empty"]


def naming_secret(place: str) -> dict[str, Any]:
    """A config that names MY_KEY in one of the places in which a variable is named."""
    if place == "api_key_env":
        cloud = {**MODEL, "locality": "cloud", "api_key_env": "MY_KEY"}
        return document(cloud, MODEL | {"model_id": "qwen"})
    if place == "token_env":
        return document(server={"token_env": "MY_KEY"})
    if place == "tokens":
        token = {"name": "ana", "token_env": "MY_KEY", "role": "user"}
        return document(server={"tokens": [token]})
    webhook = {
        "token_env": "OTHER" if place == "outbound" else "MY_KEY",
        "outbound_token_env": "MY_KEY" if place == "outbound" else "OTHER",
        "outbound_url": "https://example.org/replies",
        "path": "/hooks/bot",
        "mapping": {"conversation": "chat", "text": "text"},
    }
    bot = {"type": "webhook", "name": "bot", "webhook": webhook}
    return document(channels=[bot], storage={})


def test_a_scripted_model_is_let_in_by_the_environment_alone(tmp_path: Path) -> None:
    content = document({**MODEL, "provider": "scripted"})

    assert codes(check(tmp_path, content)) == [("scripted_refused", "brains[0].models[0].provider")]
    assert codes(check(tmp_path, content, BRAIN_ALLOW_SCRIPTED="1")) == []


def test_a_static_check_asks_nothing_of_the_machine(tmp_path: Path) -> None:
    content = document({**MODEL, "provider": "scripted"}, server={"token_env": "NO_SUCH"})

    report = check(tmp_path, content, static=True)

    assert report.problems == ()
    assert report.config is not None


def test_a_check_makes_no_folder(tmp_path: Path) -> None:
    report = check(tmp_path, document(storage={"path": "new/deep/brain.db"}))

    assert report.problems == ()
    assert [entry.name for entry in tmp_path.iterdir()] == ["brain.json"]


def test_ollama_host_goes_before_the_file_and_the_owner_is_told(tmp_path: Path) -> None:
    content = document({**MODEL, "base_url": "http://127.0.0.1:4000"})

    report = check(tmp_path, content, OLLAMA_HOST="0.0.0.0:5000")

    assert report.config is not None
    assert report.config.brains[0].models[0].base_url == "http://127.0.0.1:5000"
    assert codes(report) == [("environment_overrides", "brains[0].models[0].base_url")]


def test_an_ollama_host_that_is_no_address_is_a_problem_without_its_value(tmp_path: Path) -> None:
    report = check(tmp_path, document(), OLLAMA_HOST="http://me:hunter2@host")

    assert codes(report) == [("environment_value", "brains[0].models[0]")]
    assert "hunter2" not in render_problems(report)


def test_problems_of_the_machine_come_after_those_of_the_file(tmp_path: Path) -> None:
    content = {"server": {"token_env": "NO_SUCH"}, **document(), "sesion": {}}

    report = check(tmp_path, content)

    assert codes(report) == [
        ("unknown_key", "sesion"),
        ("secret_missing", "server.token_env"),
    ]


def test_the_runtime_adds_what_only_a_server_can_tell(tmp_path: Path) -> None:
    report = check(tmp_path, document())
    place = {"path": "brains[0].models[0]", "pointer": "/brains/0/models/0", "file": report.file}
    proof = Problem(code="not_local", found="a remote", expected="local", **place)
    hint = Problem(code="slow", found="x", expected="y", severity="warning", **place)

    both = report.with_problems(proof, hint)

    found = report.draft.document.places["brains", 0, "models", 0]
    assert both.problems == (replace(proof, line=found.line, column=found.column),)
    assert both.warnings == (replace(hint, line=found.line, column=found.column),)
    assert both.config is None
    assert report.with_problems(hint).config == report.config


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "too large", "bom"])
def test_what_is_no_config_file_is_told_and_a_bom_is_accepted(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "brain.json"
    text = json.dumps(document())
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "too large":
            path.write_text(text + " " * 1_048_577, encoding="utf-8")
        case "bom":
            path.write_bytes(b"\xef\xbb\xbf" + text.encode())
        case _:
            pass

    report = check_config(path, environ={}, static=True)

    told = {
        "missing": ["unreadable"],
        "folder": ["unreadable"],
        "pipe": ["unreadable"],
        "too large": ["too_large"],
        "bom": [],
    }
    assert [each.code for each in report.problems] == told[kind]


def test_a_loaded_config_carries_the_warnings(tmp_path: Path) -> None:
    path = tmp_path / "brain.json"
    path.write_text(json.dumps(document(MODEL, {**MODEL, "model_id": "x", "locality": "cloud"})))

    loaded = load_config(path, environ={"XDG_DATA_HOME": str(tmp_path)})

    assert [each.code for each in loaded.warnings] == ["private_cloud"]


def test_a_path_in_a_home_that_is_unknown_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)  # a user without an entry anywhere
    monkeypatch.delenv("HOME")

    at_home = check(tmp_path, document(storage={"path": "~/brain.db"}))
    nowhere = check(tmp_path, document(), static=True, XDG_DATA_HOME="")

    assert codes(at_home) == [("home_unknown", "storage.path")]
    assert codes(nowhere) == [("home_unknown", "")]


@pytest.mark.parametrize(
    ("anchor", "found"),
    [
        ("brain.json", "the config file itself"),
        ("state/brain.db", "a file of the database"),
        ("state/brain.db-wal", "a file of the database"),
        ("missing/head", "missing, which is no folder"),
        ("state", "state, which is no file"),
    ],
)
def test_an_anchor_where_a_line_would_do_harm_or_can_not_be_written_is_a_problem(
    tmp_path: Path, anchor: str, found: str
) -> None:
    (tmp_path / "state").mkdir()
    content = document(
        storage={"path": "state/brain.db"}, activity={"anchor_path": str(tmp_path / anchor)}
    )

    report = check(tmp_path, content)

    assert [(each.code, each.path) for each in report.problems] == [
        ("anchor_unusable", "activity.anchor_path")
    ]
    assert report.problems[0].found.endswith(found)


def test_an_anchor_in_the_folder_that_the_store_will_make_is_only_warned_about(
    tmp_path: Path,
) -> None:
    content = document(storage={"path": "state/brain.db"}, activity={"anchor_path": "state/head"})

    assert codes(check(tmp_path, content)) == [("anchor_beside_store", "activity.anchor_path")]
