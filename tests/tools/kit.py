"""A desk with a real store and a real executor, and tools written for tests."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from brain.activity import Journal, Recorder
from brain.config import Brain, Grant, Memory, Storage, ToolAttributes
from brain.gate import compile_policy
from brain.memory import box_for
from brain.records import Conversation, JSONValue, Mode, Rehearsal, ToolCall, ToolSpec
from brain.store import EventFilter, Store, Transaction, open_store
from brain.tools import CallContext, Calls, Executor, Tool, ToolOutcome
from brain.tools.builtin.calc import Calc
from brain.tools.builtin.echo import Echo
from brain.tools.builtin.memory_note import MemoryNote
from brain.tools.builtin.utc_time import UtcTime
from tests.clocks import FakeClock
from tests.gate.brains import brain_with

CONVERSATION = "c" * 32
ACTOR = "a" * 32
EXCHANGE = "e" * 32
LISTED = ("calc", "echo", "fetch", "memory_note", "time")


@dataclass(kw_only=True)
class Fetch:
    """A tool with an effect outside. `does` is what it does when it runs; a future is awaited."""

    does: Callable[[], Any] = lambda: "a page"
    attributes: ToolAttributes = field(default_factory=lambda: ToolAttributes(network=True))
    spec: ToolSpec = field(
        default_factory=lambda: ToolSpec(
            name="fetch",
            description="Fetch a page.",
            parameters={
                "type": "object",
                "properties": {"url": {"type": "string"}},
                "required": ["url"],
            },
        )
    )
    contexts: list[CallContext] = field(default_factory=list)
    started: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, arguments: Mapping[str, JSONValue], context: CallContext) -> ToolOutcome:
        self.contexts.append(context)
        self.started.set()
        result = self.does()
        if asyncio.isfuture(result):
            result = await result
        return ToolOutcome(text=result)

    def rehearse(self, _: Mapping[str, JSONValue], /) -> str:
        return "would have fetched a page"


@dataclass(kw_only=True)
class Desk:
    """One brain at work: change `brain` to change the policy in force."""

    store: Store
    recorder: Recorder
    clock: FakeClock
    executor: Executor
    fetch: Fetch
    brain: Brain

    def context(self, **changes: Any) -> CallContext:
        agent = self.brain.agent
        memory = agent.memory if agent else None
        conversation = changes.get("conversation", "main")
        began = CallContext(
            exchange_id=EXCHANGE,
            brain=self.brain.name,
            sensitivity=self.brain.sensitivity,
            channel="console",
            conversation=conversation,
            conversation_id=CONVERSATION,
            actor_id=ACTOR,
            sender="owner",
            session=1,
            turn_id=7,
            policy=compile_policy(self.brain, revision="began"),
            model="scripted/scripted",
            is_local=True,
            memory=memory,
            box=box_for(self.brain.name, memory, "console", conversation),
        )
        return replace(began, **changes)

    def journal(self) -> Journal:
        return Journal(store=self.store, recorder=self.recorder)

    def begin(self, **changes: Any) -> tuple[Calls, Journal]:
        journal = self.journal()
        return self.executor.begin(self.context(**changes), journal), journal

    async def events(self, *types: str) -> list[dict[str, Any]]:
        """Return the events, of `types` or all, without what the chain adds and what is null.

        Random ids of rows are replaced by `#1`, `#2`, … in the order in which they come up.
        """
        wanted = EventFilter(types=types)
        rows = await self.store.read(lambda snapshot: snapshot.events(wanted, limit=1000))
        chain = {"v", "seq", "id", "at", "run", "prev", "hash"}
        found: list[dict[str, Any]] = [
            {name: value for name, value in row.items() if name not in chain and value is not None}
            for row in rows
        ]
        refs: dict[str, str] = {}
        for event in found:
            if "ref" in event:
                event["ref"] = refs.setdefault(event["ref"], f"#{len(refs) + 1}")
        return found

    async def rehearsals(self) -> tuple[Rehearsal, ...]:
        box = self.context().box
        if box is None:
            return ()
        now = self.clock.now()
        return await self.store.read(lambda snapshot: snapshot.rehearsals(box, now=now))

    async def notes(self) -> list[str]:
        box = self.context().box
        if box is None:
            return []
        found = await self.store.read(lambda snapshot: snapshot.notes(box, may_read_private=True))
        return [note.text for note in found]


def _open_conversation(tx: Transaction) -> None:
    if tx.conversation(CONVERSATION) is None:
        tx.import_conversation(
            Conversation(conversation_id=CONVERSATION, channel="console", conversation="main")
        )


@asynccontextmanager
async def open_desk(
    folder: Path,
    clock: FakeClock,
    *,
    modes: Mapping[str, Mode] | None = None,
    memory: Memory | None = None,
    fetch: Fetch | None = None,
    recorder: Recorder | None = None,
    **brain: Any,
) -> AsyncIterator[Desk]:
    """Open a desk on a real file. Every tool is allowed, but those that `modes` says otherwise."""
    async with open_store(Storage(path=folder / "brain.db"), clock=clock) as store:
        recorder = recorder or Recorder(run_id="run1", revision="now")
        await store.write(_open_conversation)
        outside = fetch or Fetch()
        tools: dict[str, Tool] = {
            "calc": Calc(),
            "echo": Echo(),
            "fetch": outside,
            "memory_note": MemoryNote(recorder=recorder),
            "time": UtcTime(clock=clock),
        }
        grants = [Grant(tool=name, mode=(modes or {}).get(name, "allow")) for name in LISTED]
        desk = Desk(
            store=store,
            recorder=recorder,
            clock=clock,
            executor=Executor(
                tools=tools,
                policy_in_force=lambda _: compile_policy(desk.brain, revision="now"),
                clock=clock,
            ),
            fetch=outside,
            brain=brain_with(*grants, tools=LISTED, memory=memory or Memory(max_notes=3), **brain),
        )
        yield desk


def call(name: str, **arguments: JSONValue) -> ToolCall:
    return ToolCall(id="1", name=name, arguments=arguments)


def calls_of(name: str, values: Sequence[str], argument: str) -> list[ToolCall]:
    return [ToolCall(id=value, name=name, arguments={argument: value}) for value in values]


async def flush(journal: Journal) -> None:
    """Commit what is pending, as the end of an exchange does."""
    await journal.commit(lambda _: None)


def event(event_type: str, **fields: Any) -> dict[str, Any]:
    """Return an event of the model's calls on this desk, as `Desk.events` gives it."""
    common = {
        "type": event_type,
        "brain": "assistant",
        "channel": "console",
        "conversation": CONVERSATION,
        "actor": ACTOR,
        "exchange": EXCHANGE,
        "origin": "model",
        "model": "scripted/scripted",
        "revision": "began",
    }
    return {**common, **fields}


FACTS = {"local": 1, "sensitivity": "private", "tainted": 0, "sensitive": 0, "network": 0}
NO_TOOL_FACTS = {"local": 1, "sensitivity": "private", "tainted": 0}
