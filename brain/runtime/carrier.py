"""Delivers what waits in the outbox of one channel: at least once, the replies of a talk in order."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from brain.activity import Draft, Journal
from brain.channels.webhook import Posted
from brain.clock import Clock
from brain.config import Webhook
from brain.errors import StoreError
from brain.log import get_log
from brain.runtime.backoff import is_due, is_last_try, next_try_at, seconds_until_due
from brain.runtime.in_force import InForce
from brain.store import Delivery, Transaction

__all__ = ["Carrier", "Post"]

AT_ONCE: Final = 4
"""How many posts of a channel are under way at once, each of another talk."""

LOOK_SECONDS: Final = 5.0
"""How often it looks without being woken: another process may have changed the outbox."""

MOST_GIVEN_UP: Final = 1000
"""How many replies that were given up are kept of a channel; the oldest go first, on record."""


class Post(Protocol):
    """What brings a body to its receiver."""

    async def post(self, webhook: Webhook, *, delivery_id: str, body: str) -> Posted:
        """Try once; what went wrong is in what is returned."""
        ...


class Carrier:
    """Posts the replies of one channel and keeps what came of it."""

    def __init__(
        self, *, channel: str, in_force: InForce, post: Post, jitter: Callable[[], float]
    ) -> None:
        self._channel = channel
        self._in_force = in_force
        self._post = post
        self._jitter = jitter
        self._woken = asyncio.Event()
        self._is_stopping = False
        self._unrecorded: dict[str, int] = {}

    @property
    def _clock(self) -> Clock:
        return self._in_force.wired.clock

    def wake(self) -> None:
        """Let it look now: a reply was put into the outbox."""
        self._woken.set()

    def stop(self) -> None:
        """Let it end once every reply that is due was tried once."""
        self._is_stopping = True
        self.wake()

    async def run(self) -> None:
        """Deliver until it is told to stop. Whatever fails, what waits is looked at again."""
        is_over = False
        while not is_over:
            self._woken.clear()
            try:
                is_over = await self._look()
            except StoreError as error:
                get_log("webhook").error(
                    "outbox_failed", channel=self._channel, error=error.message
                )
                is_over = await self._pause()
            except Exception:
                get_log("webhook").exception("delivery_failed", channel=self._channel)
                is_over = await self._pause()

    async def _pause(self) -> bool:
        """Wait after a fault, but at the end, which is told."""
        if not self._is_stopping:
            await self._clock.sleep(LOOK_SECONDS)
        return self._is_stopping

    async def _look(self) -> bool:
        """Try what is due, or wait for something to be; tell whether the work is over."""
        store = self._in_force.wired.store
        heads = await store.read(lambda rows: rows.next_deliveries(self._channel, limit=AT_ONCE))
        now = self._clock.now()
        due = [each for each in heads if is_due(each, now)]
        if self._is_stopping:
            due = [each for each in due if not each.tries]
        if due:
            outcomes = await asyncio.gather(*map(self._try, due), return_exceptions=True)
            for outcome in outcomes:
                if isinstance(outcome, BaseException):
                    raise outcome
        elif not self._is_stopping:
            await self._rest(seconds_until_due(heads, now, at_most=LOOK_SECONDS))
        return self._is_stopping and not due

    async def _rest(self, seconds: float) -> None:
        """Wait so long, or until woken."""
        waits = [
            asyncio.ensure_future(self._clock.sleep(seconds)),
            asyncio.ensure_future(self._woken.wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def _try(self, delivery: Delivery) -> None:
        """Post a reply under the config in force now, and put on record what came of it.

        One that was delivered is not posted again when only the record of it failed.
        """
        delivery_id, webhook = delivery.delivery_id, self._webhook()
        if delivery_id not in self._unrecorded:
            began = self._clock.monotonic()
            posted = await self._post.post(webhook, delivery_id=delivery_id, body=delivery.body)
            if posted.failure:
                await self._commit(partial(self._put_off, delivery, posted))
                return
            self._unrecorded[delivery_id] = round(1000 * (self._clock.monotonic() - began))
        await self._commit(partial(self._conclude, delivery))
        del self._unrecorded[delivery_id]

    def _webhook(self) -> Webhook:
        webhook = self._in_force.wired.config.webhook(self._channel)
        if webhook is None:
            raise LookupError(f"the channel {self._channel!r} is no webhook any more")
        return webhook

    def _conclude(self, delivery: Delivery, tx: Transaction) -> None:
        if tx.end_delivery(delivery.delivery_id):
            self._record(
                tx,
                delivery,
                "reply_delivered",
                latency_ms=self._unrecorded[delivery.delivery_id],
                tries=delivery.tries + 1,
            )

    def _put_off(self, delivery: Delivery, posted: Posted, tx: Transaction) -> None:
        delivery_id, tries = delivery.delivery_id, delivery.tries + 1
        if is_last_try(delivery, tx.now):
            if tx.give_up(delivery_id, failure=posted.failure):
                self._record(tx, delivery, "reply_undelivered", outcome=posted.failure, tries=tries)
            self._keep_bounded(tx)
            return
        due_at = next_try_at(
            tx.now, tries=tries, wait_seconds=posted.wait_seconds, jitter=self._jitter()
        )
        is_there = tx.put_off(delivery_id, failure=posted.failure, due_at=due_at)
        if is_there and tries == 1:
            self._record(tx, delivery, "reply_delayed", outcome=posted.failure, tries=tries)

    def _keep_bounded(self, tx: Transaction) -> None:
        for oldest in tx.oldest_given_up(self._channel, beyond=MOST_GIVEN_UP):
            tx.end_delivery(oldest.delivery_id)
            self._record(tx, oldest, "reply_discarded", outcome="too_many", tries=oldest.tries)

    def _record(
        self,
        tx: Transaction,
        delivery: Delivery,
        event_type: str,
        *,
        tries: int,
        outcome: str | None = None,
        latency_ms: int | None = None,
    ) -> None:
        wired = self._in_force.wired
        draft = Draft(
            type=event_type,
            brain=wired.config.brain_of(self._channel).name,
            channel=self._channel,
            conversation=tx.conversation_id(self._channel, delivery.conversation),
            exchange=delivery.delivery_id,
            outcome=outcome,
            latency_ms=latency_ms,
            counts={"tries": tries},
        )
        wired.recorder.append(tx, draft)

    async def _commit(self, change: Callable[[Transaction], None]) -> None:
        wired = self._in_force.wired
        await Journal(store=wired.store, recorder=wired.recorder).commit(change)
