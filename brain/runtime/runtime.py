"""Runtime.handle: the front door. A message goes in, a reply comes out, whatever happens between.

Order: repeat, expiry, trigger, command, agent. Commands do not queue; exchanges of one
conversation do.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Final, TypeVar

from brain.activity import Draft, Journal
from brain.agent import Apart, Exchange, Loaded
from brain.clock import Clock
from brain.commands import Parsed, parse
from brain.config import Channel, Config
from brain.errors import StoreError
from brain.ids import new_id
from brain.log import get_log
from brain.models import Standing
from brain.records import Inbound, JSONValue, Reader, Reply
from brain.runtime.apart import apart_exchange, arrive_apart, receive
from brain.runtime.cleaning import Cleaner
from brain.runtime.desk import Desk
from brain.runtime.in_force import InForce, Wired, doorway
from brain.runtime.intake import (
    Arrival,
    Attendance,
    Doorway,
    FindPlace,
    Refusal,
    arrive,
    arrive_after_cut,
    begin,
    drop,
    exchange_of,
    leave,
    line_up,
)
from brain.runtime.judging import Judge
from brain.runtime.outbox import waiting_shape
from brain.runtime.outlook import command_context
from brain.runtime.reload import Reload
from brain.runtime.replies import SoFar, failed, refused
from brain.runtime.turnstile import Place, TooManyWaiting, Turnstile
from brain.runtime.warmth import Warmth
from brain.store import Store, Transaction

__all__ = ["Runtime"]

T = TypeVar("T")

WAITING_AT_MOST: Final = 16
"""How many messages of one conversation may wait behind the one being answered."""

LEAVING_SECONDS: Final = 2.0
"""How long recording that a sender left may hold up whoever ends the wait."""


class Runtime:
    """Takes messages in and answers them. Opened by `open_runtime`, which closes it as well."""

    def __init__(self, in_force: InForce, reload: Reload, cleaner: Cleaner) -> None:
        self.in_force = in_force
        self.reload = reload
        self._cleaner = cleaner
        self._cleaning: asyncio.Task[None] | None = None
        self._turnstile = Turnstile(waiting_at_most=WAITING_AT_MOST)
        self._warmth = Warmth(in_force)
        self._under_way: set[tuple[str, str]] = set()
        self._ends_at = inf

    @property
    def config(self) -> Config:
        """The config in force; a reload puts another one in its place."""
        return self._wired.config

    @property
    def _wired(self) -> Wired:
        return self.in_force.wired

    @property
    def clock(self) -> Clock:
        """The clock of this runtime."""
        return self._wired.clock

    @property
    def store(self) -> Store:
        """The store of this runtime, for those who list and verify."""
        return self._wired.store

    def desk(self, sender: str) -> Desk:
        """Return the operator's doors to the store, for `sender`, under the config in force."""
        wired = self._wired
        return Desk(
            config=wired.config,
            store=wired.store,
            recorder=wired.recorder,
            executor=wired.executor,
            clock=wired.clock,
            sender=sender,
            cleaner=self._cleaner,
        )

    async def waiting(self) -> Sequence[Mapping[str, JSONValue]]:
        """Return how much waits on each channel whose senders do not wait."""
        found = await self.store.read(lambda rows: rows.waiting())
        return waiting_shape(found, self.config)

    def judge(self) -> Judge:
        """Return what says how calls are decided under the config in force; it changes nothing."""
        wired = self._wired
        return Judge(config=wired.config, policies=wired.policies, executor=wired.executor)

    async def handle(
        self,
        inbound: Inbound,
        on_text: Callable[[str], None] | None = None,
        *,
        apart: Apart | None = None,
        attendance: Attendance | None = None,
    ) -> Reply:
        """Answer one message. `on_text` gets the pieces of an answer as they come.

        One that is `apart` belongs to no conversation and leaves no turn. A failure is a reply,
        never an exception; only cancelling the call raises. `attendance` is for a message whose
        sender does not wait for the answer, or who is told of one that is cancelled.
        """
        attendance = attendance or Attendance()
        exchange_id = attendance.exchange_id or new_id()
        so_far = SoFar(exchange_id=exchange_id, reader=Reader(is_operator=inbound.is_operator))
        attendance = replace(attendance, on_effects=so_far.hear)
        try:
            with self.in_force.use() as wired:
                door = doorway(wired, inbound, exchange_id, attendance)
                so_far.reader = door.reader
                if apart is not None:
                    return await self._answer_apart(wired, door, apart, on_text or _unheard)
                return await self._handle(wired, door, on_text or _unheard)
        except StoreError as error:
            get_log("runtime").error("store_failed", exchange=exchange_id, error=error.message)
            return so_far.not_stored(error)
        except TooManyWaiting as error:
            await self._record_dropped(inbound, exchange_id)
            told = error.told(is_operator=inbound.is_operator)
            return replace(failed(exchange_id, told, code="busy"), outcome="busy")
        except Exception:
            get_log("runtime").exception("exchange_failed", exchange=exchange_id)
            await self._record_fault(inbound, exchange_id)
            return so_far.fault()
        except asyncio.CancelledError:
            attendance.on_cut(so_far.cut())
            raise

    def keep_warm(self) -> None:
        """Load the models that will be asked first and read their prompts, while nobody waits.

        It is done once now, and again for what a reload changed. A message that comes meanwhile
        puts an end to it for its brain.
        """
        self._warmth.begin(self._wired.agents)
        self.reload.warm_with(self._warmth.begin)

    async def standings(self) -> Mapping[str, tuple[Standing, ...]]:
        """Return how the models of each brain stand."""
        return {name: await lineup.standings() for name, lineup in self._wired.lineups.items()}

    async def ask_models(self, brain: str) -> tuple[Standing, ...]:
        """Ask the models of a brain that were not asked yet, and return how all of them stand."""
        lineup = self._wired.lineups[brain]
        standings = await lineup.standings()
        is_known = all(standing.state != "unasked" for standing in standings)
        return standings if is_known else await lineup.prove()

    def begin(self) -> None:
        """Begin what runs in the background for as long as the runtime is open."""
        self._cleaning = asyncio.create_task(self._cleaner.follow())

    def hurry(self, seconds: float) -> None:
        """Have the stop that is coming wait for nothing in the background for longer from now on."""
        self._ends_at = self.clock.monotonic() + seconds

    async def stop(self) -> None:
        """End what runs in the background. Exchanges have ended before, or are cancelled."""
        if self._cleaning is not None:
            left = self._ends_at - self.clock.monotonic()
            await self._cleaner.settle(at_most_seconds=max(0.0, left))
            self._cleaning.cancel()
            await asyncio.gather(self._cleaning, return_exceptions=True)
        await self._warmth.stop()

    async def _handle(self, wired: Wired, door: Doorway, on_text: Callable[[str], None]) -> Reply:
        """Answer a message, unless one of its id is being answered now."""
        inbound = door.inbound
        if inbound.message_id is None:
            return await self._take_up(wired, door, on_text)
        key = (inbound.channel, inbound.message_id)
        if key in self._under_way:
            await self._write(lambda tx: drop(tx, door, why="repeated"))
            return refused(door.exchange_id, "repeated")
        self._under_way.add(key)
        try:
            return await self._take_up(wired, door, on_text)
        finally:
            self._under_way.remove(key)

    async def _take_up(self, wired: Wired, door: Doorway, on_text: Callable[[str], None]) -> Reply:
        config, channel = wired.config, door.channel
        parsed = _parse(door.inbound.text, config, channel)
        find_place = arrive
        while parsed.kind == "trigger" and parsed.rest:  # a further one would cut nothing
            parsed = _parse(parsed.rest, config, channel)
            find_place = arrive if parsed.kind == "trigger" else arrive_after_cut
        if parsed.kind == "text":
            return await self._answer(wired, door, parsed.rest, on_text, find_place)
        arrival = await self._arrive_for_command(door, find_place)
        if arrival.refused:
            return refused(door.exchange_id, arrival.refused)
        return await wired.commands.run(parsed, await command_context(wired, door, arrival))

    async def _answer_apart(
        self, wired: Wired, door: Doorway, apart: Apart, on_text: Callable[[str], None]
    ) -> Reply:
        parsed = _parse(door.inbound.text, wired.config, door.channel)
        if parsed.kind != "text":
            arrival = await self._arrive_for_command(door, arrive_apart)
            return await wired.commands.run(parsed, await command_context(wired, door, arrival))
        actor_id = await self._write(lambda tx: receive(tx, door))
        exchange = apart_exchange(door, apart, actor_id, parsed.rest)
        async with self._warmth.asked(door.brain.name):
            return await wired.agents[door.brain.name].answer(exchange, on_text)

    async def _arrive_for_command(self, door: Doorway, find_place: FindPlace) -> Arrival:
        """Return the place of a command; without ids where the store fails, so that help helps."""
        try:
            return await self._write(lambda tx: find_place(tx, door))
        except StoreError as error:
            get_log("runtime").error("store_failed", exchange=door.exchange_id, error=error.message)
            return Arrival(conversation_id="", actor_id="", session=0)

    async def _answer(
        self,
        wired: Wired,
        door: Doorway,
        text: str,
        on_text: Callable[[str], None],
        find_place: FindPlace,
    ) -> Reply:
        inbound = door.inbound
        with self._turnstile.join((inbound.channel, inbound.conversation)) as place:
            lined_up: Arrival | None = None
            if not place.is_first:
                lined_up = await self._wait(door, text, find_place, place)
                if lined_up.refused:
                    return refused(door.exchange_id, lined_up.refused)
            async with door.attendance.turn:

                def take_in(tx: Transaction) -> Arrival:
                    return begin(tx, door, text, find_place, lined_up)

                return await self._exchange(wired, door, on_text, take_in, lined_up)

    async def _wait(self, door: Doorway, text: str, find_place: FindPlace, place: Place) -> Arrival:
        """Take a message in that is not first, and wait until it is its turn."""
        arrival: Arrival | None = None

        def take_in(tx: Transaction) -> Arrival:
            nonlocal arrival
            arrival = line_up(tx, door, text, find_place)
            return arrival

        try:
            lined_up = await self._write(take_in)
            if not lined_up.refused:
                await place.wait()
        except asyncio.CancelledError as stop:
            if arrival is not None and stop.__cause__ is None:
                await self._record_left(door, arrival)
            raise
        return lined_up

    async def _exchange(
        self,
        wired: Wired,
        door: Doorway,
        on_text: Callable[[str], None],
        take_in: Callable[[Transaction], Arrival],
        lined_up: Arrival | None,
    ) -> Reply:
        """Have a message answered, now that it is its turn."""
        agent = wired.agents[door.brain.name]
        load = agent.loading()
        arrival, is_begun = lined_up, False

        def take_in_and_load(tx: Transaction) -> tuple[Exchange, Loaded | None] | Refusal:
            nonlocal arrival
            arrival = take_in(tx)
            if arrival.refused:
                return arrival.refused
            generation = tx.talk_generation(arrival.conversation_id) or 0
            exchange = exchange_of(door, arrival, generation)
            return exchange, None if load is None else load(tx, exchange)

        try:
            taken = await self._write(take_in_and_load)
            if isinstance(taken, str):
                return refused(door.exchange_id, taken)
            exchange, loaded = taken
            async with self._warmth.asked(door.brain.name):
                is_begun = True  # from here on the agent records how it ends
                reply = await agent.answer(exchange, on_text, loaded)
        except asyncio.CancelledError as stop:
            is_stored = stop.__cause__ is None or lined_up is not None
            if arrival is not None and not is_begun and is_stored:
                await self._record_left(door, arrival)
            raise
        if any(effect.kind == "saved" for effect in reply.effects):
            self._warmth.go_on(door.brain.name, exchange)
        return reply

    async def _write(self, change: Callable[[Transaction], T]) -> T:
        return await Journal(store=self._wired.store, recorder=self._wired.recorder).commit(change)

    async def _record_left(self, door: Doorway, arrival: Arrival) -> None:
        """Record that a sender left who waited, whoever cancels meanwhile, for a while at most."""
        change = self._record(lambda tx: leave(tx, door, arrival), door.exchange_id)
        await asyncio.wait({asyncio.create_task(change)}, timeout=LEAVING_SECONDS)

    async def _record_dropped(self, inbound: Inbound, exchange_id: str) -> None:
        door = doorway(self._wired, inbound, exchange_id)
        await self._record(lambda tx: drop(tx, door, why="busy"), exchange_id)

    async def _record_fault(self, inbound: Inbound, exchange_id: str) -> None:
        draft = Draft(
            type="exchange_failed",
            channel=inbound.channel,
            exchange=exchange_id,
            outcome="internal",
            revision=self._wired.config.revision,
        )
        await self._record(lambda tx: self._wired.recorder.append(tx, draft), exchange_id)

    async def _record(self, change: Callable[[Transaction], object], exchange_id: str) -> None:
        """Write what is told to the person in any case; where it fails, the log has it."""
        try:
            await self._write(change)
        except StoreError as error:
            get_log("runtime").error("store_failed", exchange=exchange_id, error=error.message)


def _parse(text: str, config: Config, channel: Channel) -> Parsed:
    triggers = config.session.triggers if config.session else ()
    return parse(text, triggers=triggers, channel_type=channel.type)


def _unheard(text: str) -> None:
    """Nobody listens while the answer comes: a pipe prints it whole."""
