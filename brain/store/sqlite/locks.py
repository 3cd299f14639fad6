"""Which runs live: each holds a lock file for as long as its process does."""

from pathlib import Path

from brain.store.locks import LOCKS_FOLDER, LockFile

__all__ = ["RunLocks"]


class RunLocks:
    """The locks of this store's runs, and a look at those of others.

    `data_folder` is None for a store in memory, which nobody else can open: its runs all live.
    """

    def __init__(self, data_folder: Path | None) -> None:
        self._folder = None if data_folder is None else data_folder / LOCKS_FOLDER
        self._held: dict[str, LockFile] = {}

    def hold(self, run_id: str) -> None:
        """Hold the lock of a run until the store is closed; nothing happens if it is held."""
        if self._folder is None or run_id in self._held:
            return
        lock = self._lock(self._folder, run_id)
        if not lock.take():
            raise ValueError(f"the run {run_id!r} is open in another process")
        self._held[run_id] = lock

    def is_held(self, run_id: str) -> bool:
        """Tell whether the process of a run lives."""
        if self._folder is None or run_id in self._held:
            return True
        return not self._lock(self._folder, run_id).is_free()

    def forget(self, run_id: str) -> None:
        """Remove what a dead run left behind."""
        if self._folder is not None and run_id not in self._held:
            lock = self._lock(self._folder, run_id)
            if lock.path.exists() and lock.take():
                lock.release()

    def release(self) -> None:
        """Let go of every run of this store."""
        for lock in self._held.values():
            lock.release()
        self._held.clear()

    @staticmethod
    def _lock(folder: Path, run_id: str) -> LockFile:
        if not run_id.isascii() or not run_id.replace("-", "").replace("_", "").isalnum():
            raise ValueError(f"a run id has letters and digits only, and this one is {run_id!r}")
        return LockFile(folder / f"run-{run_id}.lock")
