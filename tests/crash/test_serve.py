"""A server that is killed in the middle of exchanges: what it acknowledged is there."""

import http.client
import json
import threading
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED, saves
from tests.cli.test_serve import CONFIG, ask, config, serving, token

ROUNDS = 3
CLIENTS = 2
SAVED_PER_ROUND = 5


def talk(program: Program, port: int, names: "count[int]", saved: set[str]) -> None:
    """Send messages, each to a talk of its own, until the server is gone."""
    headers = {
        "Authorization": f"Bearer {token(program)}",
        "Content-Type": "application/json",
    }
    with suppress(OSError, http.client.HTTPException):
        while True:
            name = f"talk-{next(names)}"
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            body = json.dumps({"conversation": name, "text": "Remember: tea."})
            connection.request("POST", "/v1/messages", body, headers)
            reply: Any = json.loads(connection.getresponse().read())
            if any(effect["kind"] == "saved" for effect in reply["effects"]):
                saved.add(name)
            connection.close()


def is_alive(talker: threading.Thread) -> bool:
    return talker.is_alive()


@pytest.mark.proves("P4", "P9")
def test_a_killed_server_loses_no_note_and_no_event_that_it_acknowledged(tmp_path: Path) -> None:
    scripted = Program(folder=tmp_path, environ=ALLOW_SCRIPTED)
    replies = [saves("takes tea"), "Noted."] * 300
    scripted.write("talk.json", config(*replies))
    names, saved, known = count(), set[str](), 0

    for _ in range(ROUNDS):
        with serving(scripted) as (process, _, port):
            before = len(saved)
            talkers = [
                threading.Thread(target=talk, args=(scripted, port, names, saved))
                for _ in range(CLIENTS)
            ]
            for talker in talkers:
                talker.start()
            while len(saved) < before + SAVED_PER_ROUND and any(map(is_alive, talkers)):
                known = ask(scripted, port, "GET", "/v1/activity?limit=1")["head"]
            process.kill()
            for talker in talkers:
                talker.join()

    verified = scripted.run("activity", "--verify", "--json", *CONFIG)
    with serving(scripted) as (_, _, port):
        boxes = {
            name: ask(
                scripted,
                port,
                "GET",
                f"/v1/brains/assistant/notes?channel=http&conversation={name}",
            )
            for name in saved
        }
    found = json.loads(verified.stdout)
    assert len(saved) >= ROUNDS * SAVED_PER_ROUND
    assert [name for name, box in boxes.items() if len(box["notes"]) != 1] == []
    assert (verified.returncode, found["is_whole"]) == (0, True)
    assert found["head_seq"] >= known
