"""`brain check`: the validator that start uses, and nothing else."""

import os

import click

from brain.cli.exits import DONE, USAGE
from brain.cli.line import config_option, json_option
from brain.cli.place import config_path
from brain.cli.talk import say
from brain.config import check_config, render_problems

__all__ = ["check"]


@click.command()
@click.option("--static", is_flag=True, help="Look at the file alone, not at this machine.")
@json_option
@config_option
@click.pass_context
def check(ctx: click.Context, *, static: bool, as_json: bool) -> int:
    """Say everything that is wrong with the config, each with its place and what mends it.

    Ends with 0 where the config can be used, with 2 where it can't.
    """
    path = config_path(ctx, is_only_read=True)
    report = check_config(path, environ=os.environ, static=static)
    say(render_problems(report, as_json=as_json))
    return USAGE if report.problems else DONE
