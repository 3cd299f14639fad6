"""What brain keeps in its data folder, by name: the one list for who copies, guards or forgets it."""

import glob
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from brain.store.locks import LOCKS_FOLDER

__all__ = [
    "BESIDE",
    "FORGETTING_KEY",
    "INCOMING",
    "PROMPT_HISTORY",
    "SERVER_TOKEN",
    "copied_folders",
    "kept_files",
    "left_over",
    "other_files",
    "owned_files",
    "owned_paths",
]

PROMPT_HISTORY: Final = "prompt-history"
"""What a person wrote at the prompt, for the arrow keys: it holds content."""

FORGETTING_KEY: Final = "forgetting.key"
"""The key of the fingerprints of what was forgotten. No copy takes it along: it is to be gone."""

SERVER_TOKEN: Final = "server.token"  # noqa: S105 - the name of its file
"""The operator's token, where the config names none."""

BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, behind its name."""

INCOMING: Final = ".incoming"
"""Behind the name of what a restore has copied and not yet put in its place."""


_SERVER_FILES: Final = ("server.address", "server.pages")
"""What the server keeps for as long as it runs, or for the pages that are signed in."""

_COPIES: Final = ("before", "backup", "replaced")
"""What a copy of the whole folder beside it is named for."""


def kept_files(path: Path) -> frozenset[str]:
    """Return the names in the data folder of the database `path` that a copy of it is made of."""
    return frozenset({path.name, PROMPT_HISTORY, SERVER_TOKEN})


def owned_files(path: Path) -> frozenset[str]:
    """Return every name in the data folder that is brain's."""
    beside = {path.name + suffix for suffix in BESIDE}
    incoming = {name + INCOMING for name in kept_files(path)}
    return (
        kept_files(path)
        | beside
        | incoming
        | {
            LOCKS_FOLDER,
            FORGETTING_KEY,
            *_SERVER_FILES,
        }
    )


def owned_paths(path: Path) -> tuple[Path, ...]:
    """Return the files in the data folder that are brain's, but for the database and its log."""
    folder, names = path.parent, owned_files(path) - {path.name, LOCKS_FOLDER, FORGETTING_KEY}
    names -= {path.name + suffix for suffix in BESIDE}
    # What a killed process left: a copy for an export, a file that was being written.
    half = {
        each for name in (".copy", *(f".{each}" for each in names)) for each in _of(folder, name)
    }
    locks = (folder / LOCKS_FOLDER).glob("*")
    there = {*(folder / name for name in names), *half, *locks}
    return tuple(sorted(each for each in there if each.is_file()))


def left_over(path: Path) -> tuple[Path, ...]:
    """Return what brain's own killed processes left half made in the data folder.

    A copy for an export has its name only while it is empty, but where the system keeps the name of
    an open file. What a restore copies in is somebody's while its lock is held.
    """
    folder = path.parent
    copies = [each for each in _of(folder, ".copy") if each.stat().st_size]
    incoming = [folder / (name + INCOMING) for name in kept_files(path)]
    halves = [half for each in incoming for half in _of(folder, f".{each.name}")]
    return tuple(sorted(each for each in (*copies, *incoming, *halves) if each.is_file()))


def other_files(path: Path) -> tuple[Path, ...]:
    """Return the files in the data folder and below that are not brain's, the smallest first."""
    own = {path, path.with_name(FORGETTING_KEY), *owned_paths(path)}
    own |= {path.with_name(path.name + suffix) for suffix in BESIDE}
    found = [
        (each.stat().st_size, each)
        for each in path.parent.rglob("*")
        if each not in own and not each.is_symlink() and each.is_file()
    ]
    return tuple(each for _, each in sorted(found))


def copied_folders(path: Path) -> tuple[Path, ...]:
    """Return the copies of the data folder that brain made beside it, the newest first.

    Archives of upgrades, backups, what a restore replaced; whole or not.
    """
    folder = path.parent
    found = {copy for what in _COPIES for copy in _of(folder.parent, f"{folder.name}-{what}")}
    folders = [each for each in found if each.is_dir()]
    return tuple(sorted(folders, key=lambda each: (-each.stat().st_mtime_ns, each)))


def _of(folder: Path, name: str) -> Iterator[Path]:
    return folder.glob(f"{glob.escape(name)}-*")
