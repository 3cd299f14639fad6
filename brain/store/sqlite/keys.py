"""The key of the fingerprints of what was forgotten: in a file that no backup takes along."""

import os
import secrets
from pathlib import Path
from typing import Final

from brain.errors import StoreUnusable
from brain.store.folder import FORGETTING_KEY

__all__ = ["FingerprintKey"]

_KEY_BYTES: Final = 32


class FingerprintKey:
    """The key in one data folder; in memory alone where there is none.

    It is made, read and removed under the write lock of the database, so that several processes
    agree on it.
    """

    def __init__(self, data_folder: Path | None) -> None:
        self._path = None if data_folder is None else data_folder / FORGETTING_KEY
        self._in_memory: bytes | None = None
        self.is_new = False
        """Whether it was made for a job of which it is not known yet that it was kept."""

    def read(self) -> bytes | None:
        """Return the key, or None where there is none or a damaged one. Raises StoreUnusable."""
        if self._path is None:
            return self._in_memory
        try:
            key = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._unusable(error) from error
        return key if len(key) == _KEY_BYTES else None

    def make(self) -> bytes:
        """Return the key, made and on disk before anything is hashed with it. Raises StoreUnusable."""
        key = self.read()
        if key is not None:
            return key
        key = secrets.token_bytes(_KEY_BYTES)
        if self._path is None:
            self._in_memory = key
            return key
        try:
            self._path.unlink(missing_ok=True)  # a damaged one, with whatever rights it had
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            self.is_new = True
            with os.fdopen(descriptor, "wb") as file:
                file.write(key)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unusable(error) from error
        return key

    def drop(self) -> None:
        """Overwrite the key and remove its file. Raises StoreUnusable."""
        self._in_memory = None
        self.is_new = False
        if self._path is None:
            return
        try:
            with self._path.open("r+b") as file:
                file.write(bytes(_KEY_BYTES))
                file.flush()
                os.fsync(file.fileno())
            self._path.unlink()
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: OSError) -> StoreUnusable:
        return StoreUnusable(
            f"The key {str(self._path)!r} can't be used: {error.strerror}. Nothing was changed.",
            fix="make the data folder writable for the user who runs brain",
        )
