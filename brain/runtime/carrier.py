"""Delivers what waits in the outbox of one channel: at least once, the replies of a talk in order."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """What came of a post, which is not on record yet."""

    posted: Posted
    latency_ms: int


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
        self._stopping = asyncio.Event()
        self._stops_at = inf
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._unrecorded: dict[str, _Tried] = {}
        self._tried_at_stop: set[str] = set()

    @property
    def _clock(self) -> Clock:
        return self._in_force.wired.clock

    def wake(self) -> None:
        """Let it look now: a reply was put into the outbox."""
        self._woken.set()

    def stop(self, *, at: float) -> None:
        """Let it end once every reply that was not tried yet was, at that moment of the clock at last."""
        self._stops_at = at
        self._stopping.set()
        self.wake()

    async def run(self) -> None:
        """Deliver until it is told to stop. Whatever fails, what waits is looked at again.

        A post that has no answer when the time to stop is over is broken off; it comes again.
        """
        try:
            while (left := self._stops_at - self._clock.monotonic()) > 0:
                self._woken.clear()
                seconds = await self._send_out()
                if self._stopping.is_set() and not (self._under_way or self._woken.is_set()):
                    return
                await self._rest(min(seconds, left), self._woken)
        finally:
            tasks = tuple(self._under_way.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send_out(self) -> float:
        """Send out what is due, as far as there is room; return when to look again at the latest."""
        store, room = self._in_force.wired.store, AT_ONCE - len(self._under_way)
        limit = 2 * AT_ONCE + len(self._tried_at_stop)
        busy = frozenset(self._under_way)  # what ends during the read is in it as it stood before
        try:
            heads = await store.read(lambda rows: rows.next_deliveries(self._channel, limit=limit))
        except StoreError as error:
            self._log_store(error)
            return LOOK_SECONDS
        now = self._clock.now()
        waiting = [each for each in heads if each.delivery_id not in busy]
        due = [each for each in waiting if is_due(each, now)]
        for delivery in [each for each in due if self._is_wanted(each)][:room]:
            task = asyncio.create_task(self._deliver(delivery))
            self._under_way[delivery.delivery_id] = task
            if self._stopping.is_set():
                self._tried_at_stop.add(delivery.delivery_id)
            task.add_done_callback(partial(self._end, delivery.delivery_id))
        later = [each for each in waiting if each not in due]
        return seconds_until_due(later, now, at_most=LOOK_SECONDS)

    def _is_wanted(self, delivery: Delivery) -> bool:
        """Tell whether to try it: at the end once, if it was not tried or that is not on record.

        Its row can't be asked whether that was done: the store may be what fails.
        """
        if not self._stopping.is_set():
            return True
        delivery_id = delivery.delivery_id
        is_open = not delivery.tries or delivery_id in self._unrecorded
        return is_open and delivery_id not in self._tried_at_stop

    def _end(self, delivery_id: str, _: asyncio.Task[None]) -> None:
        del self._under_way[delivery_id]
        self.wake()

    async def _rest(self, seconds: float, until: asyncio.Event) -> None:
        """Wait so long, or until that has come."""
        waits = [
            asyncio.ensure_future(self._clock.sleep(seconds)),
            asyncio.ensure_future(until.wait()),
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
        await self._rest(LOOK_SECONDS, self._stopping)

    def _log_store(self, error: StoreError) -> None:
        get_log("webhook").error("outbox_failed", channel=self._channel, error=error.message)

    async def _try(self, delivery: Delivery) -> None:
        """Post a reply under the config in force now, and put on record what came of it.

        Where only the record of it failed, that alone is made up for: one post, one record.
        """
        delivery_id = delivery.delivery_id
        tried = self._unrecorded.get(delivery_id)
        if tried is None:
            tried = self._unrecorded[delivery_id] = await self._post_once(delivery)
        await self._commit(partial(self._conclude, delivery, tried))
        del self._unrecorded[delivery_id]

    async def _post_once(self, delivery: Delivery) -> _Tried:
        webhook, began = self._webhook(), self._clock.monotonic()
        try:
            posted = await self._post.post(
                webhook, delivery_id=delivery.delivery_id, body=delivery.body
            )
        except Exception:  # a fault of ours, which is put off and given up as any other failure
            get_log("webhook").exception("post_failed", channel=self._channel)
            posted = Posted(failure="unsendable")
        return _Tried(posted=posted, latency_ms=round(1000 * (self._clock.monotonic() - began)))

    def _webhook(self) -> Webhook:
        webhook = self._in_force.wired.config.webhook(self._channel)
        if webhook is None:
            raise LookupError(f"the channel {self._channel!r} is no webhook any more")
        return webhook

    def _conclude(self, delivery: Delivery, tried: _Tried, tx: Transaction) -> None:
        if tried.posted.failure:
            self._put_off(delivery, tried.posted, tx)
        elif tx.end_delivery(delivery.delivery_id):
            self._record(
                tx,
                delivery,
                "reply_delivered",
                latency_ms=tried.latency_ms,
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
