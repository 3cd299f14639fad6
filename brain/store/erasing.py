"""What a transaction can be asked to remove for good, and the jobs that clean the files behind it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Literal, Protocol

from brain.records import Box, Conversation, JSONValue, Note, Rehearsal, Turn

__all__ = [
    "BoxChoice",
    "Cleaning",
    "Erasing",
    "Forgetting",
    "Forgettings",
    "Mail",
    "MailChoice",
    "TurnChoice",
]


class _Choice:
    """Which rows are meant. A field that is None chooses nothing; one that is given is not empty.

    So an empty name that somebody passed on can't come to mean everybody.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        given = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type] # of dataclasses alone
        for name, value in given.items():
            is_empty = not value or (isinstance(value, tuple) and not all(value))
            if value is not None and is_empty:
                raise ValueError(
                    f"a choice by {name} names what is meant, and {value!r} names nothing"
                )
        if all(value is None for name, value in given.items() if name != "channel"):
            raise ValueError("a channel alone means every row on it; name what is meant")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnChoice(_Choice):
    """Which turns are meant: those that fit every field that is given; at least one is.

    `quoted` are sessions: recalled blocks that quote one of them. `holding` is a text that the turn
    holds as it stands, on `channel`, of `brain` or of a conversation.
    """

    conversation_id: str | None = None
    session: int | None = None
    turn_id: int | None = None
    exchange_ids: tuple[str, ...] | None = None
    quoted: tuple[int, ...] | None = None
    channel: str | None = None
    sender: str | None = None
    brain: str | None = None
    holding: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxChoice(_Choice):
    """Which notes or rehearsals are meant: those that fit every field that is given.

    `channel` and `conversation` are those of boxes of scope conversation; `sender` wrote what led to
    them, on `channel`; `exchange_ids` are exchanges in which a call was rehearsed.
    """

    channel: str | None = None
    conversation: str | None = None
    sender: str | None = None
    exchange_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """One forgetting: rows went, and a job cleans the files behind them.

    `kind` says what was meant. `counts` are rows by what they are, `too_short` the texts that no
    file can be searched for. `receipt` is what the job found, None while it is not done;
    `fingerprints` are there for as long.
    """

    forgetting_id: str
    at: datetime
    kind: str
    counts: Mapping[str, int]
    has_transcript: bool
    too_short: int
    fingerprints: bytes = b""
    done_at: datetime | None = None
    receipt: Mapping[str, JSONValue] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MailChoice(_Choice):
    """Which waiting messages and replies are meant: those that fit every field that is given.

    `has_begun`: messages alone, whose exchange runs.
    """

    channel: str | None = None
    conversation: str | None = None
    sender: str | None = None
    exchange_ids: tuple[str, ...] | None = None
    has_begun: Literal[True] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """What waited: the texts of messages, and the bodies of replies, which are JSON."""

    texts: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.texts) + len(self.bodies)


class Forgettings(Protocol):
    """What can be read of forgettings."""

    def talk_generation(self, conversation_id: str) -> int | None:
        """Return how often something of the conversation was forgotten; None where it is not there.

        What began under another one is not stored: it may hold what was forgotten.
        """
        ...

    def actor_id(self, channel: str, sender: str) -> str | None:
        """Return the random id by which events name this sender, or None if unknown."""
        ...

    def forgetting(self, forgetting_id: str) -> Forgetting | None: ...

    def newest_forgetting(self) -> Forgetting | None: ...

    def waiting_forgettings(self) -> tuple[Forgetting, ...]:
        """Return those whose job is not done, oldest first."""
        ...


class Erasing(Forgettings, Protocol):
    """What can be removed. Each method returns what it removed; what else has to go is not its matter."""

    def erase_turns(self, choice: TurnChoice) -> tuple[Turn, ...]: ...

    def erase_session(self, conversation_id: str, number: int) -> None:
        """Remove the row of a session that has no turns any more."""
        ...

    def erase_conversation(self, conversation_id: str) -> Conversation | None:
        """Remove a conversation without turns: its sessions, its receipt, and what resolves its id."""
        ...

    def erase_receipt(self, conversation_id: str, exchange_ids: Sequence[str]) -> bool:
        """Remove the receipt of the conversation if it is of one of these exchanges."""
        ...

    def erase_notes(self, choice: BoxChoice) -> tuple[Note, ...]: ...

    def erase_rehearsals(self, choice: BoxChoice) -> tuple[Rehearsal, ...]: ...

    def erase_mail(self, choice: MailChoice) -> Mail:
        """Remove what waits."""
        ...

    def erase_boxes(self, channel: str, conversation: str) -> None:
        """Remove the empty boxes of a conversation, which name it."""
        ...

    def erase_actor(self, channel: str, sender: str) -> bool:
        """Remove what resolves the random id of a sender."""
        ...

    def erase_seen(self, channel: str, sender: str) -> int:
        """Remove the ids of the messages that this sender sent."""
        ...

    def silent_senders(self, talk: Conversation, senders: Iterable[str]) -> tuple[str, ...]:
        """Return who was in this talk, by the record or as one of `senders`, and is in none any more."""
        ...

    def erase_names(self) -> tuple[int, int]:
        """Remove every actor and every message id that was seen; return how many of each."""
        ...

    def advance_box(self, box: Box) -> None:
        """Give the box its next generation and leave its notes and numbers as they are."""
        ...

    def advance_talk(self, conversation_id: str) -> None:
        """Give the conversation its next generation."""
        ...

    def all_mail(self) -> tuple[tuple[str, str], ...]:
        """Return channel and conversation of everything that waits."""
        ...

    def all_conversations(self) -> tuple[Conversation, ...]: ...

    def notes_from_turns(self, turn_ids: Sequence[int]) -> int:
        """Return how many notes are there that were saved from one of these turns."""
        ...

    def all_boxes(self) -> tuple[Box, ...]: ...

    def open_forgetting(
        self,
        *,
        kind: str,
        texts: Iterable[str],
        counts: Mapping[str, int],
        has_transcript: bool,
    ) -> Forgetting:
        """Keep a job that searches the files for these texts; of them only fingerprints are kept."""
        ...

    def forgetting_key(self, forgetting_id: str) -> bytes | None:
        """Return the key of the fingerprints of a job that waits, None where it is gone."""
        ...

    def end_forgetting(self, forgetting_id: str, receipt: Mapping[str, JSONValue]) -> bool:
        """Keep what the job found and drop the fingerprints; False if that was done already."""
        ...

    def drop_forgetting_key(self) -> None:
        """Remove the key of the fingerprints, unless some still wait."""
        ...


class Cleaning(Protocol):
    """How the file of a store is rid of what was removed from it."""

    async def rewrite(self) -> None:
        """Write the database anew, without what was removed. Writes wait meanwhile. Raises StoreError."""
        ...

    async def empty_log(self) -> bool:
        """Fold the write-ahead log in and cut it to nothing; False while a reader keeps it."""
        ...
