"""`brain check` and `brain config`, as a person runs them."""

import asyncio
import json
import re
import resource
import subprocess
import sys

import pytest

from tests.cli.program import ROOT, SMALL, Program
from tests.gguf import gguf_bytes
from tests.ollama_server import HostedModel, OllamaServer

MOST_CPU_SECONDS = 0.25
MOST_OF_ITS_LIBRARIES = 3.2
"""On a machine that others load, a second of the processor does less: what the check can't do without
is measured beside it."""


def test_a_valid_config_is_said_to_be_valid_and_the_file_in_use_is_named(program: Program) -> None:
    program.write("small.json", SMALL)

    done = program.run("check", "--config", "small.json")

    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "small.json is valid\n",
        "config: small.json\n",
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--config", "small.json", "check", "--static"),
        ("check", "--config", "small.json", "--static"),
        ("check", "--static", "--config=small.json"),
    ],
)
def test_the_config_may_be_named_anywhere_on_the_line(
    program: Program, words: tuple[str, ...]
) -> None:
    program.write("small.json", SMALL)

    assert program.run(*words).returncode == 0


def test_two_different_configs_on_one_line_are_refused(program: Program) -> None:
    done = program.run("--config", "a.json", "check", "--config", "b.json")

    assert (done.returncode, done.stdout) == (2, "")
    assert "'a.json' and 'b.json'" in done.stderr


@pytest.mark.proves("P1")
def test_every_problem_is_told_at_once_with_its_place_and_the_exit_code_is_2(
    program: Program,
) -> None:
    broken = json.loads(json.dumps(SMALL))
    broken["brains"][0]["sensitivty"] = broken["brains"][0].pop("sensitivity")
    broken["brains"][0]["models"][0]["locality"] = "locl"
    program.write("broken.json", broken)

    done = program.run("check", "--config", "broken.json")

    assert done.returncode == 2
    assert "did you mean 'sensitivity'?" in done.stdout
    assert "did you mean 'local'?" in done.stdout
    assert len(re.findall(r"^  broken\.json:\d+:\d+  brains\[0\]", done.stdout, re.MULTILINE)) == 3
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.proves("P5")
@pytest.mark.parametrize("command", ["check", "run"])
async def test_a_model_that_must_be_local_and_is_not_is_told_with_its_place(
    program: Program, command: str
) -> None:
    liar = HostedModel(show={"remote_host": "https://ollama.com:443"})
    async with OllamaServer(models={"llama3.2": HostedModel(), "liar": liar}) as server:
        config = json.loads(json.dumps(SMALL))
        brain = config["brains"][0]
        brain["sensitivity"] = "private"
        brain["policy"]["order"] = ["liar"]
        brain["models"].append(dict(brain["models"][0], model_id="liar"))
        text = json.dumps(config, indent=2)
        program.write("private.json", text)

        done = await asyncio.to_thread(
            program.run, command, "--config", "private.json", OLLAMA_HOST=server.url
        )

    before = text[: text.rindex('"local"')].split("\n")
    place = f"private.json:{len(before)}:{len(before[-1]) + 1}"
    assert done.returncode == 2
    assert f"  {place}  brains[0].models[1].locality\n" in done.stdout + done.stderr


@pytest.mark.parametrize("command", ["check", "run"])
def test_a_context_that_the_weights_do_not_know_is_a_problem_of_the_config(
    program: Program, command: str
) -> None:
    (program.folder / "own.gguf").write_bytes(gguf_bytes(context=4096))
    program.write("own.json", _with_weights("own.gguf", num_ctx=1_000_000))

    done = program.run(command, "--config", "own.json", typed="")

    told = done.stdout + done.stderr
    assert done.returncode == 2
    assert "brains[0].models[0].num_ctx" in told
    assert "set num_ctx to 4096 or less" in told


def test_a_file_that_is_no_weights_file_is_a_problem_of_the_config(program: Program) -> None:
    (program.folder / "own.gguf").write_bytes(gguf_bytes()[:-1])
    program.write("own.json", _with_weights("own.gguf"))

    done = program.run("check", "--config", "own.json")

    assert done.returncode == 2
    assert "own.gguf is no weights file" in done.stdout
    assert "it is cut" in done.stdout
    assert "brain pull" not in done.stdout


def _with_weights(path: str, **model: object) -> dict[str, object]:
    weights = {
        "provider": "embedded",
        "model_id": "own",
        "locality": "local",
        "model_path": path,
        **model,
    }
    return {**SMALL, "brains": [{**SMALL["brains"][0], "models": [weights]}]}


def test_the_problems_come_as_data_too(program: Program) -> None:
    program.write("broken.json", "{")

    done = program.run("check", "--json", "--config", "broken.json")

    told = json.loads(done.stdout)
    assert done.returncode == 2
    assert told["valid"] is False
    assert [problem["line"] for problem in told["problems"]] == [1]


def test_a_config_that_is_not_there_is_a_usage_error_and_no_traceback(program: Program) -> None:
    done = program.run("check", "--config", "nowhere.json")

    assert done.returncode == 2
    assert "nowhere.json" in done.stdout
    assert "Traceback" not in done.stderr


def test_without_any_config_the_places_looked_at_are_named(program: Program) -> None:
    done = program.run("check")

    assert (done.returncode, done.stdout) == (2, "")
    assert "brain.json" in done.stderr
    assert "--config" in done.stderr
    assert "brain init" in done.stderr


