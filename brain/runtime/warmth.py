"""Prompts are read ahead into the caches of models, while nobody waits for an answer."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from functools import partial

from brain.agent import Exchange
from brain.runtime.in_force import InForce

__all__ = ["Warmth"]


class Warmth:
    """Reads prompts ahead, at most one brain's at a time each, and makes way for every message."""

    def __init__(self, in_force: InForce) -> None:
        self._in_force = in_force
        self._asked: Counter[str] = Counter()
        self._reading: dict[str, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def asked(self, brain: str) -> AsyncIterator[None]:
        """Keep the models of a brain free for the exchange that runs in the block."""
        self._asked[brain] += 1
        try:
            task = self._reading.pop(brain, None)
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            yield
        finally:
            self._asked[brain] -= 1

    def begin(self, brains: Collection[str]) -> None:
        """Read what every talk with these brains begins with, on each channel that leads there."""
        for brain in brains:
            self._read(brain, partial(self._begin, brain))

    def go_on(self, brain: str, exchange: Exchange) -> None:
        """Read the prompt of a talk again: what stands before its history was changed."""
        self._read(brain, partial(self._go_on, brain, exchange))

    async def stop(self) -> None:
        """End what is being read."""
        tasks = tuple(self._reading.values())
        self._reading.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _read(self, brain: str, read: Callable[[], Coroutine[None, None, None]]) -> None:
        """Start it, unless an exchange is using the brain: that one reads the prompt itself."""
        if self._asked[brain]:
            return
        former = self._reading.get(brain)
        if former is not None:
            former.cancel()
        self._reading[brain] = asyncio.create_task(read())

    async def _begin(self, brain: str) -> None:
        with self._in_force.use() as wired:
            for route in wired.config.routes:
                if route.brain == brain:
                    await wired.agents[brain].warm(channel=route.channel)

    async def _go_on(self, brain: str, exchange: Exchange) -> None:
        with self._in_force.use() as wired:
            agent = wired.agents.get(brain)
            if agent is not None:
                await agent.warm(
                    channel=exchange.channel,
                    conversation=exchange.conversation,
                    conversation_id=exchange.conversation_id,
                    session=exchange.session,
                )
