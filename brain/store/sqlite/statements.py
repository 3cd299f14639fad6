"""One connection as callables see it: statements in, rows out, errors already translated."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from brain.errors import StoreError
from brain.store.sqlite.failures import NOTHING_STORED, ends_transaction, translate

__all__ = ["Statements"]

Parameters = Sequence[str | int | bytes | None]


class Statements:
    """Runs statements inside the transaction that its owner opened.

    `failure` is set by an error that ended the transaction; from then on every statement raises it,
    so that a callable which caught it can't write outside of a transaction. `is_over` is set when
    the callable has returned, for one that kept its transaction.
    """

    def __init__(
        self, connection: sqlite3.Connection, where: str, meanwhile: str = NOTHING_STORED
    ) -> None:
        self._connection = connection
        self._where = where
        self._meanwhile = meanwhile
        self.failure: StoreError | None = None
        self.is_over = False

    def rows(self, sql: str, parameters: Parameters = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        if self.failure is not None or self.is_over:
            raise self._unusable()
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise self._failed(error) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise ValueError(_unstorable(error)) from error

    def row(self, sql: str, parameters: Parameters = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        rows = self.rows(sql, parameters)
        return rows[0] if rows else None

    def run(self, sql: str, parameters: Parameters = ()) -> sqlite3.Cursor:
        """Run a statement that returns no rows."""
        if self.failure is not None or self.is_over:
            raise self._unusable()
        try:
            return self._connection.execute(sql, parameters)
        except sqlite3.Error as error:
            raise self._failed(error) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise ValueError(_unstorable(error)) from error

    def _unusable(self) -> StoreError:
        if self.failure is not None:
            return self.failure
        return StoreError(
            "A transaction was used after the callable that it was given to had returned. "
            "Nothing was read or stored.",
            fix="this is a fault of brain: please report it with this sentence",
        )

    def _failed(self, error: sqlite3.Error) -> StoreError:
        failure = translate(error, self._where, self._meanwhile)
        if ends_transaction(error) or not self._connection.in_transaction:
            self.failure = failure
        return failure


def _unstorable(error: Exception) -> str:
    if isinstance(error, UnicodeEncodeError):
        return (
            f"a text has a lone surrogate (U+{ord(error.object[error.start]):04X} at rune "
            f"{error.start}), which UTF-8 can't hold; nothing was stored"
        )
    return "a number does not fit into 64 bits; nothing was stored"
