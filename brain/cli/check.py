"""`brain check`: the validator that start uses."""

import asyncio
import os

import click

from brain.cli.at_hand import store_problems
from brain.cli.exits import DONE, USAGE
from brain.cli.line import config_option, json_option
from brain.cli.place import config_path
from brain.cli.talk import say
from brain.clock import SystemClock
from brain.config import Config, check_config, render_problems
from brain.errors import Problem
from brain.models import locality_problems, needs_local, open_lineups

__all__ = ["check"]


@click.command()
@click.option("--static", is_flag=True, help="Look at the file alone, not at this machine.")
@json_option
@config_option
@click.pass_context
def check(ctx: click.Context, /, *, static: bool, as_json: bool) -> int:
    """Say everything that is wrong with the config, each with its place and what mends it.

    The store that is there is looked at, and models that must be local are asked where they are, as
    at a start; one that does not answer is no problem of the config. Ends with 0 where the config can be used, with 2 where it can't.
    """
    path = config_path(ctx, is_only_read=True)
    report = check_config(path, environ=os.environ, static=static)
    if report.config is not None and not static:
        found = store_problems(report)
        if _asks_models(report.config):
            found += asyncio.run(_locality(report.config))
        report = report.with_problems(*found)
    say(render_problems(report, as_json=as_json))
    return USAGE if report.problems else DONE


def _asks_models(config: Config) -> bool:
    return any(needs_local(brain) for brain in config.brains)


async def _locality(config: Config) -> tuple[Problem, ...]:
    async with open_lineups(config, clock=SystemClock(), environ=os.environ) as lineups:
        return await locality_problems(config, lineups)
