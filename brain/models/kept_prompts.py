"""What engines have read of prompts, kept on disk so that the next start need not read it again.

Decides where such a file lies, whether it is whole, and which go when there are too many. What is
kept is the part of a prompt that the config alone decides: never a note, never a word of a talk.
"""

import hashlib
import shutil
from pathlib import Path
from typing import Final

__all__ = ["KeptPrompts", "key_of"]

KEPT_AT_MOST: Final = 4
"""Each is about 30 MB for the prompt that ships, and goes when that many newer ones are there."""

_SUFFIX: Final = ".read"
_NEW_SUFFIX: Final = ".new"
_DIGEST_SUFFIX: Final = ".sha256"


def key_of(*facts: str) -> str:
    """Return the name of what was read under these facts; any other fact gives another name."""
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogatepass")).hexdigest()


class KeptPrompts:
    """The files of one folder, made when the first is kept. Its methods raise OSError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> Path | None:
        """Return the file that was kept under `key`, if it is there and as it was written."""
        path = self._path(key)
        try:
            expected = self._digest_path(key).read_text("ascii")
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        if found != expected:
            return None
        path.touch()  # it was of use, so that others go before it
        return path

    def keep(self, key: str, source: Path) -> None:
        """Move `source` here under `key`, for its owner alone, and let the oldest beyond a few go."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with source.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        source.chmod(0o600)
        beside = self._folder / f"{key}{_NEW_SUFFIX}"
        try:
            shutil.move(source, beside)
            self._digest_path(key).write_text(digest, "ascii")
            beside.replace(self._path(key))
        finally:
            beside.unlink(missing_ok=True)
        self._drop_oldest()

    def _drop_oldest(self) -> None:
        kept = sorted(self._folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime)
        for path in kept[:-KEPT_AT_MOST]:
            path.unlink(missing_ok=True)
        left = {path.stem for path in kept[-KEPT_AT_MOST:]}
        # What a process that was killed left: half a file, a digest without its file.
        for suffix in (_NEW_SUFFIX, _DIGEST_SUFFIX):
            for path in self._folder.glob(f"*{suffix}"):
                if path.stem not in left:
                    path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}{_SUFFIX}"

    def _digest_path(self, key: str) -> Path:
        return self._folder / f"{key}{_DIGEST_SUFFIX}"
