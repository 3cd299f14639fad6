"""Messages whose sender does not wait: accepted at once, answered in their turn, delivered later.

An accepted message is a row until the commit of its reply, which makes a row of the outbox in its
place. After a kill, one that had not begun is answered at the next start. One that had begun is not:
its tools may have run, and would run twice. Its sender is told so, and the record says it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, Self

from brain.activity import Journal
from brain.channels.webhook import delivery_body
from brain.clock import Clock
from brain.config import Config
from brain.errors import BrainError, StoreError
from brain.ids import new_id
from brain.log import get_log
from brain.records import Inbound, Reply
from brain.runtime.backoff import expires
from brain.runtime.carrier import Carrier, Post
from brain.runtime.in_force import InForce, doorway
from brain.runtime.intake import Attendance, drop, is_repeat
from brain.runtime.replies import interrupted
from brain.store import Accepted, Delivery, Transaction

__all__ = ["Acceptance", "Mailroom"]

AT_ONCE: Final = 4
"""How many exchanges whose sender does not wait run at once: the models have others to answer."""

MOST_OF_A_TALK: Final = 16
"""How many messages of one talk may be unanswered."""

MOST_WAITING: Final = 1000
"""How many messages and replies of one channel may wait, before its senders are asked to."""

RETRY_SECONDS: Final = 5.0

FINISH_SECONDS: Final = 4.0
"""How long an answer that was begun may go on once brain stops; then it is cut off."""

STOP_SECONDS: Final = 6.0
"""How long after it was told to stop the last try to deliver has ended: who stops a container waits
for 10 seconds, and the rest of brain has to end as well."""

CUT_SECONDS: Final = 2.0
"""How long telling the sender of an answer that was cut off may hold up a stop."""

_FULL: Final = 100_000  # more rows than all channels together can have waiting

Handle = Callable[..., Awaitable[Reply]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """What became of a message that was offered. Only an accepted one has an exchange."""

    outcome: Literal["accepted", "repeated", "busy", "full", "stopping"]
    exchange_id: str = ""


class _NoRoom(BrainError):
    """The message can't wait here now; nothing of it was kept. The message is the outcome."""


class _Turn:
    """The right of one exchange to run, beside a few others; `is_taken` while it does."""

    def __init__(self, room: asyncio.Semaphore) -> None:
        self._room = room
        self.is_taken = False

    async def __aenter__(self) -> Self:
        await self._room.acquire()
        self.is_taken = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.is_taken = False
        self._room.release()


