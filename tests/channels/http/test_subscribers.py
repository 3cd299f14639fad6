"""The live record for many readers at once: a server in a process of its own, and real sockets."""

import asyncio
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.channels.http.client import Client
from tests.channels.http.followers import Follower
from tests.channels.http.record import digest_of_the_record, head_of
from tests.cli.program import Program
from tests.cli.servers import ollama_server
from tests.cli.test_serve import CONFIG, serving, token
from tests.flows.world import sample

TALKERS = 4
FLAT_BYTES = 8_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """How many read, how many of them stall or come and go, and over how many events at least."""

    readers: int
    stalled: int
    returning: int
    events: int
    events_between: int
    seed: int


SHORT = Crowd(readers=20, stalled=2, returning=3, events=1000, events_between=150, seed=3)
LONG = Crowd(readers=100, stalled=5, returning=10, events=10_000, events_between=400, seed=4)


def document() -> dict[str, Any]:
    return sample(channels=[{"type": "console"}, {"type": "http"}], server={"addr": "127.0.0.1:0"})


async def talk(client: Client, name: str, half: int) -> None:
    """Talk until half of the events are on record."""
    said = {"conversation": name, "text": "hi"}
    while (reply := (await client.ask("POST", "/v1/messages", said)).json)["outcome"] == "answered":
        if await head_of(client) >= half:
            return
    raise AssertionError(reply)


async def write_beside(program: Program, count: int) -> None:
    """Let another process write `count` events to the same store."""
    beside = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "brain", "run", *CONFIG),
        cwd=program.folder,
        env=program.environment(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    await beside.communicate(b"/help\n" * count)
    assert beside.returncode == 0


def memory_of(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    statm = Path(f"/proc/{pid}/statm")
    if statm.exists():
        return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True)
    return int(told.stdout) * 1024


async def read_all(program: Program, pid: int, port: int, crowd: Crowd) -> tuple[int, int]:
    """Let the crowd read while talks and another process write; return the memory early and late.

    Late is when the others have everything, and the stalled ones still wait with all that came.
    """
    dice = random.Random(crowd.seed)  # noqa: S311 - moments, no secrets
    client, released = Client(port, token(program)), asyncio.Event()

    def follower(**more: Any) -> Follower:
        return Follower(port, client.token, **more)

    stalled = [follower(stalls=released) for _ in range(crowd.stalled)]
    returning = [
        follower(leaves_after=lambda: dice.randrange(1, 2 * crowd.events_between))
        for _ in range(crowd.returning)
    ]
    others = crowd.readers - crowd.stalled - crowd.returning
    going_on = [*returning, *(follower() for _ in range(others))]
    early = 0
    async with asyncio.TaskGroup() as group:
        waiting = [group.create_task(each.follow_to(crowd.events)) for each in stalled]
        reading = [group.create_task(each.follow_to(crowd.events)) for each in going_on]
        half = crowd.events // 2
        talking = [group.create_task(talk(client, f"talk-{n}", half)) for n in range(TALKERS)]
        await follower().follow_to(half // 2)
        early = await asyncio.to_thread(memory_of, pid)
        await asyncio.wait(talking)
        await write_beside(program, crowd.events - half)
        await asyncio.wait(reading)
        late = await asyncio.to_thread(memory_of, pid)
        assert not any(task.done() for task in waiting)
        released.set()
    assert min(each.connections for each in returning) > 2
    assert {each.connections for each in going_on[crowd.returning :]} == {1}
    whole = await digest_of_the_record(client, crowd.events)
    assert {each.digest for each in (*going_on, *stalled)} == {whole}
    return early, late


@pytest.mark.proves("P9")
@pytest.mark.parametrize(
    "crowd",
    [
        pytest.param(SHORT, id="short"),
        pytest.param(LONG, id="long", marks=[pytest.mark.long, pytest.mark.timeout(1800)]),
    ],
)
async def test_stalled_and_returning_readers_among_many_lose_nothing_and_memory_stays_flat(
    tmp_path: Path, crowd: Crowd
) -> None:
    with ollama_server("--model", "llama3.2", "--reply", "Hello.", "--forget") as url:
        program = Program(folder=tmp_path, environ={"OLLAMA_HOST": url})
        program.write("talk.json", document())
        with serving(program) as (process, _, port):
            early, late = await read_all(program, process.pid, port, crowd)

    assert late - early < FLAT_BYTES, (early, late)
