"""From saved to enforced: how long until a grant that was saved decides, beside watchfiles' defaults.

The store syncs every commit, as shipped. What is timed ends when the new policy is in force. The
yardstick is the same runtime behind a watch with the debounce that watchfiles has by default; the
sides alternate, save by save.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from brain.clock import SystemClock
from brain.config.watch import DEFAULT_PACE, Pace
from brain.models import ScriptedModel
from brain.runtime import Runtime, open_runtime
from tests.benchmarks.lines import percentile, print_line, watched_load
from tests.benchmarks.server import Server
from tests.flows.saving import Outcomes, by_rename, in_place
from tests.flows.world import grant, sample, written

__all__ = ["reload"]

THEIRS = Pace(step_ms=50, debounce_ms=1600)
_PAUSE_SECONDS = 0.05  # a person does not save while the last save is taken up

Save = Callable[[Path, Any], None]


class Side:
    """A runtime that follows its file at one pace."""

    def __init__(self, path: Path, runtime: Runtime, outcomes: Outcomes) -> None:
        self._path = path
        self._runtime = runtime
        self._outcomes = outcomes
        self._saves = 0

    async def enforced_ms(self, save: Save) -> float:
        """Save another mode of a grant; return how long until it is in force."""
        self._saves += 1
        document = grant(sample(), "memory_note", ("shadow", "allow", "deny")[self._saves % 3])
        self._outcomes.all.clear()
        began = time.perf_counter()
        save(self._path, document)
        await self._outcomes.applied()
        return (time.perf_counter() - began) * 1000


@asynccontextmanager
async def _opened(pace: Pace) -> AsyncIterator[Side]:
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        config = written(folder, sample())
        model = ScriptedModel(clock=clock, name="ollama/llama3.2")
        runtime = await stack.enter_async_context(
            open_runtime(config, clock=clock, environ={}, open_model=lambda _: model)
        )
        outcomes = Outcomes()
        runtime.reload.tell_to(outcomes.hear)
        following = asyncio.create_task(runtime.reload.follow(pace=pace))
        try:
            await clock.sleep(0.3)  # until the folders are watched
            yield Side(folder / "brain.json", runtime, outcomes)
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


async def reload(server: Server, *, is_quick: bool) -> None:
    """Saved to enforced, by rename and in place."""
    saves = 20 if is_quick else 100
    clock = SystemClock()
    async with _opened(DEFAULT_PACE) as ours, _opened(THEIRS) as theirs:
        for name, save, target in (("by_rename", by_rename, 25.0), ("in_place", in_place, 40.0)):
            our_ms: list[float] = []
            their_ms: list[float] = []
            with watched_load(server.pid) as load:
                for _ in range(saves):
                    our_ms.append(await ours.enforced_ms(save))
                    await clock.sleep(_PAUSE_SECONDS)
                    their_ms.append(await theirs.enforced_ms(save))
                    await clock.sleep(_PAUSE_SECONDS)
            print_line(
                f"reload_{name}_p95", value=percentile(our_ms, 0.95), target=target, load=load,
                p50_ms=percentile(our_ms, 0.5), saves=saves,
                default_debounce_p50_ms=percentile(their_ms, 0.5),
                default_debounce_p95_ms=percentile(their_ms, 0.95),
            )  # fmt: skip
