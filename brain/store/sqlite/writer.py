"""The one writer: waiting writes share a commit, each in a savepoint of its own."""

import sqlite3
from asyncio import Future
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from brain.clock import Clock
from brain.errors import StoreError
from brain.store.ports import Transaction
from brain.store.sqlite.failures import translate
from brain.store.sqlite.keys import FingerprintKey
from brain.store.sqlite.locks import RunLocks
from brain.store.sqlite.statements import Statements
from brain.store.sqlite.transaction import Losses, SqliteTransaction

__all__ = ["GROUP_LIMIT", "Outcome", "Write", "Writer"]

GROUP_LIMIT: Final = 256
"""How many writes share a commit at most, so that other processes get their turn at the file."""


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What became of a callable: its value, or what it or the store raised."""

    value: Any = None
    error: BaseException | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Write:
    """One callable that waits for its turn; `done` is resolved on the loop once it has an outcome.

    A caller that is cancelled takes `done` with it and puts another in its place, to wait on.
    """

    change: Callable[[Transaction], Any]
    done: Future[None]
    outcome: Outcome = field(default_factory=Outcome)
    is_settled: bool = False

    def settle(self) -> None:
        """Tell the caller that there is an outcome. On the loop."""
        self.is_settled = True
        if not self.done.done():
            self.done.set_result(None)


class Writer:
    """Takes what waits and runs it, on the writer's thread.

    `guard` is asked before each transaction and raises StoreUnusable if the file is no longer ours.
    """

    def __init__(
        self,
        *,
        where: str,
        clock: Clock,
        locks: RunLocks,
        key: FingerprintKey,
        guard: Callable[[], None],
    ) -> None:
        self._where = where
        self._clock = clock
        self._locks = locks
        self._key = key
        self._guard = guard
        self._losses = Losses()
        self._waiting: deque[Write] = deque()
        self._mutex = Lock()
        self._is_called = False

    def enqueue(self, write: Write) -> bool:
        """Let `write` wait. True if the caller has to see to it that `run_waiting` is called."""
        with self._mutex:
            self._waiting.append(write)
            has_to_call = not self._is_called
            self._is_called = True
        return has_to_call

    def run_waiting(self, connection: sqlite3.Connection) -> tuple[list[Write], bool]:
        """Run one group; return it, and whether this has to be called again for more."""
        with self._mutex:
            group = [self._waiting.popleft() for _ in range(min(GROUP_LIMIT, len(self._waiting)))]
        self._run_group(connection, group)
        with self._mutex:
            self._is_called = bool(self._waiting)
            return group, self._is_called

    def rewrite(self, connection: sqlite3.Connection) -> Outcome:
        """Write the whole file anew, without what was deleted in it. Between two groups."""
        return self._clean(lambda: connection.execute("VACUUM"))

    def empty_log(self, connection: sqlite3.Connection) -> Outcome:
        """Fold the write-ahead log in and cut it; the value is False while a reader keeps it.

        Nobody waits for the reader here: writes would wait with it.
        """

        def fold() -> bool:
            (waits,) = connection.execute("PRAGMA busy_timeout").fetchone()
            connection.execute("PRAGMA busy_timeout = 0")
            try:
                (is_busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                connection.execute(f"PRAGMA busy_timeout = {waits}")
            return not is_busy

        return self._clean(fold)

    def _clean(self, step: Callable[[], Any]) -> Outcome:
        try:
            self._guard()
            return Outcome(value=step())
        except sqlite3.Error as error:
            failure = translate(error, self._where, "What was removed stays removed.")
            failure.__cause__ = error
            return Outcome(error=failure)
        except StoreError as error:
            return Outcome(error=error)

    def _run_group(self, connection: sqlite3.Connection, group: Sequence[Write]) -> None:
        failure = self._transact(connection, group)
        if failure is None:
            return
        if len(group) == 1:
            group[0].outcome = Outcome(error=failure)
            self._losses.count += 1
            return
        for write in group:  # before anyone is told: the fault may be of one of them alone
            self._run_group(connection, (write,))

    def _transact(
        self, connection: sqlite3.Connection, group: Sequence[Write]
    ) -> StoreError | None:
        """Run `group` in one transaction; return what ended it, with nothing of it kept."""
        self._losses.is_taken = False
        try:
            self._guard()
            connection.execute("BEGIN IMMEDIATE")
            for write in group:
                failure = self._run_one(connection, write, is_alone=len(group) == 1)
                if failure is not None:
                    return failure
            if len(group) == 1 and group[0].outcome.error is not None:
                return None  # and all of it is rolled back
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            failure = translate(error, self._where)
            failure.__cause__ = error
            return failure
        except StoreError as error:
            return error
        finally:
            _roll_back(connection)
            if self._key.is_new:
                self._settle_key(connection)
        if self._losses.is_taken:
            self._losses.count = 0
        return None

    def _settle_key(self, connection: sqlite3.Connection) -> None:
        """Remove a new key whose job was not kept; under the lock, since others may use it by now."""
        self._key.is_new = False
        # Where this fails as well, the next one that cleans finds it without a job.
        with suppress(sqlite3.Error, StoreError):
            connection.execute("BEGIN IMMEDIATE")
            if not connection.execute(
                "SELECT 1 FROM forgettings WHERE done_at IS NULL LIMIT 1"
            ).fetchone():
                self._key.drop()
        _roll_back(connection)

    def _run_one(
        self, connection: sqlite3.Connection, write: Write, *, is_alone: bool
    ) -> StoreError | None:
        """Run one callable in its savepoint; return what ended the whole transaction, if it did.

        One that is alone needs none: what it did ends with the transaction.
        """
        was_taken = self._losses.is_taken
        if not is_alone:
            connection.execute("SAVEPOINT write")
        statements = Statements(connection, self._where)
        try:
            tx = SqliteTransaction(
                statements, self._locks, self._losses, self._key, self._clock.now()
            )
            write.outcome = Outcome(value=write.change(tx))
        except BaseException as error:  # noqa: BLE001 - it is the caller's: carried there, raised there
            write.outcome = Outcome(error=error)
        statements.is_over = True
        if statements.failure is not None:
            return statements.failure
        if write.outcome.error is not None:
            self._losses.is_taken = was_taken
            if not is_alone:
                connection.execute("ROLLBACK TO write")
        if not is_alone:
            connection.execute("RELEASE write")
        return None


def _roll_back(connection: sqlite3.Connection) -> None:
    """End what is left of a transaction; where SQLite ended it already there is nothing to do."""
    with suppress(sqlite3.Error):  # the outcome is decided: what is left is undone at the next open
        if connection.in_transaction:
            connection.execute("ROLLBACK")
