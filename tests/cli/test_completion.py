"""The Tab key of a shell knows brain's words."""

import shutil
import sys

import pytest

from tests.cli.program import ROOT, Program
from tests.cli.terminals import at_terminal

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


@pytest.fixture
def with_brain(program: Program) -> Program:
    """A folder in which `brain` is a command, as an installation makes it one."""
    folder = program.folder / "bin"
    folder.mkdir()
    command = folder / "brain"
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m brain "$@"\n', encoding="utf-8"
    )
    command.chmod(0o755)
    path = f"{folder}:{program.environment()['PATH']}"
    return Program(folder=program.folder, environ={"PATH": path, "PS1": "$ "})


@needs_bash
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("brain act", b"brain activity "),
        ("brain run --chan", b"brain run --channel "),
        ("brain notes rehearsals pro", b"brain notes rehearsals promote "),
        ("brain completion f", b"brain completion fish "),
        ("brain check --config my-", b"brain check --config my-config.json "),
    ],
)
def test_bash_completes_commands_options_and_files(
    with_brain: Program, typed: str, completed: bytes
) -> None:
    with_brain.write("my-config.json", {})
    starts = "import os; os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])"

    with at_terminal(with_brain, starts) as (_, screen):
        screen.type('eval "$(brain completion bash)"; echo comple""ted\r')
        screen.until(b"completed")
        screen.type(f"{typed}\t")
        screen.until(completed)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_of_its_own(program: Program, shell: str) -> None:
    done = program.run("completion", shell)

    assert (done.returncode, done.stderr) == (0, "")
    assert f"{shell}_complete" in done.stdout


def test_a_shell_that_is_not_known_is_refused_with_those_that_are(program: Program) -> None:
    done = program.run("completion", "csh")

    assert (done.returncode, done.stdout) == (2, "")
    assert "'bash', 'zsh', 'fish'" in done.stderr
