"""One brain with a real store, a real executor, and models that say what they are told to."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from brain import config
from brain.activity import Draft, Recorder
from brain.agent import Agent, Exchange
from brain.config import Grant, Memory, Model, Storage
from brain.errors import ModelError, ModelUnreachable, StoreError
from brain.gate import compile_policy
from brain.ids import new_id
from brain.memory import Provenance, Target, add_note, box_for, forget
from brain.models import (
    CallDelta,
    Capabilities,
    ChatRequest,
    Delta,
    Done,
    Picked,
    Proof,
    TextDelta,
)
from brain.records import Box, Note, Reader, Reply, ToolCall, Turn
from brain.store import EventFilter, EventRow, NewTurn, Snapshot, Store, Transaction, open_store
from brain.tools import Executor
from brain.tools.builtin.memory_note import MemoryNote
from brain.tools.builtin.utc_time import UtcTime
from tests.clocks import FakeClock

T = TypeVar("T")

REVISION = "a" * 64
NATIVE = Capabilities(tools=True, thinking=False, constrained=True, context=8192)
TEXT = replace(NATIVE, tools=False)

ALLOW = (Grant(tool="time", mode="allow"), Grant(tool="memory_note", mode="allow"))
SHADOW = (Grant(tool="time", mode="allow"), Grant(tool="memory_note", mode="shadow"))
AGENT = config.Agent(tools=("time", "memory_note"), governance=ALLOW, memory=Memory())

Step = Delta | ModelError | asyncio.Event | Callable[[], None]
"""What a model does next: say something, fail, wait to be let go on, or let the test act."""

DONE = Done(reason="stop", prompt_tokens=9, reply_tokens=3)


def says(*pieces: str) -> list[Step]:
    return [*(TextDelta(text=piece) for piece in pieces), DONE]


def calls(*names: str, **arguments: Any) -> list[Step]:
    """Native calls, all with the same arguments."""
    made = [ToolCall(id=new_id(), name=name, arguments=arguments) for name in names]
    return [*(CallDelta(call=call) for call in made), DONE]


class ToldModel:
    """Answers each request with the next of its answers, and keeps the requests."""

    def __init__(
        self,
        *answers: Sequence[Step],
        name: str = "scripted/first",
        capabilities: Capabilities = NATIVE,
        is_local: bool = True,
    ) -> None:
        self.name = name
        self.capabilities = capabilities
        self.is_local = is_local
        self.answers = list(answers)
        self.requests: list[ChatRequest] = []
        self.warmed: list[ChatRequest | None] = []
        self.fails_to_warm: ModelError | None = None
        self.left_early = 0
        self.has_paused = asyncio.Event()

    async def prove(self) -> Proof:
        raise NotImplementedError

    async def describe(self) -> Capabilities:
        return self.capabilities

    async def warm(self, request: ChatRequest | None = None) -> None:
        self.warmed.append(request)
        if self.fails_to_warm is not None:
            raise self.fails_to_warm

    async def chat(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        self.requests.append(request)
        self.left_early += 1
        for step in self.answers.pop(0):
            if isinstance(step, ModelError):
                raise step
            if isinstance(step, asyncio.Event):
                self.has_paused.set()
                await step.wait()
            elif callable(step):
                step()
            else:
                yield step
        self.left_early -= 1

    async def close(self) -> None:
        pass


class ToldLineup:
    """Picks the first model that no error stands against."""

    def __init__(self, models: Sequence[ToldModel], clock: FakeClock) -> None:
        self._models = models
        self._clock = clock
        self.down: dict[str, ModelError] = {}
        self.condemned: list[tuple[str, ModelError, list[str]]] = []

    async def pick(self, *, after: str = "") -> Picked:
        names = [model.name for model in self._models]
        passed_over: list[tuple[str, ModelError]] = []
        for model in self._models[names.index(after) + 1 if after else 0 :]:
            if model.name in self.down:
                passed_over.append((model.name, self.down[model.name]))
                continue
            return Picked(
                model=model,
                capabilities=model.capabilities,
                proof=Proof(
                    proof_id=f"proof-{names.index(model.name)}",
                    model=model.name,
                    is_local=model.is_local,
                    steps=(),
                    digest="d",
                    at=self._clock.now(),
                ),
                passed_over=tuple(passed_over),
            )
        raise passed_over[0][1] if passed_over else ModelUnreachable("no further model")

    async def condemn(
        self, model: str, error: ModelError, *, exchange_id: str = "", note_ids: Sequence[str] = ()
    ) -> None:
        self.condemned.append((model, error, list(note_ids)))


class CountedStore:
    """The store, and how many commits it made; it refuses writes when told to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.commits = 0
        self.fail_from: int | None = None
        self.fail_once = False

    async def write(self, change: Callable[[Transaction], T]) -> T:
        if self.fail_from is not None and self.commits >= self.fail_from:
            raise StoreError("the disk is full")
        if self.fail_once:
            self.fail_once = False
            raise StoreError("the disk is full")
        self.commits += 1
        return await self._store.write(change)

    async def read(self, query: Callable[[Snapshot], T]) -> T:
        return await self._store.read(query)

    def on_commit(self, wake: Callable[[], None]) -> Callable[[], None]:
        return self._store.on_commit(wake)

    async def close(self) -> None:
        await self._store.close()


