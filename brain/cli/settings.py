"""`brain config`: the schema that files are checked by, and what is in force and why."""

import os
from dataclasses import asdict

import click

from brain.cli.line import config_named, config_option, json_option
from brain.cli.place import config_path
from brain.cli.table import columns
from brain.cli.talk import say, say_json
from brain.config import check_config, explain, schema_text

__all__ = ["config"]


@click.group()
@config_option
def config() -> None:
    """Print the schema, or what is in force and why."""


@config.command()
@config_option
def schema() -> None:
    """Print the JSON Schema of the config, for editors."""
    say(schema_text().rstrip("\n"))


@config.command("explain")
@json_option
@config_option
@click.pass_context
def explain_config(ctx: click.Context, /, *, as_json: bool) -> None:
    """Print each setting in force, where it came from, and its default."""
    path = config_path(ctx, is_only_read=True)
    report = check_config(path, environ=os.environ, static=False)
    settings = explain(report, environ=os.environ, is_named=config_named(ctx) is not None)
    if as_json:
        say_json([asdict(setting) for setting in settings])
        return
    rows = [
        (each.path, each.value, " ".join(filter(None, (each.source, each.detail))), each.default)
        for each in settings
    ]
    for line in columns(("setting", "value", "from", "default"), rows):
        say(line)
