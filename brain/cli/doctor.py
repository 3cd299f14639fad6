"""`brain doctor`: everything that can be asked of this brain without talking to it."""

import os
from collections.abc import Iterator, Sequence

import click

from brain.activity import Verification, read_anchors, verify
from brain.cli.exits import DONE, FAILED, NOT_REACHABLE
from brain.cli.interrupts import run_to_end
from brain.cli.line import config_option, json_option
from brain.cli.place import config_in_force, option_for
from brain.cli.standing import proof_lines, standing_shape
from brain.cli.talk import say, say_json
from brain.clock import SystemClock
from brain.config import Config
from brain.models import Standing, open_lineups
from brain.records import JSONValue
from brain.store import open_store

__all__ = ["doctor"]

_RESIDUE = (
    "No check from outside can see a server on this machine that passes prompts on by itself and "
    "says nothing of it. What answers at these addresses is for you to know."
)


Models = Sequence[tuple[str, Sequence[Standing]]]


@click.command()
@json_option
@config_option
@click.pass_context
def doctor(ctx: click.Context, /, *, as_json: bool) -> int:
    """Look at the config, the store and each model, and say what stands and what does not.

    Ends with 2 where the config is wrong, 1 where the record can't be trusted, 4 where a brain has
    no model to ask.
    """
    config = config_in_force(ctx)
    record, models = run_to_end(_look(config))
    if as_json:
        say_json(_shape(config, record, models))
    else:
        for line in _lines(config, record, models):
            say(line)
    if record is not None and not record.is_whole:
        return FAILED
    is_answered = all(any(each.state == "ready" for each in all_) for _, all_ in models)
    return DONE if is_answered else NOT_REACHABLE


async def _look(config: Config) -> tuple[Verification | None, Models]:
    """Return what the record says of itself, None where there is none yet, and the models."""
    clock = SystemClock()
    is_kept = config.storage is not None and config.storage.path.exists()
    async with (
        open_store(config.storage if is_kept else None, clock=clock) as store,
        open_lineups(config, clock=clock, environ=os.environ, store=store) as lineups,
    ):
        anchor = config.activity.anchor_path
        anchors = read_anchors(anchor) if is_kept and anchor is not None else None
        record = await verify(store, anchors) if is_kept else None
        return record, [(brain, await lineup.prove()) for brain, lineup in lineups.items()]


def _shape(config: Config, record: Verification | None, models: Models) -> JSONValue:
    """Return what was found as data; `store` and `record` are null where there is none."""
    storage = config.storage
    store: JSONValue = None
    if storage is not None:
        is_made = record is not None
        store = {
            "path": str(storage.path),
            "is_made": is_made,
            "bytes": storage.path.stat().st_size if is_made else 0,
        }
    return {
        "config": {"path": str(config.path), "revision": config.revision},
        "store": store,
        "record": None if record is None else record.shape,
        "models": [standing_shape(brain, each) for brain, all_ in models for each in all_],
        "not_seen": _RESIDUE,
    }


def _lines(config: Config, record: Verification | None, models: Models) -> Iterator[str]:
    yield f"config    {config.path} is valid, revision {config.revision[:12]}"
    yield from _store_lines(config, record)
    for brain, standings in models:
        yield f"brain     {brain}"
        for standing in standings:
            yield from (f"  {line}" for line in proof_lines(standing, option=option_for(config)))
    yield _RESIDUE


def _store_lines(config: Config, record: Verification | None) -> Iterator[str]:
    if config.storage is None:
        yield "store     none: nothing is kept (the config has no storage block)"
        return
    if record is None:
        yield f"store     {config.storage.path} is not made yet: the first run makes it"
        return
    size = config.storage.path.stat().st_size / 1_000_000
    yield f"store     {config.storage.path}, {size:.1f} MB"
    yield f"record    {record.told}"
