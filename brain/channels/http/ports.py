"""What the HTTP channel is handed by whoever runs it: Protocols, so that it knows no other layer."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from brain.activity import FeedItem
from brain.channels.shapes import ForgettingRow
from brain.config import Config, Report
from brain.records import (
    Box,
    Effect,
    Inbound,
    JSONValue,
    Message,
    Note,
    Observation,
    Rehearsal,
    Reply,
    Turn,
)

__all__ = [
    "Acceptance",
    "BoxDiff",
    "BoxView",
    "Called",
    "Desk",
    "DiffLine",
    "Doors",
    "EventRow",
    "Forgotten",
    "MessageState",
    "Outcome",
    "Replay",
    "SessionRow",
    "TalkRow",
]

EventRow = Mapping[str, JSONValue]


class BoxView(Protocol):
    """A box as one sees it; one that may not be seen is empty."""

    @property
    def box(self) -> Box: ...
    @property
    def may_be_seen(self) -> bool: ...
    @property
    def notes(self) -> Sequence[Note]: ...
    @property
    def not_shown(self) -> int: ...
    @property
    def max_notes(self) -> int: ...
    @property
    def rehearsals(self) -> Sequence[Rehearsal]: ...


class DiffLine(Protocol):
    """One line of a comparison of a box with what it would be."""

    @property
    def state(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def text(self) -> str: ...


class BoxDiff(Protocol):
    """A box as it is, beside the box as it would be."""

    @property
    def as_it_is(self) -> Sequence[DiffLine]: ...
    @property
    def would_be(self) -> Sequence[DiffLine]: ...
    @property
    def refused(self) -> Sequence[DiffLine]: ...
    @property
    def other_tools(self) -> int: ...


class Called(Protocol):
    """What came of a call that the operator asked for."""

    @property
    def observation(self) -> Observation: ...
    @property
    def effect(self) -> Effect | None: ...
    @property
    def rule(self) -> str: ...


class Forgotten(Protocol):
    """What was forgotten: rows by kind, and the job that cleans the files behind them."""

    @property
    def forgetting_id(self) -> str: ...
    @property
    def counts(self) -> Mapping[str, int]: ...
    @property
    def kept_notes(self) -> int: ...
    @property
    def note(self) -> Note | None: ...


class Desk(Protocol):
    """The operator's doors to the boxes. `place` is what `Desk.place` returned."""

    def place(self, *, brain: str = "", channel: str = "", conversation: str = "main") -> Any: ...
    async def view(self, place: Any, *, is_operator: bool) -> BoxView: ...
    async def add(self, place: Any, text: str) -> Called: ...
    async def forget_note(self, place: Any, number: int) -> Forgotten: ...
    async def forget_box(self, place: Any) -> Forgotten: ...
    async def forget_talk(self, conversation_id: str) -> Forgotten: ...
    async def forgetting(self, forgetting_id: str = "") -> ForgettingRow | None: ...
    async def promote(self, place: Any, number: int) -> Called: ...
    async def discard(self, place: Any, numbers: Sequence[int]) -> Sequence[Rehearsal]: ...
    async def diff(self, place: Any) -> BoxDiff: ...


class Acceptance(Protocol):
    """What became of a message that was offered: `accepted`, or `repeated`, `busy`, `full`, `stopping`."""

    @property
    def outcome(self) -> str: ...
    @property
    def exchange_id(self) -> str: ...


class TalkRow(Protocol):
    """A conversation in a listing."""

    @property
    def conversation_id(self) -> str: ...
    @property
    def channel(self) -> str: ...
    @property
    def conversation(self) -> str: ...
    @property
    def sessions(self) -> int: ...
    @property
    def turns(self) -> int: ...
    @property
    def last_at(self) -> datetime | None: ...


class SessionRow(Protocol):
    """A session in a listing."""

    @property
    def number(self) -> int: ...
    @property
    def started_at(self) -> datetime: ...
    @property
    def turns(self) -> int: ...


class MessageState(Protocol):
    """The last event of a message: that it came in, or how it ended."""

    @property
    def type(self) -> str: ...
    @property
    def outcome(self) -> str: ...


