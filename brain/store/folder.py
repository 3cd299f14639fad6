"""What brain keeps in its data folder, by name: the one list for who copies, guards or forgets it."""

from pathlib import Path
from typing import Final

from brain.store.locks import LOCKS_FOLDER

__all__ = ["BESIDE", "INCOMING", "PROMPT_HISTORY", "SERVER_TOKEN", "kept_files", "owned_files"]

PROMPT_HISTORY: Final = "prompt-history"
"""What a person wrote at the prompt, for the arrow keys: it holds content."""

SERVER_TOKEN: Final = "server.token"  # noqa: S105 - the name of its file
"""The operator's token, where the config names none."""

BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, behind its name."""

INCOMING: Final = ".incoming"
"""Behind the name of what a restore has copied and not yet put in its place."""


def kept_files(path: Path) -> frozenset[str]:
    """Return the names in the data folder of the database `path` that a copy of it is made of."""
    return frozenset({path.name, PROMPT_HISTORY, SERVER_TOKEN})


def owned_files(path: Path) -> frozenset[str]:
    """Return every name in the data folder that is brain's."""
    beside = {path.name + suffix for suffix in BESIDE}
    incoming = {name + INCOMING for name in kept_files(path)}
    return kept_files(path) | beside | incoming | {LOCKS_FOLDER}
