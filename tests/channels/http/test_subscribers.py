"""The live record for many readers at once: a server in a process of its own, and real sockets."""

import asyncio
import json
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
FLAT_BYTES = 12_000_000
"""Below what queues would hold, and above two batches of events for each reader, which it may."""

STOP_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """How many read, how many of them stall or come and go, and over how many events at least.

    Half of those that stall still do when the server is stopped. `module` is the server: over few
    events one that feels at once that nobody reads, as else the kernel holds them all.
    """

    module: str
    readers: int
    stalled: int
    returning: int
    events: int
    events_between: int
    seed: int


SHORT = Crowd(
    module="tests.cli.narrow",
    readers=28,
    stalled=20,
    returning=3,
    events=1500,
    events_between=150,
    seed=3,
)
LONG = Crowd(
    module="brain",
    readers=100,
    stalled=10,
    returning=10,
    events=10_000,
    events_between=400,
    seed=4,
)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The memory early and late, how the server ended, and the last event on record then."""

    early: int
    late: int
    code: int
    last: str


async def read_all(
    program: Program, process: subprocess.Popen[bytes], port: int, crowd: Crowd
) -> Seen:
    """Let the crowd read while talks and another process write, and stop the server.

    Late is when the others have everything, and the stalled ones still wait with all that came. Then
    one half of them reads on, and the other half is stalled when the server is stopped.
    """
    dice = random.Random(crowd.seed)  # noqa: S311 - moments, no secrets
    client, released, half = Client(port, token(program)), asyncio.Event(), crowd.events // 2

    def follower(**more: Any) -> Follower:
        return Follower(port, client.token, **more)

    stalled = [follower(stalls=released) for _ in range(crowd.stalled // 2)]
    left = [follower(stalls=asyncio.Event()) for _ in range(crowd.stalled - len(stalled))]
    returning = [
        follower(leaves_after=lambda: dice.randrange(1, 2 * crowd.events_between))
        for _ in range(crowd.returning)
    ]
    others = crowd.readers - crowd.stalled - crowd.returning
    going_on = [*returning, *(follower() for _ in range(others))]
    async with asyncio.TaskGroup() as group:
        waiting, leaving, reading = (
            [group.create_task(each.follow_to(crowd.events)) for each in some]
            for some in (stalled, left, going_on)
        )
        talking = [group.create_task(talk(client, f"talk-{n}", half)) for n in range(TALKERS)]
        await follower().follow_to(half // 2)
        early = await asyncio.to_thread(memory_of, process.pid)
        await asyncio.wait(talking)
        await write_beside(program, crowd.events - half)
        await asyncio.wait(reading)
        late = await asyncio.to_thread(memory_of, process.pid)
        assert not any(task.done() for task in (*waiting, *leaving))
        released.set()
        await asyncio.wait(waiting)
        whole = await digest_of_the_record(client, crowd.events)
        process.terminate()
        code = await asyncio.to_thread(process.wait, STOP_SECONDS)
        for task in leaving:
            task.cancel()
    assert min(each.connections for each in returning) > 2
    assert {each.connections for each in (*stalled, *left, *going_on[crowd.returning :])} == {1}
    assert {each.digest for each in (*going_on, *stalled)} == {whole}
    record = json.loads(program.run("activity", "--json", *CONFIG).stdout)
    return Seen(early=early, late=late, code=code, last=record[-1]["type"])


@pytest.mark.proves("P9")
@pytest.mark.parametrize(
    "crowd",
    [
        pytest.param(SHORT, id="short"),
        pytest.param(LONG, id="long", marks=[pytest.mark.long, pytest.mark.timeout(1800)]),
    ],
)
async def test_stalled_and_returning_readers_among_many_lose_nothing_keep_memory_flat_and_do_not_hold_the_stop(
    tmp_path: Path, crowd: Crowd
) -> None:
    with ollama_server("--model", "llama3.2", "--reply", "Hello.", "--forget") as url:
        program = Program(folder=tmp_path, environ={"OLLAMA_HOST": url})
        program.write("talk.json", document())
        with serving(program, module=crowd.module) as (process, _, port):
            seen = await read_all(program, process, port, crowd)

    assert seen.late - seen.early < FLAT_BYTES, seen
    assert (seen.code, seen.last) == (0, "runtime_stopped")
