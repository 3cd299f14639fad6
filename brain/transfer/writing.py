"""From a store to a file: a copy of one moment, counted, then written line by line."""

import asyncio
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import BinaryIO, Final, TypeVar

from brain.activity import Draft, Recorder
from brain.config import Storage
from brain.errors import BrainError, Interrupted, UsageError
from brain.store import Copy, Store, Transaction, copy_store
from brain.transfer.lines import Header, Record, kind_of, render
from brain.transfer.shapes import COUNTED, is_name

__all__ = ["Selection", "write_export"]

T = TypeVar("T")

_BETWEEN_LOOKS: Final = 256
"""After how many lines a writer looks whether it was told to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is to be written: kinds of WHAT, and whose; empty `brains` are all."""

    what: tuple[str, ...]
    brains: tuple[str, ...] = ()


async def write_export(
    store: Store,
    recorder: Recorder,
    storage: Storage,
    target: Path | BinaryIO,
    *,
    selection: Selection,
    now: datetime,
) -> Header:
    """Write what is selected to the new file `target`, or into a stream; return its header.

    A file appears whole or not at all, for its owner alone. The event is stored before anything can
    be read. Raises BrainError.
    """
    _refuse_odd_names(selection.brains)
    if isinstance(target, Path):
        _refuse_existing(target)
    async with copy_store(storage) as copy:
        header = await _in_thread(lambda stop: _header(copy, selection, now, stop))

        def lines(stop: Event) -> Iterator[bytes]:
            return _lines(header, _records(copy, selection, now), stop)

        if not isinstance(target, Path):
            await store.write(lambda tx: _record(tx, recorder, header))
            await _in_thread(lambda stop: target.writelines(lines(stop)))
            return header
        partial = await _in_thread(lambda stop: _write_beside(target, lines(stop)))
        try:
            await store.write(lambda tx: _record(tx, recorder, header))
            _put_in_place(partial, target)
        finally:
            partial.unlink(missing_ok=True)
    return header


def _refuse_existing(target: Path) -> None:
    if target.exists() or target.is_symlink():
        raise UsageError(
            f"there is a file {str(target)!r} already; nothing was written",
            fix="name a new file, or remove that one",
        )


def _refuse_odd_names(brains: tuple[str, ...]) -> None:
    for brain in brains:
        if not is_name(brain):
            raise UsageError(f"no brain can have the name {brain!r}; nothing was written")


def _record(tx: Transaction, recorder: Recorder, header: Header) -> None:
    recorder.append(tx, Draft(type="exported", origin="operator", counts=header.counts))


def _header(copy: Copy, selection: Selection, now: datetime, stop: Event) -> Header:
    counts: Counter[str] = Counter()
    for record in _watched(_records(copy, selection, now), stop):
        counts[kind_of(record)] += 1
    return Header(
        at=now,
        holds=selection.what,
        brains=selection.brains,
        counts={name: counts[kind] for kind, name in COUNTED.items()},
    )


def _records(copy: Copy, selection: Selection, now: datetime) -> Iterator[Record]:
    """Yield what is selected, private rows too: it is their owner who asks."""
    brains = selection.brains
    if "conversations" in selection.what:
        for conversation in copy.conversations(brains):
            yield conversation
            for session in copy.sessions(conversation.conversation_id, brains):
                yield session
                yield from copy.turns(session, brains, may_read_private=True)
    if "notes" in selection.what:
        yield from copy.notes(brains, may_read_private=True)
    if "rehearsals" in selection.what:
        yield from copy.rehearsals(brains, now=now, may_read_private=True)


def _lines(header: Header, records: Iterator[Record], stop: Event) -> Iterator[bytes]:
    yield render(header).encode() + b"\n"
    for record in _watched(records, stop):
        yield render(record).encode() + b"\n"


def _watched(records: Iterator[Record], stop: Event) -> Iterator[Record]:
    for at, record in enumerate(records):
        if at % _BETWEEN_LOOKS == 0 and stop.is_set():
            raise Interrupted("the export was stopped; no file was written")
        yield record


def _write_beside(target: Path, lines: Iterator[bytes]) -> Path:
    """Write a new file in the folder of `target`, on the disk when this returns; return its path."""
    try:
        descriptor, name = tempfile.mkstemp(  # 0600
            dir=target.absolute().parent, prefix=f".{target.name[:64]}.", suffix=".partial"
        )
    except OSError as error:
        raise _unwritable(target, error) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise _unwritable(target, error) from error
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _put_in_place(partial: Path, target: Path) -> None:
    _refuse_existing(target)  # it may have come meanwhile
    try:
        partial.replace(target)
    except OSError as error:
        raise _unwritable(target, error) from error


def _unwritable(target: Path, error: OSError) -> BrainError:
    return BrainError(
        f"{str(target)!r} can't be written: {error.strerror}; no file was left",
        fix="name a file in a folder that you can write, on a disk with room",
    )


async def _in_thread(work: Callable[[Event], T]) -> T:
    """Run `work` in a thread; one that is cancelled is told to stop, and waited for."""
    stop = Event()
    running = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        with suppress(BrainError, OSError):  # the cancellation is what is told
            await running
        raise
