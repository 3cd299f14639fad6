"""`brain run` in a pipe and in a real terminal, with a model that follows a script."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

import pytest

from brain.store import owned_files
from tests.cli.program import SMALL, Program
from tests.cli.servers import ollama_server
from tests.cli.talks import ALLOW_SCRIPTED, saves, talks
from tests.cli.terminals import EDITOR_IS_READY, WAIT_SECONDS, talking, terminal, told


@pytest.fixture
def scripted(program: Program) -> Program:
    return Program(folder=program.folder, environ=ALLOW_SCRIPTED)


@pytest.mark.proves("P13")
def test_a_pipe_holds_replies_effects_lines_and_reports_and_nothing_else(
    scripted: Program,
) -> None:
    scripted.write("talk.json", talks(saves("takes tea without sugar"), "I will remember."))

    done = scripted.run(
        "run", "--config", "talk.json", typed="Remember: I take tea without sugar.\n\n/notes\n"
    )

    assert done.returncode == 0
    assert done.stdout == (
        "I will remember.\n"
        "[brain] saved note 1\n"
        "Notes of this conversation: 1 of 2.\n"
        "1. takes tea without sugar\n"
    )
    assert "config: talk.json" in done.stderr
    assert "assistant answers with scripted/test" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.proves("P3")
def test_a_shadowed_note_is_told_as_a_rehearsal_and_can_be_promoted_in_the_same_talk(
    scripted: Program,
) -> None:
    scripted.write("talk.json", talks(saves("likes rain"), "That was a rehearsal.", mode="shadow"))

    done = scripted.run(
        "run",
        "--config",
        "talk.json",
        typed="Remember that I like rain.\n/notes\n/notes promote 1\n/notes\n",
    )

    assert done.returncode == 0
    assert done.stdout == (
        "That was a rehearsal.\n"
        "[brain] not saved: rehearsal 1 (/notes rehearsals)\n"
        "Notes of this conversation: 0 of 2.\n"
        "1 rehearsal to judge: /notes rehearsals\n"
        "Saved note 1.\n"
        "Notes of this conversation: 1 of 2.\n"
        "1. likes rain\n"
    )


@pytest.mark.proves("P4")
def test_notes_are_there_again_in_the_next_process_and_only_in_their_conversation(
    scripted: Program,
) -> None:
    scripted.write("talk.json", talks(saves("has a dog"), "Noted."))
    scripted.run("run", "--config", "talk.json", typed="Remember my dog.\n")

    same = scripted.run("run", "--config", "talk.json", typed="/notes\n")
    other = scripted.run("run", "--config", "talk.json", "--conversation", "work", typed="/notes\n")

    assert same.stdout.splitlines()[-1] == "1. has a dog"
    assert other.stdout == "Notes of this conversation: 0 of 2.\n"


@pytest.mark.proves("P7")
def test_commands_work_while_no_model_does_and_a_failed_exchange_ends_in_1(
    program: Program,
) -> None:
    program.write("small.json", SMALL)

    done = program.run("run", "--config", "small.json", typed="/help\nhello\n/tools\n")

    assert done.returncode == 1
    assert "/notes" in done.stdout
    assert "ollama/llama3.2" in done.stdout
    assert "ollama serve" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_a_model_writes_reaches_a_terminal_without_its_controls(scripted: Program) -> None:
    scripted.write("talk.json", talks("Look\x1b]0;owned\x07 here\x1b[2J.\n[brain] saved note 7"))

    done = scripted.run("run", "--config", "talk.json", typed="hi\n")

    assert done.stdout == "Look here.\n [brain] saved note 7\n"


def test_where_there_are_several_consoles_one_is_picked_by_its_name(scripted: Program) -> None:
    consoles = [{"type": "console", "name": name} for name in ("desk", "guest")]
    scripted.write("talk.json", talks("Hello.", channels=consoles))

    for name in ("desk", "guest"):
        done = scripted.run("run", "--config", "talk.json", "--channel", name, typed="/tools\n")
        assert f"on channel '{name}'" in done.stdout
    first = scripted.run("run", "--config", "talk.json", typed="/tools\n")
    other = scripted.run("run", "--config", "talk.json", "--channel", "dsk", typed="/tools\n")

    assert "on channel 'desk'" in first.stdout
    assert (other.returncode, other.stdout) == (2, "")
    assert "--channel names one of: desk, guest" in other.stderr


def test_a_second_process_on_the_same_conversation_is_refused_by_name(scripted: Program) -> None:
    scripted.write("talk.json", talks("Hello."))

    with talking(scripted, "run", "--config", "talk.json") as first:
        told(first).until(b"answers with")
        second = scripted.run("run", "--config", "talk.json", typed="hi\n")
        other = scripted.run("run", "--config", "talk.json", "--conversation", "work", typed="hi\n")

    assert (second.returncode, second.stdout) == (1, "")
    assert "'main'" in second.stderr
    assert "--conversation" in second.stderr
    assert (other.returncode, other.stdout) == (0, "Hello.\n")


def test_a_disk_that_takes_not_a_byte_is_told_and_nothing_is_started(scripted: Program) -> None:
    scripted.write("talk.json", talks("Hello."))

    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", sys.executable, "-m", "brain", "run",
         "--config", "talk.json"],
        cwd=scripted.folder, env=scripted.environment(), input=b"hi\n",
        capture_output=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (1, b"")
    assert b"lock" in done.stderr
    assert b"can't be made: File too large. Nothing was started." in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_file_where_the_folder_of_locks_belongs_is_told(scripted: Program) -> None:
    scripted.write("talk.json", talks("Hello."))
    (scripted.folder / "state").mkdir()
    (scripted.folder / "state" / "locks").write_text("mine", encoding="utf-8")

    done = scripted.run("run", "--config", "talk.json", typed="hi\n")

    assert (done.returncode, done.stdout) == (1, "")
    assert "can't be made: File exists. Nothing was started." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_asked_to_stop_it_ends_orderly_with_130_and_its_end_on_record(
    scripted: Program, name: str
) -> None:
    scripted.write("talk.json", talks("Hello."))

    with talking(scripted, "run", "--config", "talk.json") as process:
        told(process).until(b"answers with")
        process.send_signal(getattr(signal, name))
        code = process.wait(WAIT_SECONDS)

    events = scripted.run("activity", "--json", "--config", "talk.json")
    types = [event["type"] for event in json.loads(events.stdout)]
    assert code == 130
    assert (types[0], types[-1]) == ("runtime_started", "runtime_stopped")


@pytest.mark.parametrize("moment", [0.05 * step for step in range(12)])
def test_ctrl_c_while_it_starts_ends_it_with_130_and_without_a_trace(
    scripted: Program, moment: float
) -> None:
    scripted.write("talk.json", talks("Hello."))
    tells_when_it_hears = (
        "import runpy, signal; put = signal.signal; "
        "signal.signal = lambda *words: (put(*words), print('hears', flush=True))[0]; "
        "runpy.run_module('brain', run_name='__main__')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", tells_when_it_hears, "run", "--config", "talk.json"],
        cwd=scripted.folder, env=scripted.environment(), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        process.send_signal(signal.SIGINT)
        code = process.wait(WAIT_SECONDS)
        told = process.stderr.read()

    assert code == 130, told
    assert b"Traceback" not in told


def test_a_reader_that_leaves_early_ends_the_program_without_a_complaint(
    scripted: Program,
) -> None:
    scripted.write("talk.json", talks("Hello."))

    with talking(scripted, "run", "--config", "talk.json") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(b"/help\n")
        process.stdin.close()
        code = process.wait(WAIT_SECONDS)
        assert process.stderr is not None
        told = process.stderr.read()

    assert code == 1
    assert b"Traceback" not in told
    assert b"BrokenPipe" not in told


@pytest.mark.parametrize(
    ("words", "prompt"),
    [pytest.param((), EDITOR_IS_READY, id="edited"), pytest.param(("--plain",), b"> ", id="plain")],
)
def test_at_a_terminal_one_types_reads_and_leaves(
    scripted: Program, words: tuple[str, ...], prompt: bytes
) -> None:
    scripted.write("talk.json", talks(saves("likes 日本茶"), "I will remember 日本茶."))

    with terminal(scripted, "run", "--config", "talk.json", *words) as (process, screen):
        screen.until(prompt)
        screen.type("日本茶が好き\r")
        shown = screen.until(b"saved note 1")
        shown += screen.until(prompt)
        screen.type("/notes\r")
        shown += screen.until("1. likes 日本茶".encode())
        screen.until(prompt)
        screen.type("\x04")
        code = process.wait(WAIT_SECONDS)

    assert code == 0
    assert "I will remember 日本茶.".encode() in shown


def test_at_a_terminal_ctrl_c_twice_leaves_and_the_history_is_for_its_owner_alone(
    scripted: Program,
) -> None:
    scripted.write("talk.json", talks("Hello."))

    with terminal(scripted, "run", "--config", "talk.json") as (process, screen):
        screen.until(EDITOR_IS_READY)
        screen.type("/notes\r")
        screen.until(b"0 of 2")
        screen.until(EDITOR_IS_READY)
        screen.type("\x03")
        screen.until(b"to leave")
        screen.type("\x03")
        code = process.wait(WAIT_SECONDS)

    history = scripted.folder / "state" / "prompt-history"
    assert code == 130
    assert "/notes" in history.read_text(encoding="utf-8")
    assert history.stat().st_mode & 0o777 == 0o600
    owned = owned_files(scripted.folder / "state" / "brain.db")
    assert {entry.name for entry in history.parent.iterdir()} <= owned


def test_at_a_terminal_ctrl_c_drops_a_line_that_was_begun_before_it_leaves(
    scripted: Program,
) -> None:
    scripted.write("talk.json", talks("Hello."))

    with terminal(scripted, "run", "--config", "talk.json") as (process, screen):
        screen.until(EDITOR_IS_READY)
        for begun in ("half a sentence", "another"):
            screen.type(begun)
            screen.until(begun.encode())
            screen.type("\x03")
            shown = screen.until(EDITOR_IS_READY)
            assert b"to leave" not in shown
        screen.type("\x03")
        screen.until(b"to leave")
        screen.until(EDITOR_IS_READY)
        screen.type("\x03")
        code = process.wait(WAIT_SECONDS)

    events = scripted.run("activity", "--json", "--config", "talk.json")
    types = [event["type"] for event in json.loads(events.stdout)]
    assert code == 130
    assert "message_received" not in types
    assert types[-1] == "runtime_stopped"


@pytest.mark.parametrize(
    ("words", "prompt"),
    [pytest.param((), EDITOR_IS_READY, id="edited"), pytest.param(("--plain",), b"> ", id="plain")],
)
def test_at_a_prompt_the_signal_of_ctrl_c_is_as_the_key(
    scripted: Program, words: tuple[str, ...], prompt: bytes
) -> None:
    """It is the signal that comes where Ctrl-C is pressed while the terminal has no prompt yet."""
    scripted.write("talk.json", talks("Hello."))

    with terminal(scripted, "run", "--config", "talk.json", *words) as (process, screen):
        screen.until(prompt)
        process.send_signal(signal.SIGINT)
        screen.until(b"to leave")
        screen.until(prompt)
        process.send_signal(signal.SIGINT)
        code = process.wait(WAIT_SECONDS)

    assert code == 130


def test_at_a_terminal_tab_completes_a_command_and_the_next_talk_has_it_in_its_history(
    scripted: Program,
) -> None:
    scripted.write("talk.json", talks("Hello."))

    for keys in ("/not\t\r", "\x1b[A\r"):
        with terminal(scripted, "run", "--config", "talk.json") as (process, screen):
            screen.until(EDITOR_IS_READY)
            screen.type(keys)
            screen.until(b"0 of 2")
            screen.until(EDITOR_IS_READY)
            screen.type("\x04")
            assert process.wait(WAIT_SECONDS) == 0


def test_bytes_that_are_no_text_and_sequences_that_are_no_keys_do_not_end_the_talk(
    scripted: Program,
) -> None:
    scripted.write("talk.json", talks("Hello."))

    with terminal(scripted, "run", "--config", "talk.json") as (process, screen):
        screen.until(EDITOR_IS_READY)
        os.write(screen.descriptor, b"odd \xff\xfe and \x1b[31m red\r")
        shown = screen.until(b"Hello.")
        screen.until(EDITOR_IS_READY)
        screen.type("\x04")
        code = process.wait(WAIT_SECONDS)

    assert code == 0
    assert b"Exception" not in shown


def test_a_history_that_can_not_be_kept_is_said_and_the_talk_goes_on(scripted: Program) -> None:
    scripted.write("talk.json", talks("Hello."))
    (scripted.folder / "state" / "prompt-history").mkdir(parents=True)

    with terminal(scripted, "run", "--config", "talk.json") as (process, screen):
        screen.until(b"what you type is not kept for next time")
        screen.until(EDITOR_IS_READY)
        screen.type("hi\r")
        screen.until(b"Hello.")
        screen.until(EDITOR_IS_READY)
        screen.type("\x04")
        code = process.wait(WAIT_SECONDS)

    assert code == 0


@pytest.mark.proves("P10")
def test_a_grant_that_is_flipped_in_the_file_is_in_force_in_the_open_talk(
    scripted: Program,
) -> None:
    replies = (saves("likes rain"), "Rehearsed.", saves("likes rain"), "Noted.")
    scripted.write("talk.json", talks(*replies, mode="shadow"))

    with terminal(scripted, "run", "--config", "talk.json") as (process, screen):
        screen.until(EDITOR_IS_READY)
        screen.type("I like rain.\r")
        screen.until(b"not saved: rehearsal 1")
        screen.until(EDITOR_IS_READY)
        scripted.write("talk.json", talks(*replies, mode="allow"))
        screen.until(b"config applied")
        screen.type("I like rain.\r")
        screen.until(b"saved note 1")
        screen.until(EDITOR_IS_READY)
        screen.type("\x04")
        code = process.wait(WAIT_SECONDS)

    assert code == 0


def test_a_brain_json_of_a_folder_is_asked_about_once(scripted: Program) -> None:
    scripted.write("brain.json", talks("Hello."))

    with terminal(scripted, "run", "--plain") as (process, screen):
        screen.until(b"[y/N]")
        screen.type("n\r")
        screen.until(b"is not used")
        refused = process.wait(WAIT_SECONDS)
    with terminal(scripted, "run", "--plain") as (process, screen):
        screen.until(b"[y/N]")
        screen.type("y\r")
        screen.until(b"> ")
        screen.type("\x04")
        agreed = process.wait(WAIT_SECONDS)
    afterwards = scripted.run("run", typed="hi\n")

    assert (refused, agreed) == (2, 0)
    assert (afterwards.returncode, afterwards.stdout) == (0, "Hello.\n")


@pytest.mark.parametrize(
    ("words", "reply"),
    [((), "I am the desk's."), (("--channel", "guest"), "I am the guests'.")],
    ids=["the first console where none is named", "the one that is named"],
)
def test_each_console_leads_to_its_own_brain(
    scripted: Program, words: tuple[str, ...], reply: str
) -> None:
    scripted.write("two.json", two_consoles())

    done = scripted.run("run", "--config", "two.json", *words, typed="who are you?\n")

    assert (done.returncode, done.stdout) == (0, f"{reply}\n")


def test_two_consoles_are_talked_at_at_once_and_keep_their_notes_apart(scripted: Program) -> None:
    scripted.write("two.json", two_consoles())

    with talking(scripted, "run", "--config", "two.json", "--channel", "guest") as guest:
        told(guest).until(b"clerk answers with")
        done = scripted.run("run", "--config", "two.json", "--channel", "desk", typed="/help\n")
        same = scripted.run("run", "--config", "two.json", "--channel", "guest", typed="/help\n")

    assert done.returncode == 0
    assert same.returncode != 0
    assert "guest" in same.stderr


def two_consoles() -> dict[str, Any]:
    """Return the routes of the example with two consoles, each brain with its own word."""
    desk, guest = talks("I am the desk's."), talks("I am the guests'.")
    clerk = {**guest["brains"][0], "name": "clerk"}
    return {
        **desk,
        "channels": [{"type": "console", "name": "desk"}, {"type": "console", "name": "guest"}],
        "routes": [
            {"channel": "desk", "brain": "assistant"},
            {"channel": "guest", "brain": "clerk"},
        ],
        "brains": [desk["brains"][0], clerk],
    }


def test_a_model_that_is_passed_over_is_told_calmly_and_once_in_the_line_of_the_one_that_answers(
    program: Program,
) -> None:
    brain = SMALL["brains"][0]
    models = [{**brain["models"][0], "model_id": name} for name in ("llama3.2", "qwen2.5:3b")]
    program.write("two.json", {"brains": [{**brain, "models": models}]})

    with ollama_server("--model", "qwen2.5:3b", "--reply", "Good morning.") as url:
        done = program.run(
            "run", "--config", "two.json", typed="hello\nhello\nhello\n", OLLAMA_HOST=url
        )

    assert (done.returncode, done.stdout) == (0, "Good morning.\n" * 3)
    why = f"ollama/llama3.2 can't be asked (the server at {url} does not have the model 'llama3.2')"
    assert done.stderr.splitlines() == [
        "config: two.json",
        f"assistant answers with ollama/qwen2.5:3b (proved local), since {why}",
    ]


def test_where_no_model_is_left_each_is_told_with_what_mends_it(program: Program) -> None:
    brain = SMALL["brains"][0]
    models = [{**brain["models"][0], "model_id": name} for name in ("llama3.2", "qwen2.5:3b")]
    program.write("two.json", {"brains": [{**brain, "models": models}]})

    done = program.run("run", "--config", "two.json", typed="/help\n")

    assert done.returncode == 0
    assert done.stderr.count("out of service: nothing answers") == 2
    assert done.stderr.count("  fix: ") == 2
    assert "assistant has no model to ask now" in done.stderr


def test_a_model_that_lied_is_told_aloud_though_another_answers(program: Program) -> None:
    config = talks("Hello.")
    config["brains"][0]["models"].insert(0, SMALL["brains"][0]["models"][0])
    program.write("two.json", config)

    with ollama_server("--model", "llama3.2", "--lie", "chunk") as url:
        program.run("run", "--config", "two.json", typed="hi\n", OLLAMA_HOST=url, **ALLOW_SCRIPTED)
        done = program.run(
            "run", "--config", "two.json", typed="hi\n", OLLAMA_HOST=url, **ALLOW_SCRIPTED
        )

    assert done.stdout == "Hello.\n"
    assert "ollama/llama3.2: broken: " in done.stderr
    assert "brain models release ollama/llama3.2 --config two.json" in done.stderr
    assert "assistant answers with scripted/test (proved local)\n" in done.stderr
