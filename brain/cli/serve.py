"""`brain serve`: all channels and the HTTP server, without a terminal."""

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import click

from brain.activity import open_feed
from brain.channels.http import KeptToken, listen, url_of
from brain.channels.http import serve as serve_http
from brain.cli.at_hand import new_store_lines
from brain.cli.exits import DONE, FAILED
from brain.cli.interrupts import run_to_end
from brain.cli.line import config_option
from brain.cli.place import config_in_force, option_for
from brain.cli.standing import first_lines
from brain.cli.talk import warn
from brain.clock import Clock, SystemClock
from brain.config import Config
from brain.errors import ChannelError, Interrupted, UsageError
from brain.log import configure
from brain.runtime import Doors, Outcome, keep_up, open_mailroom, open_runtime
from brain.store import hold_server

__all__ = ["serve"]

HURRY_SECONDS: Final = 7.0
"""When what runs in the background has to have ended, once brain was asked to stop."""

STOP_SECONDS: Final = 8.0
"""When the process ends in any case: who keeps containers kills after ten seconds."""


@click.command()
@config_option
@click.pass_context
def serve(ctx: click.Context, /) -> int:
    """Serve the HTTP channels and the page until it is asked to stop.

    SIGTERM and Ctrl-C let what was begun go on for 4 seconds and then cut it off, a second one does at
    once. SIGHUP reads the config.
    """
    config = config_in_force(ctx)
    if not config.server.enabled:
        raise UsageError(
            "server.enabled is false, and there is nothing else to serve; nothing was started",
            fix='remove it, or write "enabled": true',
        )
    for line in new_store_lines(config):
        warn(line)
    configure(level=config.log.level, as_json=_logs_as_json(config))
    with ExitStack() as held:
        _make_folder(config)
        held.enter_context(hold_server(config.data_folder))
        kept_token = KeptToken(config.data_folder)
        kept_token.serve(config.server)
        listening = held.enter_context(listen(config.server))
        clock = SystemClock()
        return run_to_end(_serve(config, listening, clock, kept_token))


def _logs_as_json(config: Config) -> bool:
    default = "console" if sys.stderr.isatty() else "json"
    return (config.log.format or default) == "json"


def _make_folder(config: Config) -> None:
    try:
        config.data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ChannelError(
            f"the data folder {str(config.data_folder)!r} can't be made: {error.strerror}; "
            "nothing was started",
            fix='name another one: "storage": {"path": …}, or change the rights',
        ) from error


async def _serve(
    config: Config, listening: socket.socket, clock: Clock, kept_token: KeptToken
) -> int:
    with _asked_to_stop() as asked:
        async with (
            open_runtime(config, clock=clock, environ=os.environ) as runtime,
            open_feed(runtime.store, clock=clock) as feed,
            keep_up(
                runtime,
                environ=os.environ,
                tell=lambda outcome: _tell(outcome, runtime.config, kept_token),
            ),
        ):
            for brain in config.brains:
                standings = await runtime.ask_models(brain.name)
                for line in first_lines(brain.name, standings, option=option_for(config)):
                    warn(line)
            if not any(channel.type in ("http", "webhook") for channel in config.channels):
                warn('no channel of type http: add {"type": "http"} to "channels" to talk over it')
            async with (
                open_mailroom(runtime, environ=os.environ) as mailroom,
                serve_http(
                    Doors(runtime, feed, mailroom),
                    listening=listening,
                    clock=clock,
                    environ=os.environ,
                    kept_token=kept_token,
                ),
            ):
                warn(f"serving at {url_of(listening)}")
                runtime.keep_warm()
                asked.finishes = True
                await asked.wait()
                warn("stopping: what was begun has 4 seconds to end")
                runtime.hurry(HURRY_SECONDS)
                mailroom.stop()
    asked.is_over = True
    return DONE


def _tell(outcome: Outcome, config: Config, kept_token: KeptToken) -> None:
    """Say what became of a config; one that names no token any more needs the kept one."""
    warn(outcome.text)
    try:
        kept_token.serve(config.server, meanwhile="the operator has no token now")
    except ChannelError as error:
        warn(f"error: {error.message}")
        warn(f"  fix: {error.fix}; then start brain serve anew")


class _Asked(asyncio.Event):
    """That brain was asked to stop. `finishes`: something may have been begun that has to end first."""

    finishes = False
    is_over = False


@contextmanager
def _asked_to_stop() -> Iterator[_Asked]:
    """Yield what is set by the first signal; a second one cuts off what still runs.

    One that comes before anything is served ends the start, which may wait for a model.
    """
    task, loop, asked = asyncio.current_task(), asyncio.get_running_loop(), _Asked()
    is_cut = False

    def press() -> None:
        nonlocal is_cut
        is_cut = asked.is_set()
        if task is not None and (is_cut or not asked.finishes):
            task.cancel()
        if not asked.is_set():
            _end_in_any_case(asked)
        asked.set()

    names = [name for name in ("SIGTERM", "SIGINT") if hasattr(signal, name)]
    before = {
        name: signal.signal(getattr(signal, name), lambda *_: loop.call_soon_threadsafe(press))
        for name in names
    }
    try:
        yield asked
    except asyncio.CancelledError:
        if is_cut or not asked.is_set():
            raise Interrupted("asked twice to stop: what was still running was cut off") from None
        warn("stopped before anything was served")
        asked.is_over = True
    finally:
        for name, former in before.items():
            signal.signal(getattr(signal, name), former)


def _end_in_any_case(asked: _Asked) -> None:
    """End the process where a library's thread or a stuck disk would keep it for too long.

    A model in this process can't be broken off in the middle of a batch, and Python waits for threads.
    """

    def end() -> None:
        os._exit(DONE if asked.is_over else FAILED)

    timer = threading.Timer(STOP_SECONDS, end)
    timer.daemon = True
    timer.start()
