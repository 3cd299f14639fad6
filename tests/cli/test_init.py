"""`brain init`: what it writes can be used, and nothing is written over."""

import json
from pathlib import Path

import pytest

from brain.cli.candidates import Candidate, find_candidates
from brain.cli.first_config import Choice, first_config
from brain.config import Model, check_config
from tests.cli.program import Program
from tests.cli.servers import ollama_server
from tests.cli.terminals import WAIT_SECONDS, terminal

HERE = ("--model", "nomic-embed-text", "--model", "gpt-oss:120b-cloud", "--model", "qwen2.5:3b")
TWO = (*HERE, "--model", "llama3.2")


def model_of(path: Path) -> tuple[str, str, str, str]:
    brain = json.loads(path.read_text(encoding="utf-8"))["brains"][0]
    model = brain["models"][0]
    return brain["sensitivity"], model["provider"], model["model_id"], model["locality"]


def test_it_writes_a_config_of_the_first_local_model_that_can_talk_and_that_config_runs(
    program: Program,
) -> None:
    with ollama_server(*HERE, "--reply", "Good morning.") as url:
        made = program.run("init", OLLAMA_HOST=url)
        checked = program.run("check", OLLAMA_HOST=url)
        ran = program.run("run", typed="hello\n", OLLAMA_HOST=url)

    assert (made.returncode, made.stderr) == (0, "next: brain run\n")
    assert "brain.json" in made.stdout
    path = program.folder / "brain.json"
    assert model_of(path) == ("private", "ollama", "qwen2.5:3b", "local")
    assert path.read_text(encoding="utf-8").count('"_comment"') > 3
    assert (checked.returncode, checked.stdout) == (0, "brain.json is valid\n")
    # Who wrote the file is not asked whether the folder brought it along.
    assert (ran.returncode, ran.stdout) == (0, "Good morning.\n")
    assert [each.name for each in program.folder.iterdir() if each.suffix == ".json"] == [path.name]


@pytest.mark.parametrize("content", ["", '{"brains": []}'], ids=["empty", "a config"])
def test_a_file_that_is_there_is_never_written_over(program: Program, content: str) -> None:
    path = program.write("mine.json", content)

    done = program.run("init", "--config", "mine.json", "--model", "ollama/llama3.2")

    assert (done.returncode, done.stdout) == (2, "")
    assert "is there already; nothing was written" in done.stderr
    assert path.read_text(encoding="utf-8") == content


def test_neither_is_a_link_to_nowhere(program: Program) -> None:
    (program.folder / "brain.json").symlink_to("elsewhere.json")

    done = program.run("init", "--model", "ollama/llama3.2")

    assert done.returncode == 2
    assert not (program.folder / "elsewhere.json").exists()


def test_without_a_terminal_nothing_is_asked_and_a_model_that_runs_elsewhere_needs_a_flag(
    program: Program,
) -> None:
    with ollama_server(*HERE) as url:
        refused = program.run("init", "--model", "gpt-oss:120b-cloud", OLLAMA_HOST=url)
        done = program.run("init", "--model", "gpt-oss:120b-cloud", "--public", OLLAMA_HOST=url)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--public" in refused.stderr
    assert done.returncode == 0
    assert model_of(program.folder / "brain.json") == (
        "public",
        "ollama",
        "gpt-oss:120b-cloud",
        "cloud",
    )


def test_a_model_that_is_not_here_is_named_whole_and_is_fetched_first(program: Program) -> None:
    with ollama_server(*HERE) as url:
        bare = program.run("init", "--model", "mistral", OLLAMA_HOST=url)
        whole = program.run("init", "--model", "ollama/mistral", OLLAMA_HOST=url)

    assert bare.returncode == 2
    assert "--model ollama/mistral" in bare.stderr
    assert (whole.returncode, whole.stderr) == (0, "first: brain pull\nnext: brain run\n")


