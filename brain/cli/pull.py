"""`brain pull`: what a config needs of models, fetched when a person asks for it."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import aclosing

import click

from brain.cli.interrupts import run_to_end
from brain.cli.line import config_option
from brain.cli.place import config_in_force
from brain.cli.progress import Progress
from brain.cli.table import is_dumb
from brain.cli.talk import say, warn
from brain.clock import SystemClock
from brain.config import Config, Model, Provider
from brain.errors import ModelError, UsageError
from brain.models import CATALOGUE, CatalogueEntry, find_weights, open_lineups, pull_embedded

__all__ = ["pull", "pull_missing"]


@click.command()
@click.option("--embedded", is_flag=True, help="The weights of the model in the process.")
@config_option
@click.pass_context
def pull(ctx: click.Context, /, *, embedded: bool) -> None:
    """Fetch the models that the config names: from Ollama, or with --embedded the weights.

    What comes is checked against a pinned SHA-256; source, size, publisher and licence are said
    first. Nothing is ever fetched unless it is asked for.
    """
    config = config_in_force(ctx, static=True)
    run_to_end(_pull_weights(config) if embedded else _pull_served(config))


async def _pull_served(config: Config) -> None:
    from brain.models.ollama import pull

    models = _unique(config, "ollama")
    if not models:
        raise UsageError(
            "the config names no model of an Ollama server",
            fix="for the one in the process: brain pull --embedded",
        )
    for model in models:
        warn(f"asking the Ollama server at {model.base_url} to fetch {model.model_id}")
        with Progress(is_plain=is_dumb()) as progress:
            async with aclosing(pull(model)) as reports:
                async for each in reports:
                    progress.tell(each.status, each.completed_bytes, each.total_bytes)
        say(f"{model.name} is there")


async def pull_missing(config: Config, *, is_plain: bool) -> None:
    """Fetch the weights that a brain lacks where no model before them in its list answers.

    `is_plain` redraws nothing meanwhile.
    What can't be fetched is said, and left: the model is then out of service like any other.
    """
    try:
        for model in await _needed(config, _unique(config, "embedded")):
            warn(await _fetch(model, is_plain=is_plain))
    except ModelError as error:
        warn(f"not fetched: {error.message}")
        if error.fix:
            warn(f"  fix: {error.fix}")


async def _pull_weights(config: Config) -> None:
    models = _unique(config, "embedded")
    if not models:
        raise UsageError("the config names no model of provider embedded")
    for model in models:
        say(await _fetch(model, is_plain=is_dumb()))


async def _needed(config: Config, models: Sequence[Model]) -> list[Model]:
    """Return those whose weights are not here, in a brain that no model before them answers for."""
    missing = [model for model in models if not _is_here(model)]
    wanted: list[Model] = []
    if not missing:
        return wanted
    async with open_lineups(config, clock=SystemClock(), environ=os.environ) as lineups:
        for brain in config.brains:
            ready = [
                standing.model
                for standing in await lineups[brain.name].prove()
                if standing.state == "ready"
            ]
            for model in brain.models:
                if model.name in ready:
                    warn(f"{brain.name} answers with {model.name}: no other weights are needed")
                    break
                if model in missing and model not in wanted:
                    wanted.append(model)
    return wanted


def _is_here(model: Model) -> bool:
    try:
        find_weights(model, environ=os.environ)
    except ModelError:
        return False
    return True


def _unique(config: Config, provider: Provider) -> list[Model]:
    """Return the models of a provider, each name once."""
    found: dict[str, Model] = {}
    for brain in config.brains:
        for model in brain.models:
            if model.provider == provider:
                found.setdefault(model.name, model)
    return list(found.values())


async def _fetch(model: Model, *, is_plain: bool) -> str:
    """Fetch the weights of a model with progress, and return where they came from and are."""
    entry = CATALOGUE.get(model.model_id)
    if entry is not None:
        for line in _told_before(entry):
            warn(line)
    try:
        with Progress(is_plain=is_plain) as progress:
            pulled = await pull_embedded(
                model.model_id,
                environ=os.environ,
                on_progress=lambda at: progress.tell(at.note, at.done_bytes, at.total_bytes),
            )
    except asyncio.CancelledError:
        warn("what has come is kept; the next time goes on from there")
        raise
    came = f"came from the {pulled.source}" if pulled.source else "were there already"
    return f"the weights of {model.name} {came}: {pulled.path}"


def _told_before(entry: CatalogueEntry) -> Sequence[str]:
    """Return what a person has to know before it comes."""
    sizes = (
        f"{entry.size_bytes / 1e9:.2f} GB on disk, "
        f"{entry.memory_bytes / 1e9:.1f} GB of memory while it runs"
    )
    return (
        f"fetching the weights of {entry.model_id}: {sizes}; {entry.first_prompt}",
        f"  publisher: {entry.publisher}",
        f"  licence:   {entry.licence}",
        f"  SHA-256:   {entry.sha256}",
    )
