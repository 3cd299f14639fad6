"""A server that is killed in the middle of exchanges: what it acknowledged is there."""

import asyncio
import json
import random
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.channels.http.client import Client, free_port
from tests.channels.http.followers import Follower
from tests.channels.http.record import digest_of_the_record, head_of
from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED, saves
from tests.cli.test_serve import CONFIG, FOLDER, config, serving, token

TALKERS = 3
EVENTS_BETWEEN_KILLS = 70
REPLIES = [saves("takes tea"), "Noted."] * 200


@dataclass(kw_only=True)
class Talks:
    """What was sent to the server and what it acknowledged, whatever became of it since."""

    port: int
    names: "count[int]" = field(default_factory=count)
    saved: set[str] = field(default_factory=set)
    answered: int = 0

    async def talk(self, client: Client) -> None:
        """Send messages, each to a talk of its own, until the server is gone."""
        with suppress(OSError, EOFError, json.JSONDecodeError):
            while True:
                name = f"talk-{next(self.names)}"
                said = {"conversation": name, "text": "Remember: tea."}
                reply: Any = (await client.ask("POST", "/v1/messages", said)).json
                self.answered += 1
                if any(effect["kind"] == "saved" for effect in reply["effects"]):
                    self.saved.add(name)


async def kill_while_talking(
    program: Program, port: int, *, exchanges: int, dice: random.Random
) -> tuple[Talks, Follower, int]:
    """Kill the server again and again, at events that the dice choose, until so much was answered.

    Return the talks, who has followed the record all the while, and how often it was killed.
    """
    talks, kills, follower, following = Talks(port=port), 0, None, None
    while talks.answered < exchanges:
        with serving(program) as (process, _, _):
            client = Client(port, token(program))
            if follower is None:
                follower = Follower(port, client.token)
                following = asyncio.create_task(follower.follow_to(10**9))
            talking = [asyncio.create_task(talks.talk(client)) for _ in range(TALKERS)]
            dies_at = await head_of(client) + dice.randrange(10, 2 * EVENTS_BETWEEN_KILLS)
            while follower.last < dies_at:
                assert following is not None
                assert not following.done(), following.exception()
                assert not all(each.done() for each in talking)
                await asyncio.sleep(0)
            process.kill()
            kills += 1
            await asyncio.gather(*talking)
    assert follower is not None
    assert following is not None
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    return talks, follower, kills


def edit_one_byte(path: Path, seq: int) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE events SET at = substr(at, 1, 22) || "
            "CASE substr(at, 23, 1) WHEN '0' THEN '1' ELSE '0' END || substr(at, 24) WHERE seq = ?",
            (seq,),
        )
        assert connection.execute("SELECT changes()").fetchone() == (1,)


@pytest.mark.proves("P4", "P9")
@pytest.mark.parametrize(
    "exchanges",
    [30, pytest.param(100, marks=[pytest.mark.long, pytest.mark.timeout(600)])],
)
async def test_a_killed_server_loses_no_note_and_no_event_that_it_acknowledged(
    tmp_path: Path, exchanges: int
) -> None:
    program, port = Program(folder=tmp_path, environ=ALLOW_SCRIPTED), free_port()
    dice = random.Random(exchanges)  # noqa: S311 - moments, no secrets
    program.write("talk.json", config(*REPLIES, server={"addr": f"127.0.0.1:{port}"}))

    talks, follower, kills = await kill_while_talking(program, port, exchanges=exchanges, dice=dice)
    with serving(program):
        client = Client(port, token(program))
        boxes = {
            name: await client.ask(
                "GET", f"/v1/brains/assistant/notes?channel=http&conversation={name}"
            )
            for name in talks.saved
        }
        head = await head_of(client)
        async with asyncio.timeout(30):
            await follower.follow_to(head)
        written = await digest_of_the_record(client, head)
    whole = await asyncio.to_thread(program.run, "activity", "--verify", "--json", *CONFIG)
    edited = dice.randrange(1, head)
    edit_one_byte(tmp_path / FOLDER / "brain.db", edited)
    broken = await asyncio.to_thread(program.run, "activity", "--verify", "--json", *CONFIG)

    assert kills >= exchanges // 20
    assert len(talks.saved) >= exchanges // 2
    assert [name for name, box in boxes.items() if len(box.json["notes"]) != 1] == []
    assert follower.connections > kills
    assert follower.digest == written
    assert (whole.returncode, json.loads(whole.stdout)["is_whole"]) == (0, True)
    found = json.loads(broken.stdout)
    assert (broken.returncode, found["is_whole"], found["first_bad"]) == (1, False, edited)
