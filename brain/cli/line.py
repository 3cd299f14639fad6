"""Options that may stand anywhere on the line."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from brain.errors import UsageError

__all__ = ["config_named", "config_option", "json_option"]

_KEY: Final = "brain.config"

F = TypeVar("F", bound=Callable[..., Any])


def _remember(ctx: click.Context, _: click.Parameter, values: tuple[str, ...]) -> None:
    for value in values:
        before = ctx.meta.setdefault(_KEY, value)
        if before != value:
            raise UsageError(
                f"--config names two files: {before!r} and {value!r}", fix="give it once"
            )


def config_named(ctx: click.Context) -> str | None:
    """Return the file that `--config` named, wherever on the line it stood."""
    value: str | None = ctx.meta.get(_KEY)
    return value


config_option = click.option(
    "--config",
    metavar="FILE",
    multiple=True,
    expose_value=False,
    callback=_remember,
    help="The config file; else ./brain.json, then the one in the user's config folder.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")
