"""Locks that die with their process, for what only one process may do at a time.

A lock is a file in `<data folder>/locks`, locked by the system for as long as its holder lives, so
that no stale lock ever has to be broken by hand. Its name holds no content: a conversation is named
by a hash. The file holds the holder's process id, for the sentence that names it.
"""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from brain.errors import StoreBusy, StoreUnusable

__all__ = [
    "LOCKS_FOLDER",
    "LockFile",
    "hold_conversation",
    "hold_forgetting",
    "hold_restore",
    "hold_server",
]

LOCKS_FOLDER: Final = "locks"

_BEYOND: Final = 1 << 30
"""Where Windows locks its byte: behind the process id, which others must be able to read."""


class LockFile:
    """One lock. `take` and `release` do not block."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Take the lock, making its file; False if another holder lives. Raises StoreUnusable."""
        try:
            return self._take()
        except OSError as error:
            raise StoreUnusable(
                f"The lock {str(self.path)!r} can't be made: {error.strerror}. Nothing was started.",
                fix="make the folder of the store writable, and room on its disk",
            ) from error

    def _take(self) -> bool:
        self.path.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _lock(descriptor):
                os.close(descriptor)
                return False
            if _is_at(descriptor, self.path):
                break
            os.close(descriptor)  # its holder removed the file while we waited for it
        self._descriptor = descriptor
        try:
            os.ftruncate(descriptor, 0)
            os.write(descriptor, str(os.getpid()).encode())
        except OSError:
            self.release()
            raise
        return True

    def holder(self) -> str:
        """Return the process id that the holder wrote, or empty."""
        try:
            return self.path.read_text(encoding="utf-8", errors="replace")[:20].strip()
        except OSError:
            return ""

    def is_free(self) -> bool:
        """Tell whether no living process holds the lock; a lock without a file is free."""
        try:
            descriptor = os.open(self.path, os.O_RDWR)
        except (FileNotFoundError, NotADirectoryError):
            return True
        try:
            return _lock(descriptor)
        finally:
            os.close(descriptor)

    def release(self) -> None:
        """Remove the file and let go; nothing happens where it is not held."""
        if self._descriptor is not None:
            _remove(self.path)
            os.close(self._descriptor)
            self._descriptor = None


@contextmanager
def hold_conversation(data_folder: Path, channel: str, conversation: str) -> Iterator[None]:
    """Keep other processes off one conversation. Raises StoreBusy if one is on it, StoreUnusable."""
    digest = hashlib.sha256(f"{channel}\0{conversation}".encode("utf-8", "surrogatepass"))
    lock = LockFile(data_folder / LOCKS_FOLDER / f"conversation-{digest.hexdigest()[:32]}.lock")
    if not lock.take():
        raise StoreBusy(
            f"The conversation {conversation!r} on {channel!r} is open in another brain"
            f"{_process(lock)}, and one conversation is held by one process at a time. "
            "Nothing was started.",
            fix="talk there, close it, or name another one with --conversation NAME",
        )
    try:
        yield
    finally:
        lock.release()


@contextmanager
def hold_server(data_folder: Path) -> Iterator[None]:
    """Keep a second `brain serve` off one store. Raises StoreBusy if one runs, StoreUnusable."""
    lock = LockFile(data_folder / LOCKS_FOLDER / "serve.lock")
    if not lock.take():
        raise StoreBusy(
            f"A 'brain serve'{_process(lock)} already serves the store in {str(data_folder)!r}, "
            "and one store has one server. Nothing was started.",
            fix="use that server, stop it first, or give this one another storage.path",
        )
    try:
        yield
    finally:
        lock.release()


@contextmanager
def hold_forgetting(data_folder: Path) -> Iterator[bool]:
    """Yield whether this process is the one that cleans the files behind what was forgotten.

    Raises StoreUnusable.
    """
    lock = LockFile(data_folder / LOCKS_FOLDER / "forgetting.lock")
    is_held = lock.take()
    try:
        yield is_held
    finally:
        if is_held:
            lock.release()


@contextmanager
def hold_restore(data_folder: Path) -> Iterator[bool]:
    """Yield whether nobody else puts a backup back into this folder. Raises StoreUnusable."""
    lock = LockFile(data_folder / LOCKS_FOLDER / "restore.lock")
    is_held = lock.take()
    try:
        yield is_held
    finally:
        if is_held:
            lock.release()


def _process(lock: LockFile) -> str:
    holder = lock.holder()
    return f" (process {holder})" if holder else ""


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), there)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(descriptor, 0, os.SEEK_SET)
        return True

    def _remove(path: Path) -> None:
        """Leave the file: Windows removes none that is open, and an unlocked one is as good as none."""
else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _remove(path: Path) -> None:
        """Remove the file while it is locked: who waits for it sees that it is gone, and makes its own."""
        path.unlink(missing_ok=True)