def test_a_name_that_no_model_can_have_is_told_as_a_check_would(program: Program) -> None:
    done = program.run("init", "--model", 'ollama/od"d')

    assert (done.returncode, done.stdout) == (2, "")
    assert "brains[0].models[0].model_id" in done.stderr


def test_what_could_not_run_here_is_not_written(program: Program) -> None:
    with ollama_server("--model", "llama3.2", "--lie", "show") as url:
        done = program.run("init", OLLAMA_HOST=url)

    assert (done.returncode, done.stdout) == (2, "")
    assert "would not be valid; nothing was written" in done.stderr
    assert not (program.folder / "brain.json").exists()


def test_a_folder_that_is_not_there_is_told(program: Program) -> None:
    done = program.run("init", "--config", "no/such.json", "--model", "ollama/llama3.2")

    assert done.returncode == 2
    assert "can't be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_at_a_terminal_the_model_is_chosen_and_enter_takes_what_stands_first(
    program: Program,
) -> None:
    with ollama_server(*TWO) as url:
        asked = Program(folder=program.folder, environ={"OLLAMA_HOST": url})
        with terminal(asked, "init", "--config", "a.json") as (process, screen):
            listed = screen.until(b"[1]: ")
            screen.type("2\r")
            screen.until(b"[Y/n]: ")
            screen.type("n\r")
            screen.until(b"next: brain run --config a.json")
            chose = process.wait(WAIT_SECONDS)
        with terminal(asked, "init", "--config", "b.json") as (process, screen):
            screen.until(b"[1]: ")
            screen.type("\r")
            screen.until(b"[Y/n]: ")
            screen.type("\r")
            screen.until(b"next: ")
            defaults = process.wait(WAIT_SECONDS)

    assert (chose, defaults) == (0, 0)
    assert b"gpt-oss:120b-cloud (runs elsewhere)" in listed
    assert b"nomic" not in listed
    assert model_of(program.folder / "a.json") == ("public", "ollama", "llama3.2", "local")
    assert model_of(program.folder / "b.json") == ("private", "ollama", "qwen2.5:3b", "local")


def test_where_no_ollama_answers_the_one_in_the_process_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("brain.cli.candidates.find_spec", lambda _: object())
    nowhere = Model(
        provider="ollama", model_id="any", locality="local", base_url="http://127.0.0.1:1"
    )

    found = find_candidates(nowhere, environ={"BRAIN_MODELS_DIR": str(tmp_path)})

    assert found.candidates == (
        Candidate(
            provider="embedded",
            model_id="qwen2.5-coder-1.5b-instruct",
            size_bytes=1_117_320_768,
            has_come=False,
        ),
    )
    assert "127.0.0.1:1" in found.silence


def test_where_nothing_could_answer_the_flag_is_named(program: Program) -> None:
    without_engine = program.folder / "without"
    without_engine.mkdir()
    (without_engine / "sitecustomize.py").write_text(
        "import importlib.util as u\n"
        "real = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'xllamacpp' else real(name, *rest)\n",
        encoding="utf-8",
    )
    path = f"{without_engine}:{program.environment()['PYTHONPATH']}"

    done = program.run("init", PYTHONPATH=path)

    assert (done.returncode, done.stdout) == (2, "")
    assert "--model ollama/llama3.2" in done.stderr
    assert not (program.folder / "brain.json").exists()


@pytest.mark.parametrize("model_id", ["llama3.2", "hf.co/some-one/a_model:Q4_K_M"])
@pytest.mark.parametrize("is_private", [True, False])
def test_every_choice_makes_a_valid_config(
    tmp_path: Path, model_id: str, *, is_private: bool
) -> None:
    text = first_config(Choice(provider="ollama", model_id=model_id, is_private=is_private))

    report = check_config(
        tmp_path / "brain.json",
        environ={"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)},
        static=True,
        content=text.encode(),
    )

    assert report.problems == ()
    assert report.config is not None
    assert report.config.brains[0].models[0].model_id == model_id
