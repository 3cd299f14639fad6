"""A talk on one channel with a real store behind it, as the runtime would drive the commands."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from brain.activity import Draft, Recorder
from brain.commands import CommandContext, Commands, parse
from brain.config import (
    Agent,
    Brain,
    Channel,
    Config,
    Grant,
    Memory,
    Model,
    Route,
    SessionRules,
)
from brain.gate import compile_policy
from brain.memory import Opened, cut_session
from brain.records import Reply, Sensitivity, Turn, TurnRole
from brain.store import EventFilter, NewTurn, Store, Transaction
from brain.tools import Executor
from brain.tools.builtin.memory_note import MemoryNote
from brain.tools.builtin.utc_time import UtcTime
from tests.clocks import FakeClock

REVISION = "r" * 8
MODEL = Model(provider="scripted", model_id="scripted", locality="local")
ALLOW_NOTES = (Grant(tool="time", mode="allow"), Grant(tool="memory_note", mode="allow"))


def brain(
    *grants: Grant, memory: Memory | None = None, sensitivity: Sensitivity = "private"
) -> Brain:
    tools = tuple(dict.fromkeys(grant.tool for grant in grants))
    agent = Agent(tools=tools, governance=grants, memory=memory) if tools else None
    return Brain(name="assistant", sensitivity=sensitivity, models=(MODEL,), agent=agent)


def config(the_brain: Brain, session: SessionRules | None = None) -> Config:
    return Config(
        path=Path("/nowhere/brain.json"),
        revision=REVISION,
        data_folder=Path("/nowhere"),
        brains=(the_brain,),
        channels=(Channel(name="console", type="console"), Channel(name="web", type="http")),
        routes=(
            Route(channel="console", brain="assistant"),
            Route(channel="web", brain="assistant"),
        ),
        session=session,
    )


@dataclass(kw_only=True)
class Talk:
    """One conversation. `channel`, `sender` and the rest may be changed between messages."""

    store: Store | None
    clock: FakeClock
    config: Config
    channel: str = "console"
    conversation: str = "main"
    sender: str = "ann"
    is_operator: bool = True
    is_local: bool | None = True
    exchanges: int = 0
    forgot: asyncio.Event = field(default_factory=asyncio.Event)
    recorder: Recorder = field(init=False)
    commands: Commands = field(init=False)
    executor: Executor = field(init=False)

    def __post_init__(self) -> None:
        self.recorder = Recorder(run_id="run", revision=REVISION)
        policy = compile_policy(self.config.brains[0], revision=REVISION)
        self.executor = Executor(
            tools={
                "time": UtcTime(clock=self.clock),
                "memory_note": MemoryNote(recorder=self.recorder),
            },
            policy_in_force=lambda _: policy,
            clock=self.clock,
        )
        self.commands = Commands(
            store=self.store,
            recorder=self.recorder if self.store is not None else None,
            executor=self.executor,
            clock=self.clock,
            forgot=self.forgot.set,
        )

    async def type(self, text: str) -> Reply:
        """Send a message that is no text for the model, the way the runtime does."""
        rules = self.config.session
        context = await self.context()
        parsed = parse(
            text,
            triggers=rules.triggers if rules is not None else (),
            channel_type=self.config.channel(self.channel).type,
        )
        if parsed.kind == "trigger" and parsed.rest:
            await self.cut()
            return await self.type(parsed.rest)
        return await self.commands.run(parsed, context)

    async def cut(self) -> Opened:
        """Open the next session, as a trigger with text after it does."""
        context = await self.context()
        event = Draft(
            type="session_started",
            brain=context.brain.name,
            channel=context.channel.name,
            conversation=context.conversation_id,
            actor=context.actor_id,
            exchange=context.exchange_id,
            revision=REVISION,
        )
        assert self.store is not None
        return await self.store.write(
            lambda tx: cut_session(
                tx, self.recorder, conversation_id=context.conversation_id, event=event
            )
        )

    def place(self) -> CommandContext:
        """Return where the next message comes from, before the store knows of it."""
        self.exchanges += 1
        the_brain = self.config.brains[0]
        return CommandContext(
            config=self.config,
            policy=compile_policy(the_brain, revision=REVISION),
            brain=the_brain,
            channel=self.config.channel(self.channel),
            conversation=self.conversation,
            sender=self.sender,
            is_operator=self.is_operator,
            exchange_id=f"exchange{self.exchanges}",
            model="scripted/scripted",
            is_local=self.is_local,
        )

    async def context(self) -> CommandContext:
        context = self.place()
        if self.store is None:
            return context

        def opened(tx: Transaction) -> CommandContext:
            conversation_id = tx.open_conversation(self.channel, self.conversation)
            active = tx.active_session(conversation_id) or tx.start_session(conversation_id)
            return replace(
                context,
                conversation_id=conversation_id,
                actor_id=tx.open_actor(self.channel, self.sender),
                session=active.number,
            )

        return await self.store.write(opened)

    async def say(
        self,
        role: TurnRole,
        text: str,
        *,
        sensitivity: Sensitivity = "private",
        tainted: bool = False,
    ) -> None:
        """Store one turn of dialogue in the active session."""
        context = await self.context()
        turn = NewTurn(
            conversation_id=context.conversation_id,
            session=context.session,
            role=role,
            text=text,
            brain="assistant",
            sensitivity=sensitivity,
            exchange_id=context.exchange_id,
            is_tainted=tainted,
        )
        await self.open_store.write(lambda tx: tx.add_turn(turn))

    async def turns(self) -> tuple[Turn, ...]:
        """Return every turn of the active session."""
        context = await self.context()
        return await self.open_store.read(
            lambda snapshot: snapshot.turns(
                context.conversation_id, context.session, limit=1000, may_read_private=True
            )
        )

    async def events(self, *fields: str) -> list[Mapping[str, Any]]:
        """Return the named fields of every event, those that are null left out."""
        rows = await self.open_store.read(
            lambda snapshot: snapshot.events(EventFilter(), limit=1000)
        )
        return [{name: row[name] for name in fields if row[name] is not None} for row in rows]

    @property
    def open_store(self) -> Store:
        assert self.store is not None
        return self.store
