"""The operator's desk of the config that a command line means, for one piece of work."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click

from brain.cli.person import user_name
from brain.cli.place import config_in_force
from brain.clock import SystemClock
from brain.config import Config
from brain.runtime import Desk, open_desk

__all__ = ["with_desk"]

T = TypeVar("T")


def with_desk(ctx: click.Context, work: Callable[[Desk], Awaitable[T]]) -> T:
    """Run `work` at the desk and return what it returned."""
    return asyncio.run(_at_desk(config_in_force(ctx, static=True), work))


async def _at_desk(config: Config, work: Callable[[Desk], Awaitable[T]]) -> T:
    async with open_desk(
        config, clock=SystemClock(), environ=os.environ, sender=user_name()
    ) as desk:
        return await work(desk)
