"""`brain models`: how each model stands, with its proof; and the way back into service."""

import os
from collections.abc import Sequence

import click

from brain.cli.exits import DONE, NOT_REACHABLE
from brain.cli.interrupts import run_to_end
from brain.cli.line import TEXT, config_option, json_option
from brain.cli.person import user_name
from brain.cli.place import config_in_force, option_for
from brain.cli.standing import proof_lines, standing_shape
from brain.cli.talk import say, say_json
from brain.clock import SystemClock
from brain.config import Config
from brain.models import Standing, open_lineups
from brain.runtime import open_desk
from brain.store import open_store

__all__ = ["models"]


@click.group()
@config_option
def models() -> None:
    """Show how each model stands; put one back into service."""


@models.command("list")
@json_option
@config_option
@click.pass_context
def list_models(ctx: click.Context, /, *, as_json: bool) -> int:
    """Ask each model where it is, and show what it said, step by step.

    Ends with 4 where a brain has no model that can be asked.
    """
    config = config_in_force(ctx)
    found = run_to_end(_ask(config))
    if as_json:
        say_json([standing_shape(brain, each) for brain, all_ in found for each in all_])
    else:
        for brain, all_ in found:
            say(f"{brain}:")
            for standing in all_:
                for line in proof_lines(standing, option=option_for(config)):
                    say(f"  {line}")
    is_answered = all(any(each.state == "ready" for each in all_) for _, all_ in found)
    return DONE if is_answered else NOT_REACHABLE


@models.command()
@click.argument("name", type=TEXT, metavar="PROVIDER/MODEL")
@config_option
@click.pass_context
def release(ctx: click.Context, /, *, name: str) -> None:
    """Put a model back into service that lied about being local."""
    config = config_in_force(ctx, static=True)

    async def put_back() -> None:
        async with open_desk(
            config, clock=SystemClock(), environ=os.environ, sender=user_name()
        ) as desk:
            await desk.release(name)

    run_to_end(put_back())
    say(f"{name} is back in service; it is proved anew before its next use")


async def _ask(config: Config) -> list[tuple[str, Sequence[Standing]]]:
    clock = SystemClock()
    has_store = config.storage is not None and config.storage.path.exists()
    async with (
        open_store(config.storage if has_store else None, clock=clock) as store,
        open_lineups(config, clock=clock, environ=os.environ, store=store) as lineups,
    ):
        return [(brain, await lineup.prove()) for brain, lineup in lineups.items()]
