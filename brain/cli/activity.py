"""`brain activity`: the record of what happened, read."""

import asyncio
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

import click

from brain.activity import EVENT_TYPES
from brain.cli.line import config_option, json_option
from brain.cli.moments import parse_since
from brain.cli.place import config_in_force
from brain.cli.table import columns
from brain.cli.talk import say, say_json, warn
from brain.clock import SystemClock
from brain.config import Config, Storage
from brain.errors import UsageError
from brain.records import JSONValue
from brain.store import EventFilter, EventRow, open_store

__all__ = ["activity"]

_SHOWN: Final = (
    "tool", "mode", "outcome", "rule", "origin", "model", "counts", "tokens", "latency_ms",
    "paths", "codes",
)  # fmt: skip


@click.command()
@click.option("--since", metavar="WHEN", help="Only since then: 2h, 7d, 2026-03-02T09:30.")
@click.option(
    "--type", "types", multiple=True, metavar="TYPE", help="Only of this type; repeatable."
)
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, metavar="N")
@json_option
@config_option
@click.pass_context
def activity(
    ctx: click.Context, *, since: str | None, types: tuple[str, ...], limit: int, as_json: bool
) -> None:
    """Show the newest events, the oldest of them first."""
    clock = SystemClock()
    wanted = EventFilter(
        types=_known(types),
        since=parse_since(since, now=clock.now(), zone=clock.zone()) if since else None,
    )
    storage = storage_of(config_in_force(ctx, static=True))
    events = asyncio.run(_read(storage, wanted, limit=limit)) if storage.path.exists() else ()
    if as_json:
        say_json([dict(event) for event in events])
        return
    if not events:
        warn("no such event is on record" if since or types else "nothing is on record yet")
        return
    rows = [(_text(event["seq"]), _text(event["at"]), _text(event["type"]), what(event)) for event in events]  # fmt: skip
    for line in columns(("seq", "at", "type", "what"), rows):
        say(line)


def storage_of(config: Config) -> Storage:
    """Return where the config keeps its rows. Raises UsageError where it keeps none."""
    if config.storage is None:
        raise UsageError(
            "this config keeps nothing: it has no storage block",
            fix='add "storage": {} to it',
        )
    return config.storage


def what(event: EventRow) -> str:
    """Return the fields of an event that tell what happened, as `name=value`."""
    told = [(name, event.get(name)) for name in _SHOWN]
    return " ".join(f"{name}={_text(value)}" for name, value in told if value not in (None, {}, []))


def _text(value: JSONValue) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}:{_text(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ",".join(_text(each) for each in value)
    return str(value)


def _known(types: Sequence[str]) -> tuple[str, ...]:
    for each in types:
        if each not in EVENT_TYPES:
            near = get_close_matches(each, EVENT_TYPES, n=1)
            raise UsageError(
                f"there is no event type {each!r}",
                fix=f"did you mean {near[0]!r}?" if near else f"one of {', '.join(EVENT_TYPES)}",
            )
    return tuple(types)


async def _read(storage: Storage, wanted: EventFilter, *, limit: int) -> tuple[EventRow, ...]:
    async with open_store(storage, clock=SystemClock()) as store:
        return await store.read(lambda snapshot: snapshot.events(wanted, limit=limit, newest=True))
