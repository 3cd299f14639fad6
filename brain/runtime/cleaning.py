"""The job behind a forgetting: the files are cleaned of what was removed, and searched for it.

The rows are gone when this begins. It works from fingerprints alone, so that whoever comes next can
finish what a killed process began; one process at a time does, for all that wait. In this order:
the prompt's history is stripped, the database is written anew, its log is emptied as soon as no
reader keeps it, every file is searched, and the receipt is kept with the event `forgotten`.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

from brain.activity import Journal, Recorder
from brain.clock import Clock
from brain.config import Config, control_place
from brain.errors import BrainError, StoreBusy, StoreError
from brain.log import get_log
from brain.runtime.prompt_history import remove_history, strip_history
from brain.runtime.receipts import (
    Copies,
    Receipt,
    forgotten_event,
    nothing_on_disk,
    receipt_of,
    unsearched,
)
from brain.store import (
    FORGETTING_KEY,
    PROMPT_HISTORY,
    Forgetting,
    Found,
    Matcher,
    Store,
    Transaction,
    copied_folders,
    hold_forgetting,
    hold_restore,
    left_over,
    other_files,
    owned_paths,
    search_files,
)

__all__ = ["Cleaner", "Places", "places_of"]

ROUNDS: Final = 3
"""How often the database is written anew while rows that went meanwhile are still found in it."""

LOOK_SECONDS: Final = 0.25
"""How often it is looked whether the reader that keeps the log has let go of it."""

AGAIN_SECONDS: Final = 60.0
"""When to look again for work that another process left behind, or that failed here once."""

AGAIN_AT_MOST_SECONDS: Final = 3600.0
"""When to try again what has failed over and over: each try writes as much as the database holds."""

_TALKS: Final = ("session", "conversation", "sender")
"""What takes talks, and with them the commands that were typed in them."""

COPIES_BYTES: Final = 2 * 1024**3
"""How much of copies beside the data folder is searched; further ones are named unsearched."""

OTHERS_SECONDS: Final = 600.0
"""How long a command waits for another process that cleans the files, its own job among them."""

NAMED: Final = 20
"""How many files that are too much to be searched are named one by one; beyond that their folders."""

STOP_SECONDS: Final = 5.0
"""How long the end of a process waits for its own work; the next one finishes what is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the bytes of a text may lie: the database, and the files that are brain's besides."""

    database: Path
    others: tuple[Path, ...] = ()

    def files(self) -> tuple[Path, ...]:
        """Return the files to be searched as they are now, but for the database and the copies."""
        return (*owned_paths(self.database), *(each for each in self.others if each.is_file()))

    def strangers(self) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Return the files in the data folder that are not brain's, as many as are not too much; and the rest."""
        wanted = [each for each in other_files(self.database) if each not in self.others]
        room = accumulate(map(_size, wanted))
        fitting = sum(size <= COPIES_BYTES for size in room)  # the smallest are first
        searched, large = wanted[:fitting], wanted[fitting:]
        if len(large) > NAMED:
            large = sorted({each.parent for each in large})
        return tuple(searched), tuple(large)

    def clear(self) -> None:
        """Remove what killed processes left half made, unless it is in use. Raises OSError."""
        with hold_restore(self.database.parent) as is_free:
            for each in left_over(self.database) if is_free else ():
                with suppress(PermissionError):  # Windows: it is open, and is searched
                    each.unlink(missing_ok=True)

    def copies(self) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Return the files of backups and archives beside the data folder, the newest first.

        And the folders of those that are too much to be searched with them.
        """
        searched: list[Path] = []
        too_much: list[Path] = []
        room = COPIES_BYTES
        for folder in copied_folders(self.database):
            files = sorted(each for each in folder.rglob("*") if each.is_file())
            room -= sum(map(_size, files))
            if room >= 0:
                searched += files
            else:
                too_much.append(folder)
        return tuple(searched), tuple(too_much)


def places_of(config: Config, *, environ: Mapping[str, str]) -> Places | None:
    """Return the places of a config; None where it keeps nothing on disk."""
    if config.storage is None:
        return None
    others = [] if config.activity.anchor_path is None else [config.activity.anchor_path]
    with suppress(BrainError):  # a user without a home folder has no state folder either
        state = control_place(config.path, environ=environ)[0].parent
        others += [each for each in state.glob("*") if each.is_file()]
    return Places(database=config.storage.path, others=tuple(others))


class Cleaner:
    """Finishes the forgettings that wait. `places` is None for a store in memory."""

    def __init__(
        self, *, store: Store, recorder: Recorder, clock: Clock, places: Places | None
    ) -> None:
        self._store = store
        self._recorder = recorder
        self._clock = clock
        self._places = places
        self._woken = asyncio.Event()
        self._idle = asyncio.Event()
        self._again_seconds = AGAIN_SECONDS

    def wake(self) -> None:
        """Say that something may have been forgotten."""
        self._woken.set()
        self._idle.clear()

    async def follow(self) -> None:
        """Do what waits now, what `wake` tells of, and what other processes left behind; never ends."""
        while True:
            self._woken.clear()
            self._idle.clear()
            try:
                await self.clean()
                self._again_seconds = AGAIN_SECONDS
            except (StoreError, OSError) as error:  # it waits on, and is tried again
                fix = error.fix if isinstance(error, StoreError) else ""
                get_log("forgetting").error("not_finished", error=str(error), fix=fix)
                self._again_seconds = min(2 * self._again_seconds, AGAIN_AT_MOST_SECONDS)
            if not self._woken.is_set():
                self._idle.set()
                await self._next()

    async def settle(self, *, at_most_seconds: float) -> None:
        """Return when `follow` has done what there was to do, or has failed, or takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(min(STOP_SECONDS, at_most_seconds)):
                await self._idle.wait()

    async def clean(
        self,
        *,
        tell: Callable[[str], None] = lambda _: None,
        patience_seconds: float | None = None,
    ) -> bool:
        """Finish all that waits; False where another process is doing so.

        `tell` hears what is waited for. Raises StoreBusy where a reader keeps the log for longer than
        `patience_seconds`, StoreError where the files can't be cleaned now. Then it waits on.
        """
        # Whoever found the lock held leaves its job to its holder, who looks again after letting go.
        while waiting := await self._waiting():
            if self._places is None:
                await self._end(waiting, lambda _: nothing_on_disk())
                continue
            with hold_forgetting(self._places.database.parent) as is_ours:
                if not is_ours:
                    return False
                if waiting := await self._waiting():
                    await self._finish(self._places, waiting, tell, patience_seconds)
        await self._drop_stray_key()
        return True

    async def clean_or_wait(self, *, tell: Callable[[str], None], patience_seconds: float) -> bool:
        """Finish all that waits, or wait for the process that does; False where it takes too long.

        Should that one end before its work does, this one goes on with it. Raises as `clean` does.
        """
        began = self._clock.monotonic()
        has_told = False
        while not await self.clean(tell=tell, patience_seconds=patience_seconds):
            if not has_told:
                tell("another brain process cleans the files; it is waited for")
                has_told = True
            if self._clock.monotonic() - began > OTHERS_SECONDS:
                return False
            await self._clock.sleep(LOOK_SECONDS)
        return True

    async def _waiting(self) -> tuple[Forgetting, ...]:
        return await self._store.read(lambda rows: rows.waiting_forgettings())

    async def _drop_stray_key(self) -> None:
        """Remove a key that no job waits with: its process was killed before its job was kept."""
        if self._places and self._places.database.with_name(FORGETTING_KEY).exists():
            await self._store.write(lambda tx: tx.drop_forgetting_key())

    async def _finish(
        self,
        places: Places,
        waiting: Sequence[Forgetting],
        tell: Callable[[str], None],
        patience_seconds: float | None,
    ) -> None:
        keys = await self._store.write(
            lambda tx: {
                each.forgetting_id: tx.forgetting_key(each.forgetting_id) for each in waiting
            }
        )
        key = next((each for each in keys.values() if each is not None), b"")
        jobs = {
            each.forgetting_id: each.fingerprints for each in waiting if keys[each.forgetting_id]
        }
        await asyncio.to_thread(_strip, places, waiting, b"".join(jobs.values()), key)
        found, rounds, copies = await self._search(places, jobs, key, tell, patience_seconds)
        await self._end(
            waiting,
            lambda each: (
                receipt_of(each.forgetting_id, found, copies, rounds)
                if each.forgetting_id in jobs
                else unsearched(rounds)
            ),
        )

    async def _search(
        self,
        places: Places,
        jobs: Mapping[str, bytes],
        key: bytes,
        tell: Callable[[str], None],
        patience_seconds: float | None,
    ) -> tuple[Found, int, Copies]:
        """Write the database anew and search everything; again where rows that went meanwhile are left."""
        await self._store.rewrite()
        await self._empty_log(tell, patience_seconds)
        copies = await asyncio.to_thread(_copies, places)
        files = (*places.files(), *map(Path, (*copies.searched, *copies.strangers)))
        found = await search_files(places.database, files, jobs=jobs, key=key)
        rounds = 1
        while any(found.residue.values()) and rounds < ROUNDS:
            rounds += 1
            await self._store.rewrite()
            await self._empty_log(tell, patience_seconds)
            again = await search_files(places.database, (), jobs=jobs, key=key)
            found = found.with_database(again)
        return found, rounds, copies

    async def _empty_log(self, tell: Callable[[str], None], patience_seconds: float | None) -> None:
        began = self._clock.monotonic()
        has_told = False
        while not await self._store.empty_log():
            if not has_told:
                tell(
                    "a reader keeps the write-ahead log; it is emptied as soon as that one lets go"
                )
                has_told = True
            waited = self._clock.monotonic() - began
            if patience_seconds is not None and waited > patience_seconds:
                raise StoreBusy(
                    "A reader keeps the write-ahead log of the database, and bytes of what was removed "
                    "lie in it until it lets go. The rows are gone.",
                    fix="end the program that reads the database; the next brain finishes the rest",
                )
            await self._clock.sleep(LOOK_SECONDS)

    async def _end(
        self, waiting: Iterable[Forgetting], receipt_of: Callable[[Forgetting], Receipt]
    ) -> None:
        journal = Journal(store=self._store, recorder=self._recorder)
        for each in waiting:
            receipt = receipt_of(each)

            def change(tx: Transaction, each: Forgetting = each, told: Receipt = receipt) -> None:
                if tx.end_forgetting(each.forgetting_id, told):
                    self._recorder.append(tx, forgotten_event(each, told))
                tx.drop_forgetting_key()  # with the last of them

            await journal.commit(change)

    async def _next(self) -> None:
        """Return when it is time to look again."""
        waits = {
            asyncio.ensure_future(self._woken.wait()),
            asyncio.ensure_future(self._clock.sleep(self._again_seconds)),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()


def _strip(places: Places, waiting: Sequence[Forgetting], fingerprints: bytes, key: bytes) -> None:
    path = places.database.with_name(PROMPT_HISTORY)
    if any(each.kind == "everything" for each in waiting):
        remove_history(path)
    else:
        matcher = Matcher(fingerprints, key) if key else None
        strip_history(path, matcher, has_commands=any(each.kind in _TALKS for each in waiting))


def _copies(places: Places) -> Copies:
    places.clear()
    searched, too_much = places.copies()
    strangers, large = places.strangers()
    return Copies(
        searched=frozenset(map(str, searched)),
        strangers=frozenset(map(str, strangers)),
        too_much=tuple(map(str, (*too_much, *large))),
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # it went meanwhile