class Mailroom:
    """Accepts, answers and delivers while `running()` lasts. Built by `open_mailroom`.

    `handle` is the runtime's front door.
    """

    def __init__(
        self, *, in_force: InForce, handle: Handle, post: Post, jitter: Callable[[], float]
    ) -> None:
        self._in_force = in_force
        self._handle = handle
        self._post = post
        self._jitter = jitter
        self._room = asyncio.Semaphore(AT_ONCE)
        self._answering: dict[asyncio.Task[None], _Turn] = {}
        self._carriers: dict[str, Carrier] = {}
        self._is_stopping = False
        self._ending: tuple[asyncio.Task[None], ...] = ()

    @property
    def _config(self) -> Config:
        return self._in_force.wired.config

    async def accept(self, inbound: Inbound) -> Acceptance:
        """Keep a message and have it answered; it is answered once, whatever happens.

        Raises StoreError where it can't be kept; nothing was done then.
        """
        if self._is_stopping:
            return Acceptance(outcome="stopping")
        door = doorway(self._in_force.wired, inbound, new_id())

        def take(tx: Transaction) -> Accepted | None:
            if is_repeat(tx, door):
                return None
            _make_sure_of_room(tx, inbound)
            message = _accepted(inbound, door.exchange_id, tx)
            tx.accept(message)
            return message

        try:
            message = await self._journal().commit(take)
        except _NoRoom as error:
            outcome: Literal["busy", "full"] = "busy" if error.message == "busy" else "full"
            await self._journal().commit(lambda tx: drop(tx, door, why=outcome))
            return Acceptance(outcome=outcome)
        if message is None:
            return Acceptance(outcome="repeated")
        self._begin(message)
        return Acceptance(outcome="accepted", exchange_id=message.exchange_id)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Take up what an earlier process left, and deliver while the block lasts.

        At its end what was begun is answered, or cut off, and every reply is tried once.
        """
        hooks = [each.name for each in self._config.channels if each.webhook is not None]
        self._carriers = {name: self._carrier(name) for name in hooks}
        carrying = [asyncio.create_task(each.run()) for each in self._carriers.values()]
        try:
            await self._take_up()
            yield
            self.stop()
            await asyncio.gather(*self._ending, *carrying)
        finally:
            self._is_stopping = True
            tasks = (*self._answering, *carrying, *self._ending)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def stop(self) -> None:
        """Take no more, and begin to end what was begun, while others who stop do so as well."""
        if not self._ending:
            self._is_stopping = True
            self._ending = (asyncio.create_task(self._finish(self._in_force.wired.clock)),)

    async def _finish(self, clock: Clock) -> None:
        """Answer what was begun, for a while; what waits for its turn is left to the next start."""
        began = clock.monotonic()
        for task, turn in self._answering.items():
            if not turn.is_taken:
                task.cancel()
        too_long = asyncio.create_task(clock.sleep(FINISH_SECONDS))
        while self._answering and not too_long.done():
            await asyncio.wait({too_long, *self._answering}, return_when=asyncio.FIRST_COMPLETED)
        begun = (too_long, *self._answering)
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)
        for carrier in self._carriers.values():
            carrier.stop(at=began + STOP_SECONDS)

    async def _take_up(self) -> None:
        """Go on with what was accepted before; rows of channels that are gone stay as they are."""
        store = self._in_force.wired.store
        for message in await store.read(lambda rows: rows.accepted(limit=_FULL)):
            if message.channel not in self._carriers:
                continue
            if message.has_begun:
                await self._journal().commit(partial(_tell_of_death, message))
            else:
                self._begin(message)

    def _begin(self, message: Accepted) -> None:
        turn = _Turn(self._room)
        task = asyncio.create_task(self._answer(message, turn))
        self._answering[task] = turn
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        del self._answering[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            get_log("webhook").error("accepted_message_failed", exc_info=error)

    async def _answer(self, message: Accepted, turn: _Turn) -> None:
        """Have a message answered and its reply kept."""
        operators = self._config.channel(message.channel).operators
        inbound = _inbound(message, is_operator=message.sender in operators)
        keep, cut = partial(_keep, message), list[Reply]()
        attendance = Attendance(
            exchange_id=message.exchange_id,
            turn=turn,
            is_kept=True,
            is_wanted=lambda rows: rows.is_accepted(message.exchange_id),
            begin=lambda tx: tx.begin_accepted(message.exchange_id),
            keep=keep,
            on_cut=cut.append,
        )
        try:
            reply = await self._handle(inbound, attendance=attendance)
        except asyncio.CancelledError:
            await self._tell_of_cut(message, cut[0] if cut else None)
            raise
        while not await self._is_kept(message, reply) and not self._is_stopping:
            await self._in_force.wired.clock.sleep(RETRY_SECONDS)
        self._carriers[message.channel].wake()

    async def _tell_of_cut(self, message: Accepted, cut: Reply | None) -> None:
        """Let the sender be told of an answer that was cut off, whoever cancels, for a while at most."""

        def change(tx: Transaction) -> None:
            begun = [each.exchange_id for each in tx.accepted(limit=_FULL) if each.has_begun]
            if message.exchange_id in begun:
                _keep(message, tx, interrupted(message.exchange_id, cut))

        telling = asyncio.create_task(self._journal().commit(change))
        telling.add_done_callback(_log_untold)
        await asyncio.wait({telling}, timeout=CUT_SECONDS)

    async def _is_kept(self, message: Accepted, reply: Reply) -> bool:
        """Make sure that the reply waits to be delivered, also where no commit of it came about."""
        store = self._in_force.wired.store
        try:
            if await store.read(lambda rows: rows.is_accepted(message.exchange_id)):
                await self._journal().commit(lambda tx: _keep(message, tx, reply))
        except StoreError as error:
            get_log("webhook").error(
                "reply_not_kept", exchange=message.exchange_id, error=error.message
            )
            return False
        return True

    def _carrier(self, channel: str) -> Carrier:
        return Carrier(
            channel=channel, in_force=self._in_force, post=self._post, jitter=self._jitter
        )

    def _journal(self) -> Journal:
        wired = self._in_force.wired
        return Journal(store=wired.store, recorder=wired.recorder)


def _tell_of_death(message: Accepted, tx: Transaction) -> None:
    """Tell of an exchange that died with its process; that it did is on record since the start."""
    _keep(message, tx, interrupted(message.exchange_id))


def _log_untold(telling: asyncio.Task[None]) -> None:
    """Say that the sender is not told before the next start."""
    if not telling.cancelled() and (error := telling.exception()) is not None:
        get_log("webhook").error("cut_reply_not_kept", error=type(error).__name__)


def _make_sure_of_room(tx: Transaction, inbound: Inbound) -> None:
    """Raise _NoRoom where too much waits; it undoes that the message's id was remembered."""
    if tx.accepted_in(inbound.channel, inbound.conversation) >= MOST_OF_A_TALK:
        raise _NoRoom("busy")
    waiting = [each for each in tx.waiting() if each.channel == inbound.channel]
    if sum(each.unanswered + each.undelivered for each in waiting) >= MOST_WAITING:
        raise _NoRoom("full")


def _accepted(inbound: Inbound, exchange_id: str, tx: Transaction) -> Accepted:
    return Accepted(
        exchange_id=exchange_id,
        channel=inbound.channel,
        conversation=inbound.conversation,
        sender=inbound.sender,
        message_id=inbound.message_id or "",
        text=inbound.text,
        at=tx.now,
    )


def _inbound(message: Accepted, *, is_operator: bool = False) -> Inbound:
    """Return the message as it is answered: that it is no repeat is known already."""
    return Inbound(
        channel=message.channel,
        conversation=message.conversation,
        sender=message.sender,
        text=message.text,
        is_operator=is_operator,
    )


def _keep(message: Accepted, tx: Transaction, reply: Reply) -> None:
    """Put the reply into the outbox in the place of its message, unless that was forgotten."""
    if not tx.end_accepted(message.exchange_id):
        return
    tx.add_delivery(
        Delivery(
            delivery_id=message.exchange_id,
            channel=message.channel,
            conversation=message.conversation,
            sender=message.sender,
            body=delivery_body(_inbound(message), reply, in_reply_to=message.message_id, at=tx.now),
            at=tx.now,
            due_at=tx.now,
            expires_at=expires(tx.now),
        )
    )