def test_explain_says_for_each_setting_where_it_comes_from(program: Program) -> None:
    program.write("small.json", SMALL)

    done = program.run(
        "config", "explain", "--json", "--config", "small.json", OLLAMA_HOST="127.0.0.1:4242"
    )

    settings = {setting["path"]: setting for setting in json.loads(done.stdout)}
    assert done.returncode == 0
    assert settings["brains[0].models[0].base_url"] == {
        "path": "brains[0].models[0].base_url",
        "value": "http://127.0.0.1:4242",
        "source": "environment",
        "default": settings["brains[0].models[0].base_url"]["default"],
        "detail": "OLLAMA_HOST",
    }
    assert settings["brains[0].name"]["source"] == "file"
    assert settings["config"]["source"] == "flag"


def test_the_schema_that_is_printed_is_the_one_that_checks(program: Program) -> None:
    done = program.run("config", "schema")

    kept = (ROOT / "schemas" / "brain.schema.json").read_text(encoding="utf-8")
    assert (done.returncode, json.loads(done.stdout)) == (0, json.loads(kept))


@pytest.mark.parametrize(
    "words", [("chek",), ("check", "--statc"), ("check", "extra"), ("config",)]
)
def test_a_line_that_makes_no_sense_is_a_usage_error_on_stderr(
    program: Program, words: tuple[str, ...]
) -> None:
    done = program.run(*words)

    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: brain" in done.stderr


def test_a_check_of_the_sample_takes_a_quarter_of_a_second_of_the_processor_at_most() -> None:
    check = [sys.executable, "-m", "brain", "check", "--config", "config/brain.json"]
    libraries = [sys.executable, "-c", "import asyncio, click, jsonschema, platformdirs, sqlite3"]
    spent = [(cpu_seconds(check), cpu_seconds(libraries)) for _ in range(5)]
    checked, imported = (min(each) for each in zip(*spent, strict=True))

    assert checked <= max(MOST_CPU_SECONDS, MOST_OF_ITS_LIBRARIES * imported)


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_cheap_commands_import_no_costly_library() -> None:
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            (
                "import sys; from brain.cli.app import run_line; "
                "run_line(['check', '--static', '--config', 'config/brain.json']); "
                "print(' '.join(sys.modules))"
            ),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    costly = {"ollama", "httpx", "structlog", "prompt_toolkit", "rich", "xllamacpp", "aiosqlite"}
    assert costly & set(loaded) == set()


def test_a_brain_json_that_a_folder_brought_along_does_not_decide_what_runs(
    program: Program,
) -> None:
    program.write("brain.json", SMALL)

    done = program.run("run")

    assert (done.returncode, done.stdout) == (2, "")
    assert "never used before" in done.stderr
    assert "--config ./brain.json" in done.stderr


@pytest.mark.parametrize("words", [("check",), ("check", "--config", "small.json"), ("run",)])
def test_a_folder_that_was_removed_under_the_shell_is_told(
    program: Program, words: tuple[str, ...]
) -> None:
    gone = program.folder / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'cd "$1" && rmdir "$1" && shift && exec "$@"', "sh", str(gone),
         sys.executable, "-m", "brain", *words],
        env=program.environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        "error: the folder in which this was started can't be used: No such file or directory\n"
        "  fix: go to a folder that is there, and give the command again\n"
    )


def test_a_config_option_that_is_empty_is_refused_and_no_other_file_is_taken(
    program: Program,
) -> None:
    program.write("brain.json", SMALL)

    done = program.run("check", "--config", "")

    assert (done.returncode, done.stdout) == (2, "")
    assert "--config names no file" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--conversation"), ("notes", "list", "--conversation"),
        ("notes", "list", "--brain"), ("notes", "list", "--channel"), ("notes", "add"),
        ("models", "release"), ("policy", "explain"), ("policy", "explain", "time", "--brain"),
        ("activity", "--type"),
    ],
)  # fmt: skip
def test_a_word_of_bytes_that_are_no_text_is_refused_wherever_it_stands(
    program: Program, words: tuple[str, ...]
) -> None:
    program.write("small.json", SMALL)

    done = program.run(*words, "\udcff", "--config", "small.json")

    assert (done.returncode, done.stdout) == (2, "")
    assert "'?' holds bytes that are no text in UTF-8." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("run",), ("notes", "list")])
def test_a_conversation_without_a_name_is_refused(program: Program, words: tuple[str, ...]) -> None:
    program.write("small.json", SMALL)

    done = program.run(*words, "--conversation", " ", "--config", "small.json")

    assert (done.returncode, done.stdout) == (2, "")
    assert "a conversation has a name; leave the option out for 'main'." in done.stderr


def test_a_check_that_asks_a_server_imports_neither_its_client_nor_what_that_stands_on(
    program: Program,
) -> None:
    """Their import takes longer than the whole check; the proof asks over a road of its own."""
    looked = (
        "import sys; from brain.cli.app import run_line; "
        "code = run_line(['check', '--config', 'private.json']); "
        "print(code, sorted({'ollama', 'httpx', 'pydantic', 'structlog'} & set(sys.modules)))"
    )

    async def serve() -> tuple[str, list[str]]:
        async with OllamaServer() as server:
            brain = SMALL["brains"][0]
            model = {**brain["models"][0], "base_url": server.url}
            private = {"sensitivity": "private", "models": [model]}
            program.write("private.json", {"brains": [{**brain, **private}]})
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", looked,
                cwd=program.folder,
                env=program.environment(PYTHONPATH=str(ROOT), OLLAMA_HOST=server.url),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            said, _ = await process.communicate()
            return said.decode(), [request.path for request in server.requests]

    said, asked = asyncio.run(serve())
    assert said.splitlines()[-1] == "0 []"
    assert "/api/show" in asked
