"""`brain check`: the validator that start uses."""

import os

import click

from brain.cli.at_hand import store_problems
from brain.cli.exits import DONE, USAGE
from brain.cli.interrupts import run_to_end
from brain.cli.line import config_option, json_option
from brain.cli.place import config_path
from brain.cli.talk import say
from brain.clock import SystemClock
from brain.config import Config, Report, check_config, render_problems
from brain.errors import Problem
from brain.models import locality_problems, needs_local, open_lineups, weights_problems

__all__ = ["check", "model_problems"]


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
    if not static:
        report = report.with_problems(*store_problems(report), *model_problems(report))
    say(render_problems(report, as_json=as_json))
    return USAGE if report.problems else DONE


def model_problems(report: Report) -> tuple[Problem, ...]:
    """Look at the weights of a valid config and ask its models that must be local; return what is wrong."""
    config = report.config
    if config is None:
        return ()
    unfit = weights_problems(config, environ=os.environ)
    if not any(needs_local(brain) for brain in config.brains):
        return unfit
    return (*unfit, *run_to_end(_locality(config)))


async def _locality(config: Config) -> tuple[Problem, ...]:
    async with open_lineups(config, clock=SystemClock(), environ=os.environ) as lineups:
        return await locality_problems(config, lineups)
