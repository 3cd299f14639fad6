"""The file is followed, however it is saved: real files, real notices."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.clock import SystemClock
from brain.config.reader import Content
from brain.config.watch import Judged, read_settled, watch
from tests.clocks import FakeClock
from tests.flows.saving import by_config_map, by_rename, in_place, over_itself, with_backup

LIMIT_SECONDS = 20
OLD = {"tool": "memory_note", "mode": "shadow"}
NEW = {"tool": "memory_note", "mode": "allow"}

Save = Callable[[Path, Any], None]


class Contents:
    """What is handed on, read with a limit."""

    def __init__(self, contents: AsyncGenerator[Content, None]) -> None:
        self._contents = contents

    async def next(self) -> Content:
        async with asyncio.timeout(LIMIT_SECONDS):
            return await anext(self._contents)

    async def until(self, document: Any) -> list[Content]:
        """Return what comes, up to the document."""
        came = [await self.next()]
        while came[-1] != text(document):
            came.append(await self.next())
        return came


@asynccontextmanager
async def watching(path: Path, **options: Any) -> AsyncIterator[Contents]:
    async with aclosing(watch(path, clock=SystemClock(), judged=Judged(), **options)) as contents:
        yield Contents(contents)


def text(document: Any) -> bytes:
    return json.dumps(document, indent=2).encode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "config" / "brain.json"
    path.parent.mkdir()
    in_place(path, OLD)
    return path


@pytest.mark.parametrize("save", [by_rename, in_place, over_itself, with_backup])
async def test_a_save_is_handed_on_whole_and_once(path: Path, save: Save):
    async with watching(path) as contents:
        first = await contents.next()
        save(path, NEW)
        second = await contents.next()
        save(path, NEW)  # the same again is nothing new
        save(path, OLD)
        third = await contents.next()

    assert [first, second, third] == [text(OLD), text(NEW), text(OLD)]


async def test_a_save_in_two_slow_halves_is_never_handed_on_half(path: Path):
    whole = text(NEW)
    clock = SystemClock()
    async with watching(path) as contents:
        await contents.next()
        coming = asyncio.create_task(contents.next())
        descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
        os.write(descriptor, whole[:20])
        await clock.sleep(0.05)
        os.write(descriptor, whole[20:])
        os.close(descriptor)

        assert await coming == whole


async def test_what_stays_broken_is_handed_on_as_it_is(path: Path):
    async with watching(path) as contents:
        await contents.next()
        in_place(path, "{")
        broken = await contents.next()
        remove(path)
        gone = await contents.next()
        in_place(path, NEW)
        back = await contents.next()

    assert broken == b"{"
    assert isinstance(gone, FileNotFoundError)
    assert back == text(NEW)


async def test_a_config_map_whose_folder_is_swapped_behind_a_link_is_followed(tmp_path: Path):
    path = tmp_path / "brain.json"
    by_config_map(path, OLD)
    async with watching(path) as contents:
        first = await contents.next()
        by_config_map(path, NEW)
        second = await contents.next()
        by_config_map(path, OLD)
        third = await contents.next()

    assert [first, second, third] == [text(OLD), text(NEW), text(OLD)]


async def test_the_whole_chain_of_links_is_watched(tmp_path: Path):
    for name in ("here", "there", "elsewhere"):
        (tmp_path / name).mkdir()
    real = tmp_path / "elsewhere" / "real.json"
    in_place(real, OLD)
    (tmp_path / "there" / "middle.json").symlink_to(real)
    path = tmp_path / "here" / "brain.json"
    path.symlink_to(Path("..") / "there" / "middle.json")
    other = tmp_path / "elsewhere" / "other.json"
    in_place(other, {"other": True})
    async with watching(path) as contents:
        came = [await contents.next()]
        by_rename(real, NEW)
        came.append(await contents.next())
        link = tmp_path / "there" / "new"
        link.symlink_to(other)
        link.replace(tmp_path / "there" / "middle.json")
        came.append(await contents.next())

    assert came == [text(OLD), text(NEW), text({"other": True})]


async def test_a_folder_that_is_replaced_is_watched_in_its_new_place(path: Path):
    folder = path.parent
    async with watching(path) as contents:
        await contents.next()
        folder.rename(folder.with_name("old"))
        folder.mkdir()
        in_place(path, NEW)
        await contents.until(NEW)
        by_rename(path, OLD)
        again = await contents.until(OLD)

    assert again == [text(OLD)]


async def test_without_notices_a_look_every_two_seconds_finds_what_kept_its_time(path: Path):
    clock = NotingClock()
    before = times_of(path)
    async with aclosing(watch(path, clock=clock, judged=Judged(), has_notices=False)) as contents:
        first = await advancing(clock, anext(contents))
        in_place(path, NEW)
        os.utime(path, ns=before)
        second = await advancing(clock, anext(contents))

    assert (first, second) == (text(OLD), text(NEW))
    assert max(clock.slept) == 2.0


async def test_what_is_read_on_demand_has_settled(path: Path):
    clock = FakeClock()

    content = await advancing(clock, read_settled(path, clock=clock))

    assert content == text(OLD)
    assert clock.monotonic() == pytest.approx(1000.01)


class NotingClock(FakeClock):
    """Notes for how long was slept."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await super().sleep(seconds)


async def advancing(clock: FakeClock, coming: Any) -> Any:
    """Let time pass, as far as it is waited for, until `coming` is there."""
    task = asyncio.ensure_future(coming)
    async with asyncio.timeout(LIMIT_SECONDS):
        while not task.done():
            await asyncio.to_thread(len, "")  # let a read in a thread come to its end
            if clock._sleepers and not task.done():
                clock.advance(min(at for at, _ in clock._sleepers) - clock.monotonic())
    return await task


def times_of(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_atime_ns, found.st_mtime_ns


def remove(path: Path) -> None:
    path.unlink()
