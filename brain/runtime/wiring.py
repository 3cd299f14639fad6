"""The one place that builds objects: from a Config to a Runtime, or to the operator's desk."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from brain.activity import Anchor, Draft, Recorder, prune_events
from brain.agent import Agent
from brain.clock import Clock
from brain.commands import Commands
from brain.config import Brain, Config
from brain.gate import Policy, compile_policy
from brain.ids import new_id
from brain.models import (
    Lineup,
    Models,
    OpenModel,
    build_lineup,
    refuse_remote_models,
    refuse_unfit_weights,
)
from brain.runtime.cleaning import Cleaner, places_of
from brain.runtime.desk import Desk
from brain.runtime.ends import end_messages
from brain.runtime.in_force import InForce, Wired
from brain.runtime.judging import Judge
from brain.runtime.mailroom import Mailroom
from brain.runtime.reload import Reload
from brain.runtime.runtime import Runtime
from brain.store import Store, Transaction, open_store
from brain.tools import Executor, Tool, record_interrupted
from brain.tools.builtin.calc import Calc
from brain.tools.builtin.echo import Echo
from brain.tools.builtin.memory_note import MemoryNote
from brain.tools.builtin.utc_time import UtcTime

__all__ = ["judge_of", "open_desk", "open_mailroom", "open_runtime"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Foundation:
    """What the runtime and the desk both stand on; a reload leaves it as it is."""

    store: Store
    recorder: Recorder
    executor: Executor
    clock: Clock
    cleaner: Cleaner


@asynccontextmanager
async def open_runtime(
    config: Config,
    *,
    clock: Clock,
    environ: Mapping[str, str],
    open_model: OpenModel | None = None,
) -> AsyncIterator[Runtime]:
    """Open the store, prove the models, and yield a runtime that answers; close all at the end.

    Raises StoreError, or ConfigError where a model that must be local says that it is not: then
    nothing was started. A model that can't be asked now is out of service, not an error.
    `open_model` makes the models in place of the adapters of their providers.
    """
    async with AsyncExitStack() as stack:
        await asyncio.to_thread(refuse_unfit_weights, config, environ=environ)
        in_force = InForce()
        foundation = await stack.enter_async_context(
            _open_foundation(config, clock=clock, environ=environ, policy_in_force=in_force.policy)
        )
        make = open_model or Models(clock=clock, environ=environ).open
        stack.push_async_callback(in_force.close)
        in_force.swap(_wire(config, foundation, make))
        await stack.enter_async_context(_run(foundation, config, clock))
        await refuse_remote_models(config, in_force.wired.lineups)
        reload = Reload(
            in_force=in_force,
            build=lambda config, former: _wire(config, foundation, make, former),
            environ=environ,
        )
        stack.push_async_callback(reload.stop)
        runtime = Runtime(in_force, reload, foundation.cleaner)
        stack.push_async_callback(runtime.stop)
        runtime.begin()
        yield runtime


@asynccontextmanager
async def open_mailroom(runtime: Runtime, *, environ: Mapping[str, str]) -> AsyncIterator[Mailroom]:
    """Open what answers messages whose sender does not wait, and delivers the replies.

    At its end what was begun is answered and every reply is tried once.
    """
    from brain.channels.webhook.outbound import (
        open_outbound,
    )  # a talk at the terminal posts nothing

    async with open_outbound(environ, clock=runtime.clock) as outbound:
        mailroom = Mailroom(
            in_force=runtime.in_force, handle=runtime.handle, post=outbound, jitter=random.random
        )
        async with mailroom.running():
            yield mailroom


@asynccontextmanager
async def open_desk(
    config: Config, *, clock: Clock, environ: Mapping[str, str], sender: str
) -> AsyncIterator[Desk]:
    """Open the doors to the store of the operator `sender`; no model is made. Raises StoreError."""
    policies = _policies(config)
    async with _open_foundation(
        config, clock=clock, environ=environ, policy_in_force=policies.__getitem__
    ) as foundation:
        yield Desk(
            config=config,
            store=foundation.store,
            recorder=foundation.recorder,
            executor=foundation.executor,
            clock=clock,
            sender=sender,
            cleaner=foundation.cleaner,
        )


def judge_of(config: Config, *, clock: Clock) -> Judge:
    """Return what decides as a runtime of `config` would; it opens and changes nothing."""
    recorder = Recorder(run_id=new_id(), revision=config.revision)
    policies = _policies(config)
    executor = _executor(recorder, clock, policies.__getitem__)
    return Judge(config=config, policies=policies, executor=executor)


@asynccontextmanager
async def _open_foundation(
    config: Config,
    *,
    clock: Clock,
    environ: Mapping[str, str],
    policy_in_force: Callable[[str], Policy],
) -> AsyncIterator[_Foundation]:
    async with open_store(config.storage, clock=clock) as store:
        anchor = Anchor(config.activity.anchor_path if config.storage is not None else None)
        recorder = Recorder(run_id=new_id(), revision=config.revision, anchor=anchor)
        executor = _executor(recorder, clock, policy_in_force)
        places = places_of(config, environ=environ)
        yield _Foundation(
            store=store,
            recorder=recorder,
            executor=executor,
            clock=clock,
            cleaner=Cleaner(store=store, recorder=recorder, clock=clock, places=places),
        )


def _policies(config: Config) -> Mapping[str, Policy]:
    return {brain.name: compile_policy(brain, revision=config.revision) for brain in config.brains}


def _executor(
    recorder: Recorder, clock: Clock, policy_in_force: Callable[[str], Policy]
) -> Executor:
    return Executor(
        tools=builtin_tools(recorder, clock), policy_in_force=policy_in_force, clock=clock
    )


def builtin_tools(recorder: Recorder, clock: Clock) -> Mapping[str, Tool]:
    """Return the tools that brain brings along, by name."""
    tools: tuple[Tool, ...] = (
        UtcTime(clock=clock),
        Echo(),
        Calc(),
        MemoryNote(recorder=recorder),
    )
    return {tool.spec.name: tool for tool in tools}


@asynccontextmanager
async def _run(foundation: _Foundation, config: Config, clock: Clock) -> AsyncIterator[None]:
    """Put the beginning and the end of this process on record, and what dead ones left open."""
    store, recorder = foundation.store, foundation.recorder

    def begin(tx: Transaction) -> tuple[str, ...]:
        dead = tx.dead_runs()
        tx.open_run(recorder.run_id)
        recorder.append(tx, Draft(type="runtime_started"))
        return dead

    def end(tx: Transaction) -> None:
        end_messages(tx, recorder, [recorder.run_id])
        recorder.append(tx, Draft(type="runtime_stopped"))
        tx.close_run(recorder.run_id)

    dead = await store.write(begin)
    if dead:
        await record_interrupted(store, recorder, dead)
        await store.write(lambda tx: _bury(tx, recorder, dead))
    keep_days = config.activity.retain_days
    await prune_events(store, recorder, keep_days=keep_days, now=clock.now())
    try:
        yield
    finally:
        await store.write(end)
        await recorder.anchor.stop(store)


def _bury(tx: Transaction, recorder: Recorder, dead: Sequence[str]) -> None:
    """Put on record what dead runs left open; of two processes that start at once the first does."""
    end_messages(tx, recorder, dead)
    for run_id in dead:
        tx.close_run(run_id)


def _wire(
    config: Config, foundation: _Foundation, make: OpenModel, former: Wired | None = None
) -> Wired:
    """Build the parts of `config`; models whose definition `former` has as well are kept."""
    store, recorder, clock = foundation.store, foundation.recorder, foundation.clock
    policies = _policies(config)
    lineups = {
        brain.name: build_lineup(
            brain, make, store, recorder, clock, _lineup_before(brain.name, former)
        )
        for brain in config.brains
    }
    agents = {
        brain.name: Agent(
            brain=brain,
            lineup=lineups[brain.name],
            executor=foundation.executor,
            store=store,
            recorder=recorder,
            clock=clock,
            policy=partial(policies.__getitem__, brain.name),
        )
        for brain in config.brains
    }
    has_storage = config.storage is not None
    commands = Commands(
        store=store if has_storage else None,
        recorder=recorder if has_storage else None,
        executor=foundation.executor,
        clock=clock,
        forgot=foundation.cleaner.wake,
    )
    return Wired(
        config=config,
        store=store,
        recorder=recorder,
        clock=clock,
        executor=foundation.executor,
        commands=commands,
        agents=agents,
        lineups=lineups,
        policies=policies,
    )


def _lineup_before(brain: str, former: Wired | None) -> tuple[Brain, Lineup] | None:
    if former is None or brain not in former.lineups:
        return None
    return former.config.brain(brain), former.lineups[brain]
