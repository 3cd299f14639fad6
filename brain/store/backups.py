"""What a backup and a restore did, for who asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Backup", "Restored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A verified copy of a data folder. `rows` counts the copy table by table."""

    folder: Path
    files: tuple[str, ...]
    rows: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A backup that was put in the place of a store. `replaced` holds what was there, if anything."""

    files: tuple[str, ...]
    rows: Mapping[str, int]
    replaced: Path | None