class Outcome(Protocol):
    """What became of a config that was offered."""

    @property
    def kind(self) -> str: ...
    @property
    def revision(self) -> str: ...
    @property
    def revision_before(self) -> str: ...
    @property
    def paths(self) -> Sequence[str]: ...
    @property
    def codes(self) -> Sequence[str]: ...
    @property
    def text(self) -> str: ...
    @property
    def report(self) -> Report: ...


class Replay(Protocol):
    """The calls on record, decided again under another config."""

    @property
    def calls(self) -> int: ...
    @property
    def other_rule(self) -> int: ...
    @property
    def homeless(self) -> int: ...
    def kinds(self) -> Sequence[tuple[str, str, str, int]]: ...


class Doors(Protocol):
    """The doors of one running brain. Each raises BrainErrors only."""

    @property
    def config(self) -> Config:
        """The config in force; a reload puts another one in its place."""
        ...

    async def handle(self, inbound: Inbound, on_text: Callable[[str], None] | None = None) -> Reply:
        """Answer one message. A failure is a reply; cancelling the call stops the answer."""
        ...

    async def accept(self, inbound: Inbound) -> Acceptance:
        """Keep a message whose sender does not wait for the reply; that is delivered later.

        Raises StoreError where it can't be kept; nothing was done then.
        """
        ...

    async def handle_apart(
        self,
        inbound: Inbound,
        history: Sequence[Message],
        prompt: str,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Answer a message that belongs to no conversation and leaves no turn.

        `history` are messages of user and assistant; `prompt` comes after the operator's own.
        """
        ...

    async def ready(self) -> Mapping[str, JSONValue]:
        """Return how everything stands; `status` is `ready` or `not_ready`."""
        ...

    async def waiting(self) -> Sequence[Mapping[str, JSONValue]]:
        """Return how much waits on each webhook channel: unanswered, undelivered, given up."""
        ...

    async def brains(self) -> Sequence[Mapping[str, JSONValue]]:
        """Return the brains with their channels, models and proofs."""
        ...

    def tools(self, brain: str) -> Sequence[Mapping[str, JSONValue]]:
        """Return what is decided about each tool of a brain on each of its channels, and why."""
        ...

    async def events(
        self, *, after: int | None, types: tuple[str, ...], brain: str, limit: int
    ) -> tuple[tuple[EventRow, ...], int]:
        """Return events in order of seq, and the seq of the head.

        The first `limit` behind `after`; where that is None, the newest `limit`.
        """
        ...

    async def head(self) -> int: ...

    def follow(
        self, *, after: int, types: tuple[str, ...] = (), brain: str = ""
    ) -> AsyncGenerator[Sequence[FeedItem], None]:
        """Yield the events behind `after`, all that are there together, and wait for more.

        Close it with `aclosing`.
        """
        ...

    def desk(self, sender: str) -> Desk: ...

    async def talks(
        self, *, limit: int, before: tuple[datetime | None, str] | None = None
    ) -> Sequence[TalkRow]:
        """Return the conversations, the one with the newest turn first, or those that follow one.

        That one is named by its `last_at` and its id.
        """
        ...

    async def sessions(
        self, conversation_id: str, *, limit: int, before: int | None = None
    ) -> Sequence[SessionRow]:
        """Return the newest sessions, or the newest before that number; the oldest first."""
        ...

    async def turns(
        self, conversation_id: str, session: int | None, *, limit: int, before: int | None = None
    ) -> tuple[int, Sequence[Turn]]:
        """Return the number of a session, by default the active one, and its newest turns.

        Oldest first; with `before`, those before the turn of this id.
        """
        ...

    async def message_states(self, exchange_ids: Sequence[str]) -> Mapping[str, MessageState]:
        """Return the last that is on record of the messages of these exchanges."""
        ...

    async def note_counts(self) -> Mapping[str, int]:
        """Return how many notes there are by kind of scope."""
        ...

    async def read_config(self) -> bytes: ...

    async def put_config(self, content: bytes, *, expected: str) -> Outcome | None:
        """Write the config file and put it in force; None where `expected` is not its digest."""
        ...

    async def replay_config(self, content: bytes) -> Report | Replay:
        """Return what the calls on record would come to under another config, or its problems."""
        ...
