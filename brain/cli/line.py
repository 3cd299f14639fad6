"""Options that may stand anywhere on the line."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from brain.errors import UsageError

__all__ = ["NAME", "TEXT", "config_named", "config_option", "conversation_option", "json_option"]

_KEY: Final = "brain.config"

F = TypeVar("F", bound=Callable[..., Any])


class _Text(click.ParamType[str]):
    """A word that is text. A word of bytes that are no text can be no name that brain knows."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            shown = value.encode("utf-8", errors="replace").decode("utf-8")
            self.fail(f"{shown!r} holds bytes that are no text in UTF-8.", param, ctx)
        return value


TEXT: Final = _Text()


class _Name(_Text):
    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value.strip():
            self.fail("it is empty, and names nothing.", param, ctx)
        return super().convert(value, param, ctx)


NAME: Final = _Name()
"""A name that has to be there: an empty one is refused and never means all."""


class _Conversation(_Text):
    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value.strip():
            self.fail("a conversation has a name; leave the option out for 'main'.", param, ctx)
        return super().convert(value, param, ctx)


def _remember(ctx: click.Context, _: click.Parameter, values: tuple[str, ...]) -> None:
    for value in values:
        if not value:
            raise UsageError(
                "--config names no file: the text after it is empty",
                fix="name one, or leave it out",
            )
        before = ctx.meta.setdefault(_KEY, value)
        if before != value:
            raise UsageError(
                f"--config names two files: {before!r} and {value!r}", fix="give it once"
            )


def _files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


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
    shell_complete=_files,
    help="The config file; else ./brain.json, then the one in the user's config folder.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")

conversation_option = click.option(
    "--conversation", type=_Conversation(), default="main", metavar="NAME", show_default=True
)
