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

STOP_SECONDS: Final = 20.0
"""How long after it was told to stop the last try may begin."""

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
    """Posts the replies of one channel and keeps what came of it.

    A few are under way at once, each of another talk, so that a receiver that hangs on one holds up
    no other.
    """

    def __init__(
        self, *, channel: str, in_force: InForce, post: Post, jitter: Callable[[], float]
    ) -> None:
        self._channel = channel
        self._in_force = in_force
        self._post = post
        self._jitter = jitter
        self._woken = asyncio.Event()
        self._stops_at: float | None = None
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._unrecorded: dict[str, int] = {}

    @property
    def _clock(self) -> Clock:
        return self._in_force.wired.clock

    def wake(self) -> None:
        """Let it look now: a reply was put into the outbox."""
        self._woken.set()

    def stop(self) -> None:
        """Let it end once every reply that is due was tried, for a while at most."""
        self._stops_at = self._clock.monotonic() + STOP_SECONDS
        self.wake()

    async def run(self) -> None:
        """Deliver until it is told to stop. Whatever fails, what waits is looked at again."""
        try:
            while True:
                self._woken.clear()
                seconds = await self._send_out()
                if self._stops_at is not None and not self._under_way:
                    return
                await self._rest(seconds)
        finally:
            tasks = tuple(self._under_way.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send_out(self) -> float:
        """Send out what is due, as far as there is room; return when to look again at the latest."""
        store, room = self._in_force.wired.store, AT_ONCE - len(self._under_way)
        try:
            heads = await store.read(
                lambda rows: rows.next_deliveries(self._channel, limit=2 * AT_ONCE)
            )
        except StoreError as error:
            self._log_store(error)
            return LOOK_SECONDS
        now = self._clock.now()
        waiting = [each for each in heads if each.delivery_id not in self._under_way]
        due = [each for each in waiting if is_due(each, now)]
        for delivery in [each for each in due if self._is_wanted(each)][:room]:
            task = asyncio.create_task(self._deliver(delivery))
            self._under_way[delivery.delivery_id] = task
            task.add_done_callback(partial(self._end, delivery.delivery_id))
        later = [each for each in waiting if each not in due]
        return seconds_until_due(later, now, at_most=LOOK_SECONDS)

    def _is_wanted(self, delivery: Delivery) -> bool:
        """Tell whether there is time for a try: at the end for a first one alone."""
        if self._stops_at is None:
            return True
        return not delivery.tries and self._clock.monotonic() < self._stops_at

    def _end(self, delivery_id: str, _: asyncio.Task[None]) -> None:
        del self._under_way[delivery_id]
        self.wake()

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

    async def _deliver(self, delivery: Delivery) -> None:
        """Try once; after a fault of our own wait, in the place of whoever else could be sent out."""
        try:
            await self._try(delivery)
        except StoreError as error:
            self._log_store(error)
        except Exception:
            get_log("webhook").exception("delivery_failed", channel=self._channel)
        else:
            return
        if self._stops_at is None:
            await self._clock.sleep(LOOK_SECONDS)

    def _log_store(self, error: StoreError) -> None:
        get_log("webhook").error("outbox_failed", channel=self._channel, error=error.message)

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
