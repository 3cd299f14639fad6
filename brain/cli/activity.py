"""`brain activity`: the record of what happened, read and verified."""

import asyncio
from collections.abc import Sequence
from difflib import get_close_matches

import click

from brain.activity import EVENT_TYPES, Verification, line, list_events, read_anchors, verify
from brain.cli.exits import DONE, FAILED
from brain.cli.line import TEXT, config_option, json_option
from brain.cli.moments import parse_since
from brain.cli.place import config_in_force
from brain.cli.talk import say, say_json, warn
from brain.clock import SystemClock
from brain.config import Config, Storage
from brain.errors import UsageError
from brain.store import EventFilter, EventRow, open_store

__all__ = ["activity"]


@click.command()
@click.option("--since", metavar="WHEN", help="Only since then: 2h, 7d, 2026-03-02T09:30.")
@click.option(
    "--type",
    "types",
    type=TEXT,
    multiple=True,
    metavar="TYPE",
    help="Only of this type; repeatable.",
)
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, metavar="N")
@click.option("--verify", "is_verified", is_flag=True, help="Check the chain of the whole record.")
@json_option
@config_option
@click.pass_context
def activity(
    ctx: click.Context,
    /,
    *,
    since: str | None,
    types: tuple[str, ...],
    limit: int,
    is_verified: bool,
    as_json: bool,
) -> int:
    """Show the newest events, the oldest of them first; or verify the record.

    --verify ends with 0 where every event is as it was written and each anchor fits, else with 1.
    """
    if is_verified and (since or types):
        raise UsageError("--verify looks at the whole record", fix="leave --since and --type out")
    clock = SystemClock()
    wanted = EventFilter(
        types=_known(types),
        since=parse_since(since, now=clock.now(), zone=clock.zone()) if since else None,
    )
    config = config_in_force(ctx, static=True)
    storage = _storage_of(config)
    if is_verified:
        return _tell(asyncio.run(_verify(config, storage)), as_json=as_json)
    events = asyncio.run(_read(storage, wanted, limit=limit)) if storage.path.exists() else ()
    if as_json:
        say_json([dict(event) for event in events])
    elif not events:
        warn("no such event is on record" if since or types else "nothing is on record yet")
    for event in () if as_json else events:
        say(line(event))
    return DONE


def _storage_of(config: Config) -> Storage:
    """Return where the config keeps its rows. Raises UsageError where it keeps none."""
    if config.storage is None:
        raise UsageError(
            "this config keeps nothing: it has no storage block",
            fix='add "storage": {} to it',
        )
    return config.storage


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
        return await list_events(store, wanted, limit=limit)


async def _verify(config: Config, storage: Storage) -> Verification:
    anchor = config.activity.anchor_path
    anchors = read_anchors(anchor) if anchor is not None else None
    is_kept = storage.path.exists()
    async with open_store(storage if is_kept else None, clock=SystemClock()) as store:
        return await verify(store, anchors)


def _tell(found: Verification, *, as_json: bool) -> int:
    if as_json:
        say_json(
            {
                "is_whole": found.is_whole,
                "events": found.events,
                "anchors": found.anchors,
                "head_seq": found.head_seq,
                "head_hash": found.head_hash,
                "first_bad": found.first_bad,
                "reason": found.reason,
            }
        )
    else:
        say(found.told)
        if found.is_whole:
            say(f"the newest is event {found.head_seq}, its hash {found.head_hash}")
    return DONE if found.is_whole else FAILED
