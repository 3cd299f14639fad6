"""`brain run`: talk to the assistant, in a terminal or through a pipe. Opens no port."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Final

import click

from brain.channels import Console
from brain.cli.at_hand import new_store_lines
from brain.cli.echo import without_echo
from brain.cli.interrupts import run_to_end
from brain.cli.line import TEXT, config_option, conversation_option
from brain.cli.lines import follow_lines
from brain.cli.person import user_name
from brain.cli.piped import talk_piped
from brain.cli.place import config_in_force, option_for
from brain.cli.standing import first_lines, passed_over
from brain.cli.table import is_dumb
from brain.cli.talk import warn
from brain.clock import SystemClock
from brain.commands import COMMANDS
from brain.config import Config
from brain.errors import Interrupted, UsageError
from brain.log import configure
from brain.models import import_ahead
from brain.runtime import Runtime, keep_up, open_runtime
from brain.store import PROMPT_HISTORY, hold_conversation

__all__ = ["run"]

_STDIN: Final = 0


@click.command()
@click.option(
    "--channel", type=TEXT, default="", metavar="NAME", help="Which console; else the first."
)
@conversation_option
@click.option(
    "--pull",
    is_flag=True,
    help="First fetch the weights of a model in the process, if none answers.",
)
@click.option("--plain", is_flag=True, help="Redraw nothing, for screen readers.")
@config_option
@click.pass_context
def run(ctx: click.Context, /, *, channel: str, conversation: str, pull: bool, plain: bool) -> int:
    """Talk to the assistant, in a terminal or a pipe.

    In a pipe each line is one message; stdout holds replies, effects lines and reports only.
    """
    config = config_in_force(ctx)
    import_ahead(config)
    for line in new_store_lines(config):
        warn(line)
    console = Console(
        channel=_console_channel(config, channel), conversation=conversation, sender=user_name()
    )
    default = "console" if sys.stderr.isatty() else "json"
    configure(level=config.log.level, as_json=(config.log.format or default) == "json")
    is_plain = plain or is_dumb()
    with ExitStack() as held:
        if config.storage is not None:
            held.enter_context(hold_conversation(config.data_folder, console.channel, conversation))
        return run_to_end(_talk(config, console, is_fetching=pull, is_plain=is_plain))


def _console_channel(config: Config, wanted: str) -> str:
    """Return the wanted channel of type console, or the first. Raises UsageError where there is none."""
    consoles = [channel.name for channel in config.channels if channel.type == "console"]
    if not consoles:
        raise UsageError(
            f"{config.path.name} has no channel of type console; nothing was started",
            fix='add {"type": "console"} to "channels"',
        )
    if wanted and wanted not in consoles:
        raise UsageError(
            f"{config.path.name} has no channel {wanted!r} of type console; nothing was started",
            fix=f"--channel names one of: {', '.join(consoles)}",
        )
    return wanted or consoles[0]


def _is_at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


async def _talk(config: Config, console: Console, *, is_fetching: bool, is_plain: bool) -> int:
    is_moving = _is_at_terminal() and not is_plain
    with _ended_by_terminate(), without_echo(_STDIN) if is_moving else nullcontext():
        if is_fetching:
            from brain.cli.pull import pull_missing

            await pull_missing(config, is_plain=is_plain)
        async with (
            open_runtime(config, clock=SystemClock(), environ=os.environ) as runtime,
            keep_up(
                runtime,
                environ=os.environ,
                tell=lambda outcome: warn(outcome.text),
                is_left=_terminal_is_gone(),
            ),
        ):
            brain = config.brain_of(console.channel).name
            standings = await runtime.ask_models(brain)
            for line in first_lines(brain, standings, option=option_for(config)):
                warn(line)
            told = passed_over(standings)
            if _is_at_terminal():
                return await _at_terminal(runtime, console, told, is_plain=is_plain)
            return await talk_piped(runtime, console, follow_lines(_STDIN), told=told)


async def _at_terminal(
    runtime: Runtime, console: Console, told: Sequence[str], *, is_plain: bool
) -> int:
    from brain.cli.editors import LineEditor, PlainEditor
    from brain.cli.terminal import Look, talk_at_terminal
    from brain.cli.waiting import Sign

    config = runtime.config
    look = Look(is_dimmed=not is_plain and not os.environ.get("NO_COLOR"))
    sign = Sign(clock=runtime.clock, is_moving=not is_plain)
    triggers = config.session.triggers if config.session else ()
    commands = sorted({*(f"/{name}" for name in COMMANDS), *triggers})
    history = config.data_folder / PROMPT_HISTORY if config.storage else None
    editor = (
        PlainEditor(_STDIN) if is_plain else LineEditor(commands=commands, history_file=history)
    )
    runtime.reload.tell_to(lambda outcome: editor.tell(outcome.text))
    warn("/help says what there is, Ctrl-D leaves")
    runtime.keep_warm()
    return await talk_at_terminal(runtime, console, editor=editor, look=look, sign=sign, told=told)


def _terminal_is_gone() -> Callable[[], bool]:
    """Return what tells whether the terminal that this began at was closed."""
    had_terminal = sys.stdin.isatty()
    return lambda: had_terminal and not os.isatty(_STDIN)


@contextmanager
def _ended_by_terminate() -> Iterator[None]:
    """Let SIGTERM and a closed terminal end the program as Ctrl-C does: orderly, on record."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    asked = False

    def end() -> None:
        nonlocal asked
        asked = True
        if task is not None:
            task.cancel()

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {
        name: signal.signal(getattr(signal, name), lambda *_: loop.call_soon_threadsafe(end))
        for name in names
    }
    try:
        yield
    except asyncio.CancelledError:
        if asked:
            raise Interrupted("asked to stop") from None
        raise
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
