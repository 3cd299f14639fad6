"""The file and its folder: made for their owner alone, and mended where someone loosened them."""

import os
import stat
import sys
from pathlib import Path
from typing import Final

from brain.errors import StoreUnusable
from brain.log import get_log
from brain.store.folder import BESIDE, owned_files
from brain.store.sqlite.schema import APPLICATION_ID

__all__ = ["prepare", "refuse_emptied"]

_HEADER: Final = b"SQLite format 3\x00"
_MARK: Final = slice(68, 72)  # where a database says which program it belongs to
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def prepare(path: Path) -> None:
    """Make the folder and the file where they are missing, 0700 and 0600; mend looser ones.

    Raises StoreUnusable for what can't be made or is not a database; such a file is left as it is.
    """
    try:
        refuse_emptied(path)
        _prepare_folder(path)
        _prepare_file(path)
    except OSError as error:
        raise StoreUnusable(
            f"The database {str(path)!r} can't be opened or made: {error.strerror} "
            f"({str(error.filename)!r}). Nothing was started.",
            fix="make the folder of storage.path and the file in it writable for the user who runs "
            "brain, or point storage.path elsewhere",
        ) from error


def refuse_emptied(path: Path) -> None:
    """Raise StoreUnusable for an empty file whose write-ahead log still holds something.

    SQLite would take it for a new database and throw the log away. An empty file alone is one:
    a first start that was cut short leaves it so.
    """
    log = path.with_name(f"{path.name}-wal")
    try:
        log_bytes = log.stat().st_size if path.stat().st_size == 0 else 0
    except OSError:
        return
    if log_bytes:
        raise StoreUnusable(
            f"The database {str(path)!r} is empty, and beside it lies {log.name!r} with {log_bytes} "
            "bytes of a store that was there: the file was emptied. Both were left as they are and "
            "nothing was started.",
            fix="keep a copy of both and put a backup in their place with 'brain restore'; to begin "
            "anew instead, move both away",
        )


def _prepare_folder(path: Path) -> None:
    folder = path.parent
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        return
    holds_ours_alone = {entry.name for entry in folder.iterdir()} <= owned_files(path)
    if holds_ours_alone and not (path.exists() and _is_of_others(_head(path))):
        _close_to_others(folder, 0o700)


def _prepare_file(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        head = _head(path)
        header = head[: len(_HEADER)]
        if header and header != _HEADER:
            raise StoreUnusable(
                f"The file {str(path)!r} is not a database: it begins with {header!r} and brain "
                "expects a database of its own. The file was left as it is and nothing was started.",
                fix="point storage.path to another file, or put a backup in its place with "
                "'brain restore'",
            ) from None
        if _is_of_others(head):
            return  # refused once it is open; its permissions are not ours to change
        for name in (path.name, *(path.name + suffix for suffix in BESIDE)):
            if (path.parent / name).exists():
                _close_to_others(path.parent / name, 0o600)


def _head(path: Path) -> bytes:
    with path.open("r+b") as file:  # for SQLite a file that can't be written is no fault yet
        return file.read(_MARK.stop)


def _is_of_others(head: bytes) -> bool:
    """Tell whether a file is not known as ours; a new one is marked by its first checkpoint."""
    return bool(head) and head[_MARK] != APPLICATION_ID.to_bytes(4, "big")


def _close_to_others(path: Path, mode: int) -> None:
    """Take away what others may do with `path`, and say so; Windows has no such permissions."""
    found = path.stat()
    if found.st_mode & _OTHERS and _is_mine(found):
        path.chmod(mode)
        get_log("store").warning(
            "permissions_mended",
            path=str(path),
            found=f"{stat.S_IMODE(found.st_mode):04o}",
            expected=f"{mode:04o}",
        )


if sys.platform == "win32":

    def _is_mine(_found: os.stat_result) -> bool:
        return False
else:

    def _is_mine(found: os.stat_result) -> bool:
        return found.st_uid == os.geteuid()
