"""`brain activity`: the record of what happened, read and verified."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

import click

from brain.activity import (
    EVENT_TYPES,
    Resync,
    Verification,
    line,
    list_events,
    read_anchors,
    verify,
)
from brain.cli.exits import DONE, FAILED
from brain.cli.following import follow_events
from brain.cli.interrupts import run_to_end
from brain.cli.line import TEXT, config_option, json_option
from brain.cli.moments import parse_since
from brain.cli.place import config_in_force, storage_of
from brain.cli.talk import say, say_json, say_json_line, warn
from brain.clock import SystemClock
from brain.config import Config, Storage
from brain.errors import UsageError
from brain.store import EventFilter, EventRow, open_store

__all__ = ["activity"]

_MOST_EVENTS: Final = 2**31 - 1
_CALLS: Final = tuple(name for name in EVENT_TYPES if name.startswith("tool_"))
"""What `--tool` and `--effect` choose from: their index leads to them."""


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
@click.option("--brain", type=TEXT, default="", metavar="NAME", help="Only of this brain.")
@click.option("--tool", type=TEXT, default="", metavar="NAME", help="Only calls of this tool.")
@click.option(
    "--effect",
    type=click.Choice(("allow", "shadow", "deny")),
    help="Only calls that were decided so.",
)
@click.option("--follow", "is_followed", is_flag=True, help="Go on with each event as it comes.")
@click.option(
    "--limit",
    type=click.IntRange(min=1, max=_MOST_EVENTS),
    default=50,
    show_default=True,
    metavar="N",
)
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
    brain: str,
    tool: str,
    effect: str | None,
    limit: int,
    is_followed: bool,
    is_verified: bool,
    as_json: bool,
) -> int:
    """Show the newest events, the oldest of them first; follow the record, or verify it.

    --follow shows what other processes store as well, within a second, until Ctrl-C; with --json
    each event is a line. --verify ends with 0 where every event is as it was written and each anchor
    fits, else with 1.
    """
    is_chosen = bool(since or types or brain or tool or effect)
    if is_verified and (is_chosen or is_followed):
        raise UsageError(
            "--verify looks at the whole record", fix="leave --follow and what chooses events out"
        )
    clock = SystemClock()
    wanted = EventFilter(
        types=_known(types) or (_CALLS if tool or effect else ()),
        since=parse_since(since, now=clock.now(), zone=clock.zone()) if since is not None else None,
        brain=brain,
        tool=tool,
        mode=effect or "",
    )
    config = config_in_force(ctx, static=True)
    storage = storage_of(config)
    if is_verified:
        return _tell(run_to_end(_verify(config, storage)), as_json=as_json)
    if is_followed:
        show = _show_line if as_json else _show
        run_to_end(follow_events(storage, wanted, limit=limit, clock=clock, show=show))
        return DONE
    events = run_to_end(_read(storage, wanted, limit=limit)) if storage.path.exists() else ()
    if as_json:
        say_json([dict(event) for event in events])
    elif not events:
        warn("no such event is on record" if is_chosen else "nothing is on record yet")
    for event in () if as_json else events:
        say(line(event))
    return DONE


def _show(item: EventRow | Resync) -> None:
    if isinstance(item, Resync):
        warn(
            f"what followed event {item.after} is not on record any more; "
            f"it goes on with event {item.first}"
        )
    else:
        say(line(item))


def _show_line(item: EventRow | Resync) -> None:
    if isinstance(item, Resync):
        say_json_line({"resync": {"after": item.after, "first": item.first}})
    else:
        say_json_line(dict(item))


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
        say_json(found.shape)
    else:
        say(found.told)
        if found.is_whole:
            say(f"the newest is event {found.head_seq}, its hash {found.head_hash}")
    return DONE if found.is_whole else FAILED
