"""Which config file is meant, said on stderr, and agreed to where a folder brought it along."""

import os
import shlex
import sys
from pathlib import Path

import click

from brain.cli.at_hand import store_problems
from brain.cli.line import config_named
from brain.cli.questions import ask_yes
from brain.cli.talk import warn
from brain.config import (
    Config,
    Storage,
    check_config,
    find_config,
    is_default,
    is_known,
    remember,
    render_problems,
)
from brain.errors import UsageError

__all__ = ["config_at", "config_in_force", "config_path", "storage_of", "working_folder"]


def config_path(ctx: click.Context, /, *, is_only_read: bool = False) -> Path:
    """Return the config file to use, and print which it is.

    A `./brain.json` that was never used is asked about, since a folder that was sent must not
    decide what runs; `is_only_read` is for commands that run nothing of it. Raises ConfigError
    where there is none, UsageError where nobody can be asked or the answer is no.
    """
    named, here = config_named(ctx), working_folder()
    path = find_config(Path(named) if named else None, cwd=here, environ=os.environ)
    warn(f"config: {_shown(path)}")
    is_brought_along = named is None and path.absolute().parent == here
    if is_brought_along and not is_only_read and not is_known(path, environ=os.environ):
        _agree(path)
    return path


def option_for(config: Config) -> str:
    """Return what makes a command use this config, with a space before it; nothing where it would."""
    if is_default(config.path, cwd=working_folder(), environ=os.environ):
        return ""
    return f" --config {shlex.quote(_shown(config.path))}"


def working_folder() -> Path:
    """Return the folder this was started in. Raises UsageError where it is gone."""
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError(
            f"the folder in which this was started can't be used: {error.strerror}",
            fix="go to a folder that is there, and give the command again",
        ) from error


def _agree(path: Path) -> None:
    shown = _shown(path)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            f"{shown} was never used before, and there is no terminal to ask at; "
            "nothing was started",
            fix=f"if you mean it: --config ./{shown}",
        )
    question = f"{shown} in this folder was never used before. Let it decide what runs?"
    if not ask_yes(question, default=False):
        raise UsageError(f"{shown} is not used; nothing was started", fix="--config FILE names one")
    remember(path, environ=os.environ)


def _shown(path: Path) -> str:
    absolute, cwd = path.absolute(), Path.cwd()
    return str(absolute.relative_to(cwd) if absolute.is_relative_to(cwd) else absolute)


def config_in_force(ctx: click.Context, /, *, static: bool = False) -> Config:
    """Return the config to use; its warnings go to stderr.

    `static` leaves this machine and its environment out, for commands that only read the store.
    Raises ConfigError with every problem.
    """
    return config_at(config_path(ctx), static=static)


def config_at(path: Path, *, static: bool = False) -> Config:
    """Return the config of a file; its warnings go to stderr. Raises ConfigError."""
    report = check_config(path, environ=os.environ, static=static)
    config = report.config
    if config is None:
        raise report.error()
    if not static:  # what a start can't use, it refuses by itself and says why
        told = (each for each in store_problems(report) if each.severity == "warning")
        report = report.with_problems(*told)
    if report.warnings:
        warn(render_problems(report))
    return config


def storage_of(config: Config) -> Storage:
    """Return where the config keeps its rows. Raises UsageError where it keeps none."""
    if config.storage is None:
        raise UsageError(
            "this config keeps nothing: it has no storage block",
            fix='add "storage": {} to it',
        )
    return config.storage
