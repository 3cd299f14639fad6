"""What is in force: the one reference that a reload swaps, and who still stands on former ones."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass

from brain.activity import Recorder
from brain.agent import Agent
from brain.clock import Clock
from brain.commands import Commands
from brain.config import Config
from brain.gate import Policy
from brain.models import ChatModel, Lineup
from brain.records import Inbound
from brain.runtime.intake import Attendance, Doorway
from brain.store import Store
from brain.tools import Executor

__all__ = ["InForce", "Wired", "doorway"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wired:
    """The parts of one config, built by `brain.runtime.wiring`. Agents and lineups by brain."""

    config: Config
    store: Store
    recorder: Recorder
    clock: Clock
    executor: Executor
    commands: Commands
    agents: Mapping[str, Agent]
    lineups: Mapping[str, Lineup]
    policies: Mapping[str, Policy]


@dataclass(slots=True, kw_only=True, eq=False)
class _Held:
    """Parts, and how many exchanges stand on them."""

    wired: Wired
    users: int = 0


def doorway(
    wired: Wired, inbound: Inbound, exchange_id: str, attendance: Attendance | None = None
) -> Doorway:
    """Return what taking `inbound` in needs, under the config of these parts."""
    config = wired.config
    return Doorway(
        inbound=inbound,
        exchange_id=exchange_id,
        brain=config.brain_of(inbound.channel),
        channel=config.channel(inbound.channel),
        rules=config.session,
        zone=wired.clock.zone(),
        revision=config.revision,
        recorder=wired.recorder,
        attendance=attendance or Attendance(),
    )


class InForce:
    """Holds the parts in force. An exchange keeps those it began with until it ends.

    Models that no parts in use have any more are closed when their last exchange has ended; the
    rest are closed by `close`.
    """

    def __init__(self) -> None:
        self._all: list[_Held] = []
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def wired(self) -> Wired:
        """The parts in force now."""
        return self._all[-1].wired

    def swap(self, wired: Wired) -> None:
        """Put `wired` in force. Nothing of it is seen before, nothing of the former after."""
        self._all.append(_Held(wired=wired))
        self._drop_unused()

    @contextmanager
    def use(self) -> Iterator[Wired]:
        """Stand on the parts in force now for as long as the block lasts."""
        held = self._all[-1]
        held.users += 1
        try:
            yield held.wired
        finally:
            held.users -= 1
            self._drop_unused()

    def policy(self, brain: str) -> Policy:
        """Return the policy of this moment. A brain that is no longer there is granted nothing."""
        wired = self.wired
        return wired.policies.get(brain) or Policy(
            brain=brain,
            revision=wired.config.revision,
            sensitivity="private",
            tools=frozenset(),
            modes={},
            taint="deny",
        )

    async def discard(self, wired: Wired) -> None:
        """Close what was made for parts that did not come into force."""
        kept = _models(self._all)
        made = _models([_Held(wired=wired)])
        await _close({key: model for key, model in made.items() if key not in kept})

    async def close(self) -> None:
        """Close every model, also where one can't be."""
        await asyncio.gather(*self._closing, return_exceptions=True)
        models = _models(self._all)
        self._all = self._all[-1:]
        await _close(models)

    def _drop_unused(self) -> None:
        gone = [held for held in self._all[:-1] if not held.users]
        if not gone:
            return
        self._all = [held for held in self._all if held not in gone]
        left = _models(self._all)
        models = {key: model for key, model in _models(gone).items() if key not in left}
        task = asyncio.create_task(_close(models))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


def _models(all_held: list[_Held]) -> dict[int, ChatModel]:
    """Return the models of these parts, each once, by what tells one object from another."""
    return {
        id(model): model
        for held in all_held
        for lineup in held.wired.lineups.values()
        for model in lineup.models
    }


async def _close(models: Mapping[int, ChatModel]) -> None:
    async with AsyncExitStack() as stack:
        for model in models.values():
            stack.push_async_callback(model.close)
