"""`brain reload`, `brain status` and SIGHUP, asked of a brain in a process of its own."""

import json
import os
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED, talks
from tests.cli.terminals import EDITOR_IS_READY, WAIT_SECONDS, Reader, talking, terminal, told
from tests.flows.saving import by_rename

CONFIG = ("--config", "talk.json")


@pytest.fixture
def scripted(program: Program) -> Program:
    return Program(folder=program.folder, environ=ALLOW_SCRIPTED)


@pytest.fixture
def running(scripted: Program) -> Iterator[tuple[subprocess.Popen[bytes], Reader]]:
    scripted.write("talk.json", talks("Hello.", mode="shadow"))
    with talking(scripted, "run", *CONFIG) as process:
        stderr = told(process)
        stderr.until(b"(proved local)\n")
        yield process, stderr


def control_folder(program: Program) -> Path:
    return program.folder / "home" / "state" / "brain" / "control"


@pytest.mark.proves("P10")
def test_a_save_is_told_in_one_line_of_talk_and_a_bad_one_with_all_its_problems(
    scripted: Program, running: tuple[subprocess.Popen[bytes], Reader]
) -> None:
    process, stderr = running

    by_rename(scripted.folder / "talk.json", talks("Hello.", mode="allow"))
    applied = stderr.until(b")\n")
    by_rename(scripted.folder / "talk.json", talks("Hello.", mode="alow"))
    rejected = stderr.until(b"check again with: brain check --config talk.json\n")
    assert process.stdin is not None
    process.stdin.write(b"hi\n")
    process.stdin.close()

    assert b"config applied: brains[0].agent.governance[1].mode (revision " in applied
    assert b"error: talk.json is not valid; the config in force runs on (1 problem" in rejected
    assert b"did you mean 'allow'?" in rejected
    assert process.wait(WAIT_SECONDS) == 0
    assert process.stdout is not None
    assert process.stdout.read() == b"Hello.\n"


def test_reload_says_what_became_of_the_file_and_ends_with_0_or_2(
    scripted: Program, running: tuple[subprocess.Popen[bytes], Reader]
) -> None:
    process, _ = running

    unchanged = scripted.run("reload", *CONFIG)
    scripted.write("talk.json", '{"brains": [')
    rejected = scripted.run("reload", *CONFIG)
    as_data = json.loads(scripted.run("reload", "--json", *CONFIG).stdout)

    assert unchanged.returncode == 0
    assert unchanged.stdout.startswith(f"process {process.pid}: config as in force (revision ")
    assert rejected.returncode == 2
    assert "error: talk.json is not valid; the config in force runs on" in rejected.stdout
    assert as_data[0]["reload"]["kind"] == "rejected"
    assert as_data[0]["reload"]["codes"] == ["not_json"]


def test_status_tells_revision_models_store_and_the_last_reload(
    scripted: Program, running: tuple[subprocess.Popen[bytes], Reader]
) -> None:
    process, stderr = running
    first = json.loads(scripted.run("status", "--json", *CONFIG).stdout)[0]
    by_rename(scripted.folder / "talk.json", talks("Hello.", mode="deny"))
    stderr.until(b"config applied")

    done = scripted.run("status", *CONFIG)
    second = json.loads(scripted.run("status", "--json", *CONFIG).stdout)[0]

    assert done.returncode == 0
    assert f"process {process.pid}: {scripted.folder / 'talk.json'}" in done.stdout
    assert "assistant: scripted/test: ready: proved local" in done.stdout
    assert "store      writable" in done.stdout
    assert "config applied: brains[0].agent.governance[1].mode" in done.stdout
    assert first["last_reload"] is None
    assert second["last_reload"]["revision_before"] == first["revision"]
    assert second["last_reload"]["revision"] == second["revision"]


def test_status_tells_how_the_last_forgetting_stands(
    scripted: Program, running: tuple[subprocess.Popen[bytes], Reader]
) -> None:
    before = json.loads(scripted.run("status", "--json", *CONFIG).stdout)[0]
    scripted.run("notes", "add", "likes tea in the morning", *CONFIG)
    forgotten = scripted.run("forget", "everything", "--yes", "--json", *CONFIG)
    told = json.loads(forgotten.stdout) if forgotten.stdout else None
    after = json.loads(scripted.run("status", "--json", *CONFIG).stdout)[0]
    shown = scripted.run("status", *CONFIG).stdout

    assert before["forgetting"] is None
    assert told is not None, forgotten.stderr
    assert after["forgetting"] == {
        "id": told["forgetting_id"],
        "kind": "everything",
        "outcome": "clean",
    }
    assert f"forgetting {told['forgetting_id']} (everything): clean" in shown


