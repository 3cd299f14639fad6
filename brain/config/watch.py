"""Follows the config file: whatever replaced or rewrote it, what stands there is handed on once.

Decides nothing about a content but whether it has settled (`settling`). Notices come from the
folders on the way to the file, since a watch of the file itself dies with its first rename; a look
every two seconds stands in for notices that never come (bind mounts, network folders).
"""

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from brain.clock import Clock
from brain.config.reader import Content, Sighting, see
from brain.config.settling import IN_PLACE_SECONDS, Look, Wait, settle
from brain.config.way import Way, find_way
from brain.log import get_log

__all__ = ["DEFAULT_PACE", "Judged", "Pace", "is_same", "read_settled", "watch"]

POLL_SECONDS: Final = 2.0
_SECOND_NS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How notices are gathered.

    `step_ms` is the beat of looking for them, `debounce_ms` the longest that a row is waited out.
    """

    step_ms: int
    debounce_ms: int


DEFAULT_PACE: Final = Pace(step_ms=3, debounce_ms=6)
"""A beat of 3 ms costs about half a percent of one core; what is half written is settled here."""


@dataclass(slots=True, kw_only=True)
class Judged:
    """What was judged last, whoever read or wrote it: while it stands there, it is not handed on.

    Whoever judges a content by another road than the watch says so here.
    """

    digest: str = ""
    identity: tuple[int, int] | None = None

    def take(self, content: Content) -> None:
        """Let `content` count as judged."""
        self.digest = _digest(content)

    def forget(self) -> None:
        """Let whatever stands there be handed on at the next look."""
        self.digest = ""


def is_same(content: Content, other: Content) -> bool:
    """Tell whether two looks at a file found the same."""
    return _digest(content) == _digest(other)


async def watch(
    path: Path,
    *,
    clock: Clock,
    judged: Judged,
    pace: Pace = DEFAULT_PACE,
    has_notices: bool = True,
) -> AsyncGenerator[Content, None]:
    """Yield what stands at `path`, and then each content that has settled there, unless it is `judged`.

    What is yielded counts as judged. While the consumer works, changes add up to one further look.
    `has_notices` is False where the file system gives none. Close it with `contextlib.aclosing`.
    """
    woken = asyncio.Event()
    woken.set()
    tasks = [asyncio.create_task(_wake_at_times(woken, clock))]
    if has_notices:
        tasks.append(asyncio.create_task(_wake_at_notices(path, woken, clock, pace)))
    try:
        while True:
            await woken.wait()
            woken.clear()
            sighting = await _settled(path, judged, clock)
            if sighting is not None:
                judged.take(sighting.content)
                yield sighting.content
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def read_settled(path: Path, *, clock: Clock) -> Content:
    """Return what stands at `path` once it has settled: for who is told to read it now."""
    sighting = await _settled(path, Judged(), clock)
    if sighting is None:
        raise AssertionError("nothing was seen before, so that nothing is the same")
    return sighting.content


async def _settled(path: Path, judged: Judged, clock: Clock) -> Sighting | None:
    """Look until what stands there has settled; None where it was judged already."""
    looks: list[Look] = []
    while True:
        sighting = await asyncio.to_thread(see, path)
        looks.append(_look(sighting, judged, clock))
        match settle(judged.digest, looks):
            case "same":
                judged.identity = sighting.identity  # the same in another file, since a rename
                return None
            case "judge":
                judged.identity = sighting.identity
                return sighting
            case Wait(seconds=seconds):
                await clock.sleep(seconds)


def _look(sighting: Sighting, judged: Judged, clock: Clock) -> Look:
    return Look(
        at_seconds=clock.monotonic(),
        digest=_digest(sighting.content),
        parses=_parses(sighting.content),
        is_replaced=None not in (sighting.identity, judged.identity)
        and sighting.identity != judged.identity,
        quiet_seconds=_quiet_seconds(sighting, clock),
        is_steady=sighting.is_steady,
    )


def _digest(content: Content) -> str:
    if isinstance(content, OSError):
        return f"unreadable {content.errno}"
    return hashlib.sha256(content).hexdigest()


def _parses(content: Content) -> bool:
    """Tell whether a whole JSON value stands there; whether it is a config is told later."""
    if isinstance(content, OSError):
        return False
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def _quiet_seconds(sighting: Sighting, clock: Clock) -> float:
    """Return for how long nobody is known to have written the file.

    A rename changes its ctime and not its mtime: where they differ, it was whole when it came.
    (Elsewhere than on POSIX systems the ctime is something else.)
    """
    if os.name == "posix" and sighting.written_ns < sighting.changed_ns:
        return IN_PLACE_SECONDS
    return max(0.0, clock.now().timestamp() - sighting.written_ns / _SECOND_NS)


async def _wake_at_times(woken: asyncio.Event, clock: Clock) -> None:
    while True:
        await clock.sleep(POLL_SECONDS)
        woken.set()


async def _wake_at_notices(path: Path, woken: asyncio.Event, clock: Clock, pace: Pace) -> None:
    """Wake at each notice, on whatever folders the path leads through at that time."""
    told = ""
    while True:
        way = await asyncio.to_thread(find_way, path)
        try:
            await _follow_folders(path, way, woken, pace)
        except (OSError, RuntimeError) as error:
            if await asyncio.to_thread(find_way, path) != way:
                continue  # a folder went as it was armed, and the path leads elsewhere by now
            # The system has no watch left, or the folder is gone: times still wake.
            if str(error) != told:
                told = str(error)
                get_log("config").warning("config_watch_failed", error=told)
            await clock.sleep(POLL_SECONDS)


async def _follow_folders(path: Path, way: Way, woken: asyncio.Event, pace: Pace) -> None:
    """Wake at each notice until the path leads another way. Raises where a folder can't be armed."""
    from watchfiles import awatch

    notices = awatch(
        *way.folders,
        watch_filter=lambda _, changed: way.concerns(changed),
        debounce=pace.debounce_ms,
        step=pace.step_ms,
        rust_timeout=round(POLL_SECONDS * 1000),
        yield_on_timeout=True,
        recursive=False,
    )
    # The folders are watched from the first step of `notices` on: what came before is looked for.
    asyncio.get_running_loop().call_soon(woken.set)
    async with aclosing(notices):
        async for changes in notices:
            if changes:
                woken.set()
            if await asyncio.to_thread(find_way, path) != way:
                return
