"""The ports of the store: what a reader and a writer can be asked."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from brain.records import (
    Box,
    Conversation,
    Note,
    Receipt,
    Rehearsal,
    Sensitivity,
    Session,
    Turn,
)
from brain.store.erasing import Cleaning, Erasing, Forgettings
from brain.store.mail import MailReads, MailWrites
from brain.store.rows import (
    EventFilter,
    EventRow,
    MessageState,
    ModelBreak,
    NewNote,
    NewRehearsal,
    NewTurn,
    Seen,
    SeenState,
    SessionRow,
    TalkMark,
    TalkRow,
)

__all__ = ["Snapshot", "Store", "Transaction"]

T = TypeVar("T")


class Snapshot(MailReads, Forgettings, Protocol):
    """Rows as they were when the read began."""

    def conversation_id(self, channel: str, conversation: str) -> str | None:
        """Return the random id by which events name this conversation, or None if unknown."""
        ...

    def talks(self, *, limit: int, before: TalkMark | None = None) -> tuple[TalkRow, ...]:
        """Return conversations, the one with the newest turn first, or those that follow `before`.

        Only for the operator.
        """
        ...

    def talk(self, conversation_id: str) -> TalkRow | None: ...

    def sessions(
        self, conversation_id: str, *, limit: int, before: int = ...
    ) -> tuple[SessionRow, ...]:
        """Return the newest sessions of a conversation, or the newest before one; the oldest first.

        None where it is unknown.
        """
        ...

    def active_session(self, conversation_id: str) -> Session | None: ...

    def newest_turn_at(self, conversation_id: str, session: int) -> datetime | None: ...

    def has_dialogue(self, conversation_id: str, session: int) -> bool:
        """Tell whether the session has a turn of user, assistant or operator, recalled ones too."""
        ...

    def newest_dialogue_before(
        self, conversation_id: str, session: int, *, look_back: int
    ) -> Session | None:
        """Return the newest earlier session with a `said` turn, among the last `look_back`."""
        ...

    def turns(
        self,
        conversation_id: str,
        session: int,
        *,
        limit: int,
        may_read_private: bool,
        first_turn_id: int = 0,
        before_turn_id: int = ...,
    ) -> tuple[Turn, ...]:
        """Return the newest `limit` turns of the session from `first_turn_id` on, oldest first.

        With `before_turn_id` the newest among those before it.
        """
        ...

    def turns_from(
        self, conversation_id: str, session: int, *, first_turn_id: int, may_read_private: bool
    ) -> tuple[Turn, ...]:
        """Return the turns of the session from `first_turn_id` on, oldest first."""
        ...

    def exchange_starts(self, conversation_id: str, session: int, *, limit: int) -> tuple[int, ...]:
        """Return the ids of the newest `limit` said user turns, oldest first: where exchanges begin."""
        ...

    def window_start(self, conversation_id: str, session: int) -> int:
        """Return the turn id at which the history window begins; 0 for the session's beginning."""
        ...

    def notes(
        self, box: Box, *, may_read_private: bool, offset: int = 0, limit: int = 1000
    ) -> tuple[Note, ...]: ...

    def note(self, box: Box, number: int, *, may_read_private: bool) -> Note | None: ...

    def note_like(self, box: Box, folded: str) -> Note | None:
        """Return the note of the box whose folded text is `folded`, whatever its sensitivity."""
        ...

    def note_count(self, box: Box) -> int: ...

    def boxes(self) -> tuple[tuple[Box, int], ...]:
        """Return every box that holds a note, with its count."""
        ...

    def generation(self, box: Box) -> int:
        """Return how often the box was cleared: work begun under an older one is not stored."""
        ...

    def rehearsals(
        self, box: Box, *, now: datetime, offset: int = 0, limit: int = 1000
    ) -> tuple[Rehearsal, ...]:
        """Return the rehearsals that have not expired, oldest first. Only for the operator."""
        ...

    def rehearsal(self, box: Box, number: int, *, now: datetime) -> Rehearsal | None: ...

    def has_note(self, note_id: str) -> bool: ...

    def has_rehearsal(self, rehearsal_id: str) -> bool: ...

    def conversation(self, conversation_id: str) -> Conversation | None: ...

    def session(self, conversation_id: str, number: int) -> Session | None: ...

    def turn_after(
        self, conversation_id: str, session: int, turn_id: int, *, may_read_private: bool
    ) -> Turn | None:
        """Return the first turn of the session behind `turn_id`."""
        ...

    def has_turn(self, turn_id: int) -> bool: ...

    def never_had_turns(self) -> bool:
        """Tell whether no turn was ever stored here: then the ids of another store are free."""
        ...

    def receipt(self, conversation_id: str) -> Receipt | None:
        """Return the receipt of the last exchange of the conversation that has one."""
        ...

    def event_head(self) -> tuple[int, str]:
        """Return seq and hash of the newest event, (0, 64 zeros) where there is none."""
        ...

    def events(
        self, wanted: EventFilter, *, limit: int, newest: bool = False
    ) -> tuple[EventRow, ...]:
        """Return up to `limit` events in order of seq; `newest` takes them from the end."""
        ...

    def model_breaks(self) -> tuple[ModelBreak, ...]: ...

    def undecided_calls(self, dead_runs: Sequence[str]) -> tuple[EventRow, ...]:
        """Return the `tool_decided` events of those runs that no later event of the call ends."""
        ...

    def unended_messages(self, runs: Sequence[str]) -> tuple[EventRow, ...]:
        """Return the `message_received` events of those runs that no later event of theirs ends."""
        ...

    def message_state(self, exchange_id: str) -> MessageState | None:
        """Return the last that is on record of a message; None where nothing is."""
        ...

    def open_runs(self) -> tuple[str, ...]:
        """Return the ids of runs that were opened and not closed."""
        ...

    def dead_runs(self) -> tuple[str, ...]:
        """Return the ids of open runs whose process is gone: it did not stop as it should."""
        ...