@pytest.mark.parametrize("verb", ["reload", "status"])
def test_where_no_brain_runs_it_ends_with_4_and_says_what_to_do(
    scripted: Program, verb: str
) -> None:
    scripted.write("talk.json", talks("Hello."))

    done = scripted.run(verb, *CONFIG)

    assert done.returncode == 4
    assert "error: no brain runs with talk.json" in done.stderr
    assert "fix: start it with brain run" in done.stderr


def test_the_socket_is_for_its_owner_alone_and_goes_with_its_process(
    scripted: Program, running: tuple[subprocess.Popen[bytes], Reader]
) -> None:
    process, _ = running
    folder = control_folder(scripted)
    (path,) = folder.iterdir()
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (folder, path)]

    process.send_signal(signal.SIGTERM)
    process.wait(WAIT_SECONDS)

    assert modes == [0o700, 0o600]
    assert list(folder.iterdir()) == []


def test_a_socket_that_a_killed_process_left_is_no_running_brain(
    scripted: Program, running: tuple[subprocess.Popen[bytes], Reader]
) -> None:
    process, _ = running
    process.kill()
    process.wait(WAIT_SECONDS)
    left = list(control_folder(scripted).iterdir())

    done = scripted.run("status", *CONFIG)

    assert (len(left), done.returncode) == (1, 4)
    assert list(control_folder(scripted).iterdir()) == []


def test_the_next_start_of_any_brain_removes_what_killed_ones_left_and_cuts_off_no_living_one(
    scripted: Program, running: tuple[subprocess.Popen[bytes], Reader]
) -> None:
    living, _ = running
    scripted.write("other.json", talks("Hi."))
    with talking(scripted, "run", *CONFIG, "--conversation", "work") as killed:
        told(killed).until(b"(proved local)\n")
    folder = control_folder(scripted)
    half_made = folder / "0123456789ab-1-0.coming"
    half_made.write_bytes(b"")
    os.utime(half_made, (0, 0))
    left = {each.name for each in folder.iterdir()}

    with ExitStack() as held:  # two at once, with the same state folder
        starting = [
            held.enter_context(
                talking(scripted, "run", "--config", "other.json", "--conversation", name)
            )
            for name in ("one", "two")
        ]
        for process in starting:
            told(process).until(b"(proved local)\n")
        names = {each.name for each in folder.iterdir()}
        found = json.loads(scripted.run("status", "--json", *CONFIG).stdout)
        others = json.loads(scripted.run("status", "--json", "--config", "other.json").stdout)

    assert len(left) == 3
    assert len(names) == 3
    assert [each["pid"] for each in found] == [living.pid]
    assert {each["pid"] for each in others} == {process.pid for process in starting}


def test_a_hangup_signal_reads_the_file_and_does_not_end_the_program(
    scripted: Program, running: tuple[subprocess.Popen[bytes], Reader]
) -> None:
    process, stderr = running
    by_rename(scripted.folder / "talk.json", talks("Hello.", mode="alow"))
    stderr.until(b"check again")

    process.send_signal(signal.SIGHUP)
    again = stderr.until(b"check again")

    assert b"error: talk.json is not valid" in again
    assert process.poll() is None


def test_at_a_terminal_a_save_is_told_above_what_is_being_written(scripted: Program) -> None:
    scripted.write("talk.json", talks("Hello.", mode="shadow"))

    with terminal(scripted, "run", *CONFIG) as (process, screen):
        screen.until(EDITOR_IS_READY)
        screen.type("half a sen")
        screen.until(b"half a sen")
        by_rename(scripted.folder / "talk.json", talks("Hello.", mode="allow"))
        shown = screen.until(b"config applied: brains[0].agent.governance[1].mode")
        screen.type("tence\r")
        shown += screen.until(b"Hello.")
        screen.until(EDITOR_IS_READY)
        screen.type("\x04")
        code = process.wait(WAIT_SECONDS)

    assert code == 0
    assert b"half a sen" in shown


def test_a_closed_terminal_still_ends_the_program(scripted: Program) -> None:
    scripted.write("talk.json", talks("Hello."))

    with terminal(scripted, "run", *CONFIG) as (process, screen):
        screen.until(EDITOR_IS_READY)
        hang_up(process, screen)
        process.wait(WAIT_SECONDS)

    events: list[Any] = json.loads(scripted.run("activity", "--json", *CONFIG).stdout)
    assert events[-1]["type"] == "runtime_stopped"


def hang_up(process: subprocess.Popen[bytes], screen: Reader) -> None:
    """Close the terminal, as a window that is closed does: the kernel signals who sits at it."""
    spare = os.open(os.devnull, os.O_RDONLY)
    os.dup2(spare, screen.descriptor)
    os.close(spare)
