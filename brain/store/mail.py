"""What waits: messages that were accepted and not answered yet, replies that were not delivered yet.

A channel whose sender does not wait for the answer says so at once, and so both ends have to last.
Rows are keyed by channel and conversation, as the channel knows them: who forgets a talk removes
what waits of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

__all__ = ["Accepted", "Delivery", "MailReads", "MailWrites", "Waiting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A message that its sender was told is taken. `exchange_id` is that of its exchange to be.

    `message_id` is what the sender calls the message, empty where it has no name for it.
    `has_begun`: its turn is stored, and its tools may have run.
    """

    exchange_id: str
    channel: str
    conversation: str
    sender: str
    message_id: str
    text: str
    at: datetime
    has_begun: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A reply on its way: `body` goes out as it is, under `delivery_id`, which no other ever has.

    `failure` is the word for why the last of its `tries` came to nothing. It is given up at the
    first failure behind `expires_at`, and not tried any more then.
    """

    delivery_id: str
    channel: str
    conversation: str
    sender: str
    body: str
    at: datetime
    due_at: datetime
    expires_at: datetime
    tries: int = 0
    failure: str = ""
    given_up_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """How much waits on one channel: messages unanswered, replies undelivered, replies given up."""

    channel: str
    unanswered: int = 0
    undelivered: int = 0
    given_up: int = 0


class MailReads(Protocol):
    """What can be asked of it."""

    def accepted(self, *, limit: int) -> tuple[Accepted, ...]:
        """Return the messages that have no reply yet, in the order in which they came."""
        ...

    def is_accepted(self, exchange_id: str) -> bool:
        """Tell whether the message of this exchange has no reply yet."""
        ...

    def accepted_in(self, channel: str, conversation: str) -> int:
        """Return how many messages of a talk have no reply yet."""
        ...

    def next_deliveries(self, channel: str, *, limit: int) -> tuple[Delivery, ...]:
        """Return the first undelivered reply of each talk of a channel, the one due first in front."""
        ...

    def deliveries(self, *, limit: int) -> tuple[Delivery, ...]:
        """Return every reply that was not delivered, given up or not, oldest first."""
        ...

    def waiting(self) -> tuple[Waiting, ...]:
        """Return how much waits on each channel that has something waiting, by name."""
        ...


class MailWrites(Protocol):
    """What can be done with it."""

    def accept(self, message: Accepted) -> None: ...

    def begin_accepted(self, exchange_id: str) -> None: ...

    def end_accepted(self, exchange_id: str) -> bool:
        """Remove a message that has its reply; False if it is not there any more."""
        ...

    def add_delivery(self, delivery: Delivery) -> None: ...

    def end_delivery(self, delivery_id: str) -> bool:
        """Remove a reply that was delivered, or is not wanted; False if it is not there any more."""
        ...

    def put_off(self, delivery_id: str, *, failure: str, due_at: datetime) -> bool:
        """Count a try that failed, and say when the next one is due; False if it is gone."""
        ...

    def give_up(self, delivery_id: str, *, failure: str) -> bool:
        """Count a try that failed and was the last; False if it is gone."""
        ...

    def oldest_given_up(self, channel: str, *, beyond: int) -> Sequence[Delivery]:
        """Return those that were given up before the newest `beyond` of a channel."""
        ...

    def take_up_again(self, delivery_id: str, *, expires_at: datetime) -> bool:
        """Make a reply due now, also one that was given up; False if it is not there."""
        ...