class Transaction(Snapshot, MailWrites, Erasing, Protocol):
    """One write, with everything it has to read."""

    @property
    def now(self) -> datetime:
        """The moment the store stamps rows with: read once per write, under the lock."""
        ...

    def take_losses(self) -> int:
        """Return how many writes the database did not take since a committed one asked this.

        A fault of the machine is meant (disk full, locked, gone), not a callable that raised. Who
        asks has to report it in this transaction: the count starts again when it is committed.
        """
        ...

    def open_conversation(self, channel: str, conversation: str) -> str:
        """Return the random id of the conversation, making one if it is new."""
        ...

    def open_actor(self, channel: str, sender: str) -> str:
        """Return the random id of the sender, making one if it is new."""
        ...

    def start_session(self, conversation_id: str) -> Session:
        """Open the next session of the conversation and return it."""
        ...

    def seen(self, channel: str, message_id: str) -> Seen | None:
        """Return what is known of a message id, None where it never came."""
        ...

    def mark_seen(
        self,
        channel: str,
        message_id: str,
        state: SeenState,
        *,
        sender: str,
        turn_id: int = 0,
    ) -> None:
        """Remember a message id and how far its message got; a turn that it has stays with it."""
        ...

    def add_turn(self, turn: NewTurn) -> int: ...

    def move_window(self, conversation_id: str, session: int, first_turn_id: int) -> None: ...

    def add_note(self, note: NewNote) -> Note:
        """Store a note under the next number of its box. The caller has checked the cap in here."""
        ...

    def drop_note(self, box: Box, number: int) -> Note | None: ...

    def clear_box(self, box: Box) -> tuple[int, int]:
        """Empty the box and its rehearsals, advance its generation, start numbers again.

        Returns how many notes and how many rehearsals there were.
        """
        ...

    def keep_rehearsal(self, rehearsal: NewRehearsal, *, at_most: int) -> Rehearsal:
        """Keep a rehearsal; expired ones and the oldest over `at_most` go."""
        ...

    def drop_rehearsals(self, box: Box, numbers: Sequence[int]) -> int: ...

    def import_note(self, note: Note, *, folded: str) -> Note:
        """Store a note of another store under its id and with its moment.

        Its number is kept where the box never gave it or a later one; else it gets the next.
        """
        ...

    def move_note(self, note: Note, to: Box, sensitivity: Sensitivity) -> Note:
        """Put a note that is here under the next number of `to`; in its own box it keeps its number."""
        ...

    def import_rehearsal(self, rehearsal: Rehearsal) -> Rehearsal:
        """Keep a rehearsal of another store, as `import_note` stores a note."""
        ...

    def import_conversation(self, conversation: Conversation) -> None: ...

    def import_session(self, session: Session) -> None: ...

    def import_turn(self, turn: Turn, *, keeps_id: bool) -> int:
        """Store a turn of another store with its moment, under its id or the next; return which."""
        ...

    def keep_receipt(self, conversation_id: str, receipt: Receipt) -> None:
        """Keep the receipt of the conversation's last exchange, in the place of the one before."""
        ...

    def append_event(self, row: EventRow) -> None:
        """Append one finished event. `seq` must be the head's + 1, `prev` the head's hash."""
        ...

    def drop_events(self, *, through: int) -> int:
        """Remove the events up to and with seq `through`, never the newest; return how many.

        The caller appends the event that tells of it in this transaction.
        """
        ...

    def break_model(self, model: str, reason: str) -> None: ...

    def release_model(self, model: str) -> bool:
        """Put a broken model back; False if it was not broken."""
        ...

    def open_run(self, run_id: str) -> None:
        """Note that a process began; it is known to live for as long as its store is open."""
        ...

    def close_run(self, run_id: str) -> None: ...


class Store(Cleaning, Protocol):
    """The front door. Opened by `brain.runtime.wiring`, closed by whoever opened it."""

    async def write(self, change: Callable[[Transaction], T]) -> T:
        """Run `change` in a transaction, commit, and return what it returned.

        Raises StoreError, or whatever `change` raised, in which case nothing of it is kept. The
        outcome is awaited even when the caller is cancelled: the CancelledError raised then has the
        failure as its `__cause__`, and no cause if the write was committed.
        """
        ...

    async def read(self, query: Callable[[Snapshot], T]) -> T: ...

    def on_commit(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Have `wake` called on the event loop after each commit of this store, until told to stop.

        Returns what ends it. `wake` raises nothing. Commits of other stores on the file are not
        heard of.
        """
        ...

    async def close(self) -> None: ...
