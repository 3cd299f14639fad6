"""Single parts: a decision of the gate, durable events, and waits for the disk."""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from brain.clock import SystemClock
from brain.config import Agent, Brain, Grant, Model
from brain.gate import CallFacts, compile_policy, decide
from brain.models.scripted import ScriptedModel, read_script
from brain.records import Inbound
from brain.runtime import open_runtime
from tests.benchmarks import store
from tests.benchmarks.lines import percentile, print_line, watched_load
from tests.benchmarks.product import document, loaded, say
from tests.benchmarks.server import ANSWER, Server
from tests.commits import counted_statements

__all__ = ["decision", "durable_events", "waits_for_disk"]

GRANTS = 50
AT_ONCE = 64


async def decision(server: Server, *, is_quick: bool) -> None:
    """One decision under 50 grants, rule and reason included."""
    names = [f"tool_{number}" for number in range(GRANTS)]
    brain = Brain(
        name="assistant",
        sensitivity="private",
        models=(Model(provider="ollama", model_id="answers", locality="local"),),
        agent=Agent(
            tools=tuple(names),
            governance=tuple(Grant(tool=name, mode="allow") for name in names),
        ),
    )
    policy = compile_policy(brain, revision="r")
    facts = [
        CallFacts(
            tool=name, channel="console", origin="model", is_local=True, is_tainted=False,
            is_sensitive=False, is_network=False, writes_memory=False,
        )
        for name in names
    ]  # fmt: skip
    spent: list[float] = []
    with watched_load() as load:
        for number in range(20_000 if is_quick else 100_000):
            fact = facts[number % GRANTS]
            began = time.perf_counter_ns()
            decide(policy, fact)
            spent.append((time.perf_counter_ns() - began) / 1000)
    print_line(
        "decision_p99_us", value=percentile(spent, 0.99), target=10.0, load=load,
        p50_us=statistics.median(spent), grants=GRANTS,
    )  # fmt: skip


async def durable_events(server: Server, *, is_quick: bool) -> None:
    """Events of 64 writers, each acknowledged after its commit, beside aiosqlite."""
    events = 1_000 if is_quick else 4_000
    with tempfile.TemporaryDirectory() as name, watched_load() as load:
        ours = await store.grouped(Path(name) / "ours.db", events)
        theirs = await store.one_by_one(Path(name) / "theirs.db", events)
    print_line(
        "durable_events_rate", value=ours / theirs, target=10.0, at_least=True, load=load,
        ours_per_second=ours, aiosqlite_per_second=theirs, writers=store.WRITERS, events=events,
    )  # fmt: skip


async def waits_for_disk(server: Server, *, is_quick: bool) -> None:
    """Commits of one exchange, of one with a note, and of many at once; each is one fsync."""
    clock = SystemClock()
    with watched_load() as load, tempfile.TemporaryDirectory() as name:
        noting = {"calls": [{"name": "memory_note", "arguments": {"note": "The sky is blue"}}]}
        content = document(server.url, model="answers")
        config = loaded(Path(name), content)
        model = ScriptedModel(
            [ANSWER, ANSWER, read_script(noting), ANSWER],
            clock=clock,
            name="ollama/answers",
            repeats=True,
        )
        with counted_statements() as seen:
            async with open_runtime(
                config, clock=clock, environ={}, open_model=lambda _: model
            ) as runtime:
                counts = []
                for text in ("first", "plain", "with a note"):
                    seen.clear()
                    await say(runtime, "main", text)
                    counts.append(seen.commits)
                seen.clear()
                inbounds = [
                    Inbound(
                        channel="console", conversation=f"talk {number}", sender="owner",
                        is_operator=True, text="hello",
                    )
                    for number in range(AT_ONCE)
                ]  # fmt: skip
                await asyncio.gather(*(runtime.handle(inbound) for inbound in inbounds))
                at_once = seen.commits / AT_ONCE
    print_line("commits_plain", value=counts[1], target=2, load=load)
    print_line("commits_with_note", value=counts[2], target=3, load=load)
    print_line("commits_at_once", value=at_once, target=0.5, load=load, conversations=AT_ONCE)
