"""The way to a file: every folder in which a change can make its path mean another file."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

__all__ = ["Way", "find_way"]

_MOST_LINKS: Final = 40  # what systems follow before they call it a loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The way a path takes now.

    `folders` are the real folders that hold the file, and each link on the way to it, with what
    tells a folder from another of its name; one that is not there stands for itself by the nearest
    one around it. `names` are the entries in them that count, as whole paths.
    """

    folders: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    def concerns(self, path: str) -> bool:
        """Tell whether a change of `path` may change what the way leads to."""
        return path in self.names or path in self.folders


def find_way(path: Path) -> Way:
    """Follow `path` part by part, links in folders' places included. Raises nothing."""
    folders: dict[str, tuple[int, int]] = {}
    names: set[str] = set()
    absolute = path.absolute()
    here, left = Path(absolute.anchor), list(reversed(absolute.parts[1:]))
    links = 0
    while left:
        part = left.pop()
        if part == os.pardir:
            here = here.parent
            continue
        entry = here / part
        target = _target(entry)
        is_last = not left
        if target is not None or is_last:
            _note(folders, here)
            names.add(str(entry))
        if target is None:
            here = entry
            continue
        links += 1
        if links > _MOST_LINKS:
            break
        if target.is_absolute():
            here = Path(target.anchor)
        left += reversed([each for each in target.parts if each != target.anchor])
    names.update(_missing(folders, names))
    return Way(folders=folders, names=frozenset(names))


def _target(entry: Path) -> Path | None:
    try:
        return entry.readlink()
    except (OSError, ValueError):
        return None


def _note(folders: dict[str, tuple[int, int]], folder: Path) -> None:
    """Add a folder, or the nearest one around it that is there."""
    for each in (folder, *folder.parents):
        try:
            found = each.stat()
        except (OSError, ValueError):
            continue
        folders[str(each)] = (found.st_dev, found.st_ino)
        return


def _missing(folders: Mapping[str, tuple[int, int]], names: set[str]) -> set[str]:
    """Return the folders that have to come before an entry of `names` can be there."""
    return {
        str(folder)
        for name in names
        for folder in Path(name).parents
        if str(folder.parent) in folders and str(Path(name).parent) not in folders
    }