class World:
    """A talk with one brain: `say` is what the runtime does with an inbound."""

    def __init__(
        self, *, store: Store, clock: FakeClock, models: Sequence[ToldModel], brain: config.Brain
    ) -> None:
        self.store = CountedStore(store)
        self.brain = brain
        self.models = models
        self.model = models[0]
        self.lineup = ToldLineup(models, clock)
        self.recorder = Recorder(run_id=new_id(), revision=REVISION)
        self.shown: list[str] = []
        self.clock = clock
        policy = compile_policy(brain, revision=REVISION)
        executor = Executor(
            tools={"time": UtcTime(clock=clock), "memory_note": MemoryNote(recorder=self.recorder)},
            policy_in_force=lambda _: policy,
            clock=clock,
        )
        self.agent = Agent(
            brain=brain,
            lineup=self.lineup,  # type: ignore[arg-type]
            executor=executor,
            store=self.store,
            recorder=self.recorder,
            clock=clock,
            policy=lambda: policy,
        )

    def box(self, channel: str = "console") -> Box:
        memory = self.brain.agent.memory if self.brain.agent else None
        box = box_for(self.brain.name, memory, channel, "main")
        assert box is not None
        return box

    async def take_in(
        self, text: str, *, channel: str = "console", is_tainted: bool = False
    ) -> Exchange:
        """Store the user's turn, as the runtime does before it asks the agent."""
        exchange_id = new_id()

        def change(tx: Transaction) -> Exchange:
            conversation_id = tx.open_conversation(channel, "main")
            actor_id = tx.open_actor(channel, "owner")
            session = tx.active_session(conversation_id) or tx.start_session(conversation_id)
            turn_id = tx.add_turn(
                NewTurn(
                    conversation_id=conversation_id,
                    session=session.number,
                    role="user",
                    text=text,
                    brain=self.brain.name,
                    sensitivity=self.brain.sensitivity,
                    exchange_id=exchange_id,
                    sender="owner",
                    is_tainted=is_tainted,
                )
            )
            received = Draft(type="message_received", exchange=exchange_id, revision=REVISION)
            self.recorder.append(tx, received)
            return Exchange(
                exchange_id=exchange_id,
                channel=channel,
                conversation="main",
                conversation_id=conversation_id,
                actor_id=actor_id,
                sender="owner",
                session=session.number,
                turn_id=turn_id,
                text=text,
                reader=Reader(),
                revision=REVISION,
            )

        return await self.store.write(change)

    async def say(self, text: str, *, channel: str = "console", is_tainted: bool = False) -> Reply:
        self.shown.clear()
        exchange = await self.take_in(text, channel=channel, is_tainted=is_tainted)
        return await self.agent.answer(exchange, self.shown.append)

    async def talk(self, *lines: tuple[str, str]) -> None:
        """Say lines and get answers, so that there is a history."""
        for said, answer in lines:
            self.model.answers.append(says(answer))
            assert (await self.say(said)).text == answer

    async def keep(self, *texts: str, channel: str = "console") -> None:
        """Store notes as the operator would."""
        memory = self.brain.agent.memory if self.brain.agent else None
        assert memory is not None
        for text in texts:
            await self.store.write(
                lambda tx, text=text: add_note(
                    tx,
                    self.recorder,
                    box=self.box(channel),
                    memory=memory,
                    text=text,
                    note_origin="operator",
                    by=self._operator(channel),
                )
            )

    async def clear_notes(self) -> None:
        await self.store.write(
            lambda tx: forget(
                tx,
                self.recorder,
                Target(kind="box", box=self.box()),
                by=self._operator("console"),
            )
        )

    def _operator(self, channel: str) -> Provenance:
        return Provenance(
            brain=self.brain.name,
            sensitivity=self.brain.sensitivity,
            channel=channel,
            origin="operator",
            revision=REVISION,
        )

    async def turns(self, session: int = 1, channel: str = "console") -> tuple[Turn, ...]:
        def query(snapshot: Any) -> tuple[Turn, ...]:
            conversation_id = snapshot.conversation_id(channel, "main")
            return tuple(
                snapshot.turns(conversation_id, session, limit=1000, may_read_private=True)
            )

        return await self.store.read(query)

    async def lines(self, session: int = 1) -> list[tuple[str, str]]:
        """Return role and text of each stored turn; a cut one ends in `…`."""
        turns = await self.turns(session)
        return [(turn.role, turn.text + ("…" if turn.is_cut else "")) for turn in turns]

    async def notes(self) -> tuple[Note, ...]:
        return await self.store.read(
            lambda snapshot: snapshot.notes(self.box(), may_read_private=True)
        )

    async def events(self, *types: str) -> tuple[EventRow, ...]:
        return await self.store.read(
            lambda snapshot: snapshot.events(EventFilter(types=types), limit=10_000)
        )

    async def types(self) -> list[str]:
        return [str(event["type"]) for event in await self.events()]


def settings_of(model: ToldModel, **fields: Any) -> Model:
    provider, _, model_id = model.name.partition("/")
    assert provider == "scripted"
    locality = "local" if model.is_local else "cloud"
    return Model(provider="scripted", model_id=model_id, locality=locality, **fields)


@asynccontextmanager
async def open_world(
    folder: Path,
    clock: FakeClock,
    *models: ToldModel,
    agent: config.Agent | None = AGENT,
    model_fields: dict[str, Any] | None = None,
    **brain_fields: Any,
) -> AsyncIterator[World]:
    brain = config.Brain(
        **{
            "name": "assistant",
            "sensitivity": "private",
            "models": tuple(settings_of(model, **(model_fields or {})) for model in models),
            "agent": agent,
            **brain_fields,
        }
    )
    async with open_store(Storage(path=folder / "home" / "brain.db"), clock=clock) as store:
        yield World(store=store, clock=clock, models=models, brain=brain)
