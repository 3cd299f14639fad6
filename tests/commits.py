"""Count the statements that a store runs, commits first of all: each costs one wait for the disk.

Use it around `open_store`: connections that were opened before are not seen.

    with counted_statements() as seen:
        async with open_store(...) as store:
            ...
            seen.clear()
            await exchange()
            assert seen.commits <= 2
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Statements:
    """The statements of every connection, in order, their values filled in."""

    texts: list[str] = field(default_factory=list)

    @property
    def commits(self) -> int:
        """How many transactions were committed (reads end in a rollback and do not count)."""
        return sum(text == "COMMIT" for text in self.texts)

    def clear(self) -> None:
        self.texts.clear()


@contextmanager
def counted_statements() -> Iterator[Statements]:
    seen = Statements()
    real = sqlite3.connect

    def traced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection = real(*args, **kwargs)
        connection.set_trace_callback(seen.texts.append)
        return connection

    sqlite3.connect = traced  # type: ignore[assignment]
    try:
        yield seen
    finally:
        sqlite3.connect = real
