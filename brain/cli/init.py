"""`brain init`: a first config, from the models that are here."""

import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from brain.cli.candidates import Candidate, Found, candidate_named, find_candidates
from brain.cli.check import model_problems
from brain.cli.first_config import Choice, first_config
from brain.cli.line import TEXT, config_named, config_option
from brain.cli.place import working_folder
from brain.cli.questions import ask_number, ask_yes
from brain.cli.talk import say, warn
from brain.config import Config, Report, check_config, install_command, remember
from brain.errors import UsageError

__all__ = ["init"]

_FILE: Final = "brain.json"
_ANY_MODEL: Final = Choice(provider="ollama", model_id="llama3.2")


@click.command()
@click.option("--model", "named", type=TEXT, metavar="ID", help="The model that answers.")
@click.option(
    "--private/--public",
    "is_private",
    default=None,
    help="Whether only models that are proved to run on this machine are asked; private by default.",
)
@config_option
@click.pass_context
def init(ctx: click.Context, /, *, named: str | None, is_private: bool | None) -> None:
    """Write a first config, with remarks, from the models that are here.

    It becomes ./brain.json, or the file that --config names; one that is there is never overwritten.
    At a terminal what no option says is asked; else it has its default, and nothing is asked.
    """
    path = Path(config_named(ctx) or working_folder() / _FILE)
    if os.path.lexists(path):
        raise _taken(path)
    can_ask = sys.stdin.isatty() and sys.stderr.isatty()
    # The settings of any Ollama model say where its server is, by the file's rules and the environment.
    anywhere = _usable(_judged(path, _ANY_MODEL))
    found = find_candidates(anywhere.brains[0].models[0])
    chosen = _choose(found, named, can_ask=can_ask)
    choice = Choice(
        provider=chosen.provider,
        model_id=chosen.model_id,
        is_local=chosen.is_local,
        is_private=_is_private(chosen, said=is_private, can_ask=can_ask),
    )
    report = _judged(path, choice)
    _usable(report.with_problems(*model_problems(report)))
    _write(path, first_config(choice).encode())
    remember(path, environ=os.environ)
    say(
        f"wrote {report.file}: {chosen.name} answers, and notes are rehearsed until you say otherwise"
    )
    for line in _next_steps(chosen, report):
        warn(line)


def _judged(path: Path, choice: Choice) -> Report:
    """Check what a choice would write, as `brain check` would."""
    content = first_config(choice).encode()
    return check_config(path, environ=os.environ, static=False, content=content)


def _usable(report: Report) -> Config:
    """Return the config of a report. Raises ConfigError with its problems."""
    if report.config is None:
        told = replace(
            report,
            verdict="would not be valid",
            meanwhile="nothing was written",
            again="brain init",
        )
        raise told.error()
    return report.config


def _choose(found: Found, named: str | None, *, can_ask: bool) -> Candidate:
    if named is not None:
        return candidate_named(named, found)
    if not found.candidates:
        raise UsageError(
            f"there is no model here: {found.silence or 'the Ollama server has none'}, and brain "
            "was installed without the one in the process; nothing was written",
            fix=f"start Ollama, or {install_command('embedded')}; or name the model that is to "
            "come: --model ollama/llama3.2",
        )
    if len(found.candidates) == 1 or not can_ask:
        return found.candidates[0]
    return _ask_model(found.candidates)


def _ask_model(candidates: Sequence[Candidate]) -> Candidate:
    warn("models here:")
    for number, each in enumerate(candidates, start=1):
        warn(f"  {number}  {each.told}")
    return candidates[ask_number("Which one answers?", at_most=len(candidates)) - 1]


def _is_private(chosen: Candidate, *, said: bool | None, can_ask: bool) -> bool:
    """Tell whether the brain is to be private. Raises UsageError for one that could ask nobody."""
    if said is None and can_ask and chosen.is_local:
        return ask_yes(
            "Private: ask only models that are proved to run on this machine?", default=True
        )
    if said is None and can_ask:
        said = not ask_yes(
            f"{chosen.name} runs elsewhere: what you write would leave this machine. Go on?",
            default=False,
        )
    if not chosen.is_local and said is not False:
        raise UsageError(
            f"{chosen.name} runs elsewhere, and a private brain asks no such model; "
            "nothing was written",
            fix="name another with --model, or say --public",
        )
    return said is not False


def _taken(path: Path) -> UsageError:
    return UsageError(
        f"{path.name} is there already; nothing was written",
        fix=f"brain check --config {path} looks at it; for another: brain init --config FILE",
    )


def _write(path: Path, content: bytes) -> None:
    """Put a new file in its place whole, or not at all. Raises UsageError, also where one is there."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(beside, path)  # unlike a rename, this never takes the place of another file
        finally:
            beside.unlink()
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        raise UsageError(
            f"{path} can't be written: {error.strerror}; nothing was written",
            fix="name a file in a folder of yours: brain init --config FILE",
        ) from error


def _next_steps(chosen: Candidate, report: Report) -> Sequence[str]:
    named = report.again.removeprefix("brain check")
    steps = [f"next: brain run{named}"]
    if not chosen.has_come:
        how = " --embedded" if chosen.provider == "embedded" else ""
        steps.insert(0, f"first: brain pull{how}{named}")
    return steps
