"""What waits on channels whose senders do not wait: shown, tried anew, discarded by the operator."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from brain.activity import Draft, Journal, Recorder
from brain.config import Config
from brain.errors import NotFound
from brain.records import JSONValue
from brain.runtime.backoff import expires
from brain.store import Accepted, Delivery, Store, Transaction, Waiting

__all__ = ["Outbox", "Waits", "waiting_shape"]

_FULL = 100_000  # more rows than all channels together can have waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Messages that have no answer yet, and replies that were not delivered; oldest first."""

    messages: tuple[Accepted, ...]
    replies: tuple[Delivery, ...]

    def of(self, ids: Sequence[str], channel: str) -> "Waits":
        """Return what is named by its id, or stands on a channel. Raises NotFound for another id."""
        known = {each.exchange_id for each in self.messages}
        known |= {each.delivery_id for each in self.replies}
        for missing in [each for each in ids if each not in known]:
            raise NotFound(
                f"nothing that waits has the id {missing!r}; nothing was changed",
                fix="brain outbox list shows what waits, with its ids",
            )
        return Waits(
            messages=tuple(
                each for each in self.messages if each.exchange_id in ids or each.channel == channel
            ),
            replies=tuple(
                each for each in self.replies if each.delivery_id in ids or each.channel == channel
            ),
        )


class Outbox:
    """The operator's hand on what waits."""

    def __init__(self, *, config: Config, store: Store, recorder: Recorder) -> None:
        self._config = config
        self._store = store
        self._recorder = recorder

    async def view(self) -> Waits:
        """Return all that waits, also on channels that the config does not have any more."""
        return await self._store.read(
            lambda rows: Waits(
                messages=rows.accepted(limit=_FULL), replies=rows.deliveries(limit=_FULL)
            )
        )

    async def retry(self, ids: Sequence[str]) -> int:
        """Have replies tried now: these, or, where none is named, all that were given up.

        Returns how many. Raises NotFound.
        """
        waits = await self.view()
        given_up = [each for each in waits.replies if each.given_up_at is not None]
        wanted = waits.of(ids, "").replies if ids else given_up

        def change(tx: Transaction) -> int:
            done = [
                each
                for each in wanted
                if tx.take_up_again(each.delivery_id, expires_at=expires(tx.now))
            ]
            for each in done:
                self._record(tx, "reply_retried", each.delivery_id, each)
            return len(done)

        return await self._commit(change)

    async def discard(self, ids: Sequence[str], channel: str) -> int:
        """Remove what is named by its id, or waits on a channel. Returns how much. Raises NotFound."""
        wanted = (await self.view()).of(ids, channel)

        def change(tx: Transaction) -> int:
            messages = [each for each in wanted.messages if tx.end_accepted(each.exchange_id)]
            replies = [each for each in wanted.replies if tx.end_delivery(each.delivery_id)]
            for message in messages:
                self._record(tx, "reply_discarded", message.exchange_id, message)
            for reply in replies:
                self._record(tx, "reply_discarded", reply.delivery_id, reply)
            return len(messages) + len(replies)

        return await self._commit(change)

    def _record(
        self, tx: Transaction, event_type: str, exchange_id: str, of: Accepted | Delivery
    ) -> None:
        names = [each.name for each in self._config.channels]
        draft = Draft(
            type=event_type,
            brain=self._config.brain_of(of.channel).name if of.channel in names else None,
            channel=of.channel,
            conversation=tx.conversation_id(of.channel, of.conversation),
            exchange=exchange_id,
            origin="operator",
        )
        self._recorder.append(tx, draft)

    async def _commit(self, change: Callable[[Transaction], int]) -> int:
        return await Journal(store=self._store, recorder=self._recorder).commit(change)


def waiting_shape(found: Sequence[Waiting], config: Config) -> list[Mapping[str, JSONValue]]:
    """Return how much waits on each webhook channel, and on former ones that left something."""
    of = {each.channel: each for each in found}
    hooks = [each.name for each in config.channels if each.webhook is not None]
    names = dict.fromkeys([*hooks, *of])
    return [
        {
            "channel": name,
            "is_configured": name in hooks,
            "unanswered": of[name].unanswered if name in of else 0,
            "undelivered": of[name].undelivered if name in of else 0,
            "given_up": of[name].given_up if name in of else 0,
        }
        for name in names
    ]
