"""Exchanges beside the yardstick's, in alternating rounds: plain, with a note, many at once."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from brain.clock import SystemClock
from brain.records import Box
from brain.runtime import Runtime
from tests.benchmarks.lines import percentile, print_line, watched_load
from tests.benchmarks.product import opened, say
from tests.benchmarks.server import ANSWER, Server
from tests.benchmarks.yardstick import NOTE_TOOL, Yardstick

__all__ = ["at_once", "first_token", "plain", "with_note"]

Say = Callable[[str, str], Awaitable[object]]
_PAUSE_SECONDS = 0.06  # in which what runs after an answer ends, outside of what is measured


@dataclass
class Cost:
    """What the exchanges of one side cost, each for itself."""

    cpu_ms: list[float] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)

    @property
    def cpu(self) -> float:
        return statistics.median(self.cpu_ms)

    @property
    def p50(self) -> float:
        return statistics.median(self.wall_ms)


@dataclass(frozen=True, kw_only=True)
class Both:
    """The product and the yardstick, open."""

    runtime: Runtime
    yardstick: Yardstick

    async def product(self, talk: str, text: str) -> None:
        reply = await say(self.runtime, talk, text)
        if not reply.text.startswith(ANSWER):
            raise RuntimeError(f"the answer was {reply.text!r}")

    async def measure(self, talk: str, text: str) -> None:
        answer = await self.yardstick.say(talk, text)
        if answer != ANSWER:
            raise RuntimeError(f"the yardstick's answer was {answer!r}")


@asynccontextmanager
async def both(server: Server, *, model: str) -> AsyncIterator[Both]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tools = [NOTE_TOOL] if model == "calls" else []
        yardstick = Yardstick(server.url, folder / "yardstick.db", model=model, tools=tools)
        try:
            async with opened(folder, server.url, model=model) as runtime:
                yield Both(runtime=runtime, yardstick=yardstick)
        finally:
            await yardstick.close()


async def _round(
    say_one: Say, cost: Cost, *, exchanges: int, after: Callable[[], Awaitable[None]]
) -> None:
    for number in range(exchanges):
        cpu, wall = time.process_time(), time.perf_counter()
        await say_one("main", f"Question {number} of a round")
        cost.wall_ms.append((time.perf_counter() - wall) * 1000)
        cost.cpu_ms.append((time.process_time() - cpu) * 1000)
        await after()


async def _nothing() -> None:
    pass


async def _pause() -> None:
    await SystemClock().sleep(_PAUSE_SECONDS)


async def plain(server: Server, *, is_quick: bool) -> None:
    """One conversation, a plain answer."""
    async with both(server, model="answers") as sides:
        await _compare(server, sides, "plain_exchange", is_quick=is_quick)


async def with_note(server: Server, *, is_quick: bool) -> None:
    """One conversation, a note stored and an answer.

    Between exchanges the box is emptied, and the prompt that the note changed is read into the
    model's cache; that is not measured. The yardstick pauses as long, so that both run as cold.
    """
    async with both(server, model="calls") as sides:
        box = Box(brain="assistant", scope="conversation", channel="console", conversation="main")

        async def empty() -> None:
            await sides.runtime.store.write(lambda tx: tx.clear_box(box))
            await _pause()

        await _compare(server, sides, "tool_exchange", is_quick=is_quick, after=empty, rest=_pause)


async def _compare(
    server: Server,
    sides: Both,
    name: str,
    *,
    is_quick: bool,
    after: Callable[[], Awaitable[None]] = _nothing,
    rest: Callable[[], Awaitable[None]] = _nothing,
) -> None:
    rounds, exchanges = (4, 25) if is_quick else (10, 50)
    ours, theirs = Cost(), Cost()
    for say_one in (sides.product, sides.measure):
        await _round(say_one, Cost(), exchanges=12, after=after)  # connections, caches, history
    with watched_load(server.pid) as load:
        for _ in range(rounds):
            await _round(sides.measure, theirs, exchanges=exchanges, after=rest)
            await _round(sides.product, ours, exchanges=exchanges, after=after)
    more = {"exchanges": rounds * exchanges}
    print_line(
        f"{name}_cpu", value=ours.cpu / theirs.cpu, target=1.0, load=load,
        ours_ms=ours.cpu, yardstick_ms=theirs.cpu, **more,
    )  # fmt: skip
    print_line(
        f"{name}_p50", value=ours.p50 / theirs.p50, target=1.3, load=load,
        ours_ms=ours.p50, yardstick_ms=theirs.p50, **more,
    )  # fmt: skip


async def at_once(server: Server, *, is_quick: bool) -> None:
    """64 conversations at once."""
    talks, exchanges = 64, (4 if is_quick else 12)
    async with both(server, model="answers") as sides:
        for say_one in (sides.measure, sides.product):
            await _crowd(say_one, talks=talks, exchanges=2)
        rates: dict[str, list[float]] = {"ours": [], "theirs": []}
        p95s: dict[str, list[float]] = {"ours": [], "theirs": []}
        cpus: dict[str, list[float]] = {"ours": [], "theirs": []}
        with watched_load(server.pid) as load:
            for _ in range(2 if is_quick else 3):
                for name, say_one in (("theirs", sides.measure), ("ours", sides.product)):
                    began = time.process_time()
                    rate, p95 = await _crowd(say_one, talks=talks, exchanges=exchanges)
                    spent = (time.process_time() - began) * 1000 / (talks * exchanges)
                    rates[name].append(rate)
                    p95s[name].append(p95)
                    cpus[name].append(spent)
    rate = {name: statistics.median(each) for name, each in rates.items()}
    p95 = {name: statistics.median(each) for name, each in p95s.items()}
    cpu = {name: statistics.median(each) for name, each in cpus.items()}
    print_line(
        "at_once_rate", value=rate["ours"] / rate["theirs"], target=4.0, load=load, at_least=True,
        ours_per_second=rate["ours"], yardstick_per_second=rate["theirs"], conversations=talks,
        cpu_ratio=cpu["ours"] / cpu["theirs"],
    )  # fmt: skip
    print_line(
        "at_once_p95", value=p95["ours"] / p95["theirs"], target=0.25, load=load,
        ours_ms=p95["ours"], yardstick_ms=p95["theirs"], conversations=talks,
    )  # fmt: skip


async def _crowd(say_one: Say, *, talks: int, exchanges: int) -> tuple[float, float]:
    """Exchanges a second and the 95th percentile of one, in milliseconds; one that fails raises."""
    durations: list[float] = []

    async def talk(number: int) -> None:
        for turn in range(exchanges):
            began = time.perf_counter()
            await say_one(f"talk {number}", f"Question {turn}")
            durations.append((time.perf_counter() - began) * 1000)

    began = time.perf_counter()
    await asyncio.gather(*(talk(number) for number in range(talks)))
    return talks * exchanges / (time.perf_counter() - began), percentile(durations, 0.95)


async def first_token(server: Server, *, is_quick: bool) -> None:
    """Until the first piece of a streamed answer is shown, beside the raw client's first part."""
    import ollama

    rounds = 100 if is_quick else 400
    ours: list[float] = []
    raw: list[float] = []
    client = ollama.AsyncClient(host=server.url, trust_env=False)
    async with both(server, model="answers") as sides:
        for number in range(12):
            await sides.product("main", f"Question {number}")
        messages = [{"role": "user", "content": "Question"}] * 11
        with watched_load(server.pid) as load:
            for number in range(rounds):
                began = time.perf_counter()
                stream = await client.chat("answers", messages, stream=True)
                first = True
                async for _ in stream:
                    if first:
                        raw.append((time.perf_counter() - began) * 1000)
                        first = False
                came: list[float] = []
                began = time.perf_counter()
                await say(
                    sides.runtime, "main", f"Question {number}",
                    on_text=lambda _, came=came: came.append(time.perf_counter()),
                )  # fmt: skip
                ours.append((came[0] - began) * 1000)
    await client.close()
    added = percentile(ours, 0.95) - statistics.median(raw)
    print_line(
        "first_token_added_p95_ms", value=added, target=5.0, load=load,
        ours_p50_ms=statistics.median(ours), ours_p95_ms=percentile(ours, 0.95),
        raw_p50_ms=statistics.median(raw), raw_p95_ms=percentile(raw, 0.95), exchanges=rounds,
    )  # fmt: skip
