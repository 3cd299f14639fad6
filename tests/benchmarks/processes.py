"""Whole processes: how long until the first answer, what a check costs, how much memory is kept."""

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.lines import print_line, watched_load
from tests.benchmarks.product import document, written
from tests.benchmarks.server import ANSWER, Server

__all__ = ["check", "memory", "start"]

_YARDSTICK_START = """
import asyncio, sys
import ollama

async def main():
    client = ollama.AsyncClient(host=sys.argv[1], trust_env=False)
    text = sys.stdin.readline().strip()
    messages = [{"role": "user", "content": text}]
    pieces = []
    async for part in await client.chat("answers", messages, stream=True):
        pieces.append(part.message.content or "")
    print("".join(pieces))
    await client.close()

asyncio.run(main())
"""


async def start(server: Server, *, is_quick: bool) -> None:
    """From the start of `brain run` in a pipe to its first answer, beside `import ollama` and one."""
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as name, watched_load(server.pid) as load:
        path = written(Path(name), document(server.url, model="answers"))
        environment = _installed(Path(name))
        for _ in range(4 if is_quick else 10):
            yardstick = [sys.executable, "-c", _YARDSTICK_START, server.url]
            theirs.append(_run_once(yardstick, environment))
            product = [sys.executable, "-m", "brain", "run", "--config", str(path)]
            ours.append(_run_once(product, environment))
    del theirs[0], ours[0]  # these compiled
    wall = [statistics.median(wall for wall, _ in side) for side in (ours, theirs)]
    cpu = [statistics.median(cpu for _, cpu in side) for side in (ours, theirs)]
    print_line(
        "start_to_first_answer", value=wall[0] / wall[1], target=1.5, load=load,
        ours_s=wall[0], yardstick_s=wall[1], cpu_ratio=cpu[0] / cpu[1],
        ours_cpu_s=cpu[0], yardstick_cpu_s=cpu[1],
    )  # fmt: skip


def _installed(folder: Path) -> dict[str, str]:
    """Return an environment in which modules are compiled once, as where a program is installed."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def _run_once(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds until the answer is read, and CPU seconds of the whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the pipes were not opened")
        process.stdin.write("A question\n")
        process.stdin.close()
        answer = process.stdout.readline().strip()
        seconds = time.perf_counter() - began
    if answer != ANSWER:
        raise RuntimeError(f"the answer was {answer!r}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, _seconds(after) - _seconds(before)


def _seconds(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


async def check(server: Server, *, is_quick: bool) -> None:
    """Processor time of `brain check` of the sample, which asks the server for the proof."""
    sample = _sample(server)
    spent = []
    nothing = []
    with tempfile.TemporaryDirectory() as name, watched_load(server.pid) as load:
        path = written(Path(name), sample)
        environment = _installed(Path(name))
        for _ in range(4 if is_quick else 10):
            nothing.append(_cpu_of([sys.executable, "-c", "pass"], environment))
            command = [sys.executable, "-m", "brain", "check", "--config", str(path)]
            spent.append(_cpu_of(command, environment))
    del spent[0]  # this one compiled
    print_line(
        "check_cpu_s", value=statistics.median(spent), target=0.25, load=load,
        least_s=min(spent), python_alone_s=statistics.median(nothing),
    )  # fmt: skip


def _sample(server: Server) -> dict[str, Any]:
    """Return the config that comes with the product, its Ollama models served by `server`."""
    sample: dict[str, Any] = json.loads(Path("config/brain.json").read_text(encoding="utf-8"))
    for brain in sample["brains"]:
        for model in brain["models"]:
            if model["provider"] == "ollama":
                model.update(base_url=server.url, model_id="answers")
    return sample


def _cpu_of(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return _seconds(resource.getrusage(resource.RUSAGE_CHILDREN)) - _seconds(before)


async def memory(server: Server, *, is_quick: bool) -> None:
    """Memory of a process after many exchanges, each side in a process of its own."""
    few, many = (200, 2_000) if is_quick else (1_000, 10_000)
    with watched_load(server.pid) as load:
        sizes = {
            side: _memory_of(side, server, few=few, many=many) for side in ("product", "yardstick")
        }
    ours, theirs = sizes["product"], sizes["yardstick"]
    more = {"few": few, "many": many}
    print_line(
        "memory_beside_yardstick", value=ours[1] / theirs[1], target=1.4, load=load,
        ours_mb=ours[1], yardstick_mb=theirs[1], **more,
    )  # fmt: skip
    print_line(
        "memory_growth", value=ours[1] / ours[0], target=1.05, load=load,
        after_few_mb=ours[0], after_many_mb=ours[1], **more,
    )  # fmt: skip


def _memory_of(side: str, server: Server, *, few: int, many: int) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.processes", side, server.url, str(few), str(many)],
        check=True,
        capture_output=True,
        text=True,
    )
    first, last = done.stdout.split()
    return float(first), float(last)


def resident_mb() -> float:
    """Return how much memory this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _hold(side: str, url: str, *, few: int, many: int) -> tuple[float, float]:
    """Run exchanges of ten conversations and return the memory after `few` and after `many`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if side == "yardstick":
            from tests.benchmarks.yardstick import Yardstick

            yardstick = Yardstick(url, folder / "yardstick.db", model="answers")
            sizes = []
            for number in range(many):
                await yardstick.say(f"talk {number % 10}", f"Question {number}")
                if number + 1 in (few, many):
                    sizes.append(resident_mb())
            await yardstick.close()
            return sizes[0], sizes[1]
        from tests.benchmarks.product import opened, say

        async with opened(folder, url) as runtime:
            sizes = []
            for number in range(many):
                await say(runtime, f"talk {number % 10}", f"Question {number}")
                if number + 1 in (few, many):
                    sizes.append(resident_mb())
            return sizes[0], sizes[1]


if __name__ == "__main__":
    _side, _url, _few, _many = sys.argv[1:]
    _first, _last = asyncio.run(_hold(_side, _url, few=int(_few), many=int(_many)))
    print(_first, _last)  # noqa: T201 - its output
