"""`brain`: the commands by name, and the way from an error to an exit code."""

import importlib
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Final, NamedTuple

import click
from click.shell_completion import CompletionItem

import brain
from brain.cli.exits import DONE, FAILED, INTERRUPTED, USAGE, exit_code, tell
from brain.cli.line import config_option
from brain.cli.talk import abandon, is_lost_output, prepare_streams, warn
from brain.errors import BrainError

__all__ = ["main", "run_line"]


class _Entry(NamedTuple):
    """Where a command lives; its help stands here, so that listing them imports none."""

    module: str
    name: str
    help: str


COMMANDS: Final = {
    "run": _Entry("brain.cli.run", "run", "Talk to the assistant, in a terminal or a pipe."),
    "init": _Entry("brain.cli.init", "init", "Write a first config from the models that are here."),
    "serve": _Entry("brain.cli.serve", "serve", "Serve the HTTP channels and the page."),
    "open": _Entry("brain.cli.open", "open_page", "Open the page of the server, signed in."),
    "reload": _Entry("brain.cli.control", "reload", "Put the config in force in a brain that runs."),
    "status": _Entry("brain.cli.control", "status", "How a brain that runs stands."),
    "check": _Entry("brain.cli.check", "check", "Say everything that is wrong with the config."),
    "config": _Entry("brain.cli.settings", "config", "Print the schema, or what is in force and why."),
    "activity": _Entry("brain.cli.activity", "activity", "Read or follow the record of what happened; verify it."),
    "notes": _Entry("brain.cli.notes", "notes", "List, add and drop notes; judge rehearsals."),
    "outbox": _Entry("brain.cli.outbox", "outbox", "What waits on webhook channels: list it, try it anew, discard it."),
    "forget": _Entry("brain.cli.forgetting", "forget", "Remove for good, down to the bytes in brain's files."),
    "why": _Entry("brain.cli.why", "why", "What the last exchange of a talk was made of."),
    "policy": _Entry("brain.cli.policy", "policy", "What would be decided about a tool, now or under another config."),
    "models": _Entry("brain.cli.models", "models", "How each model stands; put one back into service."),
    "backup": _Entry("brain.cli.backup", "backup", "Copy the whole data folder, also while brain runs."),
    "restore": _Entry("brain.cli.backup", "restore", "Put a backup in the place of the data folder."),
    "export": _Entry("brain.cli.transfer", "export", "Write notes, rehearsals and conversations to a file."),
    "import": _Entry("brain.cli.transfer", "import_", "Take up such a file: a plan first, then all of it."),
    "doctor": _Entry("brain.cli.doctor", "doctor", "Look at config, store and models, and say what stands."),
    "pull": _Entry("brain.cli.pull", "pull", "Fetch a model that the config names."),
    "completion": _Entry("brain.cli.completion", "completion", "Let the Tab key of a shell know brain's words."),
}  # fmt: skip


class _LateGroup(click.Group):
    """Imports a command when it is called for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = getattr(importlib.import_module(entry.module), entry.name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(COMMANDS)}."
            ctx.fail(f"There is no command {args[0]!r}. {hint}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Name the commands without importing them: the Tab key is pressed often."""
        names = [
            CompletionItem(name, help=entry.help)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


@click.group(
    cls=_LateGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(brain.__version__, message="brain %(version)s")
@config_option
def app() -> None:
    """Run a local assistant from one JSON file, and see everything that it does."""


def main() -> None:
    """Run the command line of this process and leave with its exit code."""
    prepare_streams()
    code = run_line(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is closed; only the interpreter is left
    if code == INTERRUPTED:
        # Python gives another code to a process in which Ctrl-C met certain imports.
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(code)
    sys.exit(code)


def run_line(words: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    try:
        outcome = app.main(args=list(words), prog_name="brain", standalone_mode=False)
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.ClickException as refused:
        refused.show(sys.stderr)
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        warn("interrupted")
        return INTERRUPTED
    except OSError as error:
        if not is_lost_output(error):
            raise
        abandon(sys.stdout)
        if not isinstance(error, BrokenPipeError):  # else whoever read has left, and knows it
            warn(f"error: the output could not be written: {error.strerror}")
        return FAILED
    except BrainError as error:
        tell(error)
        return exit_code(error)
    return outcome if isinstance(outcome, int) else DONE
