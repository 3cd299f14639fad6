"""The head of the chain, written down elsewhere: one line `seq hash` every 1000 events and at stop."""

import asyncio
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from brain.errors import StoreUnusable
from brain.store import Store

__all__ = ["ANCHOR_EVENTS", "Anchor", "Anchors", "parse_anchors", "read_anchors"]

ANCHOR_EVENTS: Final = 1000
RETRY_EVENTS: Final = 50
"""How many events pass before a line that the file did not take is tried again."""

_LINE: Final = re.compile(r"([1-9][0-9]{0,17}) ([0-9a-f]{64})\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchors:
    """What an anchor file says: hashes by seq, and the number of its first unreadable line or 0."""

    hashes: Mapping[int, str]
    bad_line: int = 0


class Anchor:
    """Appends to the anchor file of one runtime. Without a path it does nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._seq = 0
        self._tried_seq = -RETRY_EVENTS

    async def keep_up(self, store: Store) -> None:
        """Append the head if a thousand events came since the last line. Raises StoreError."""
        if self._path is None:
            return
        seq, digest = await store.read(lambda rows: rows.event_head())
        if self.is_due(seq):
            await self._append(self._path, seq, digest)

    async def stop(self, store: Store) -> None:
        """Append the head, unless it is there already. Raises StoreError."""
        if self._path is None:
            return
        seq, digest = await store.read(lambda rows: rows.event_head())
        if seq > self._seq:
            await self._append(self._path, seq, digest)

    def is_due(self, seq: int) -> bool:
        """Tell whether an event with this seq makes a line due."""
        is_due = seq // ANCHOR_EVENTS > self._seq // ANCHOR_EVENTS
        return self._path is not None and is_due and seq >= self._tried_seq + RETRY_EVENTS

    async def _append(self, path: Path, seq: int, digest: str) -> None:
        before, self._seq, self._tried_seq = self._seq, seq, seq  # others commit meanwhile
        try:
            await asyncio.to_thread(_append_line, path, f"{seq} {digest}\n")
        except OSError as error:
            self._seq = before
            raise StoreUnusable(
                f"The anchor file {str(path)!r} took no line: {error.strerror}. The events are "
                "stored; a cut or a rewrite of the log after the last line would not be found.",
                fix="make the file of activity.anchor_path and its folder writable",
            ) from error


def _append_line(path: Path, line: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, line.encode("ascii"))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def parse_anchors(text: str) -> Anchors:
    """Return what the text of an anchor file says. Two hashes for one seq make the later line bad."""
    hashes: dict[int, str] = {}
    bad_line = 0
    for number, line in enumerate(text.splitlines(), start=1):
        found = _LINE.match(line)
        if found is None or hashes.setdefault(int(found[1]), found[2]) != found[2]:
            bad_line = bad_line or number
    return Anchors(hashes=hashes, bad_line=bad_line)


def read_anchors(path: Path) -> Anchors:
    """Read an anchor file. Raises StoreUnusable if it can't be read."""
    try:
        return parse_anchors(path.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise StoreUnusable(
            f"The anchor file {str(path)!r} can't be read: {error.strerror}. The log was not "
            "compared with it.",
            fix="name the file that activity.anchor_path of this config names, and make it readable",
        ) from error
