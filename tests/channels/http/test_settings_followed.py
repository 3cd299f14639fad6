"""The config over HTTP while its file is followed: what was refused never comes into force."""

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.clock import SystemClock
from brain.config import watch
from brain.config.reader import Sighting, see
from brain.errors import StoreBusy
from brain.models import ProofStep
from brain.runtime import putting
from brain.store.sqlite import opening
from tests.channels.http.client import Answer, Served, open_served, web
from tests.flows.saving import LIMIT_SECONDS, Outcomes, by_rename, following
from tests.flows.test_reload import PausedModel, config_events
from tests.flows.test_store_in_trouble import lock_held_elsewhere
from tests.flows.world import Document, grant

ALLOWED = grant(web(), "memory_note", "allow")
DENIED = grant(web(), "memory_note", "deny")


@asynccontextmanager
async def followed(folder: Path, **more: Any) -> AsyncIterator[tuple[Served, Outcomes]]:
    """Serve the sample, and follow its file as `brain serve` does."""
    async with (
        open_served(folder, clock=SystemClock(), **more) as served,
        following(served.world.runtime) as outcomes,
    ):
        yield served, outcomes


async def put(served: Served, document: Document) -> Answer:
    before = await served.client.ask("GET", "/v1/config")
    return await served.client.ask("PUT", "/v1/config", document, If_Match=before.headers["etag"])


async def recorded(served: Served, outcomes: Outcomes, path: Path) -> list[tuple[str, list[str]]]:
    """Save a further config, and return what is on record of configs once it is in force.

    What was seen of the file before is judged by then, one after the other.
    """
    outcomes.all.clear()
    by_rename(path, DENIED)
    await outcomes.applied()
    events = await config_events(served.world)
    return [(kind, codes or paths) for kind, _, _, paths, codes in events]


MODE = ["brains[0].agent.governance[1].mode"]


@pytest.mark.proves("P10")
async def test_what_could_not_be_put_on_record_stands_in_no_file_and_is_not_taken_up_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.1)
    path = tmp_path / "brain.json"

    async with followed(tmp_path) as (served, outcomes):
        before = path.stat()
        with lock_held_elsewhere(tmp_path):
            answer = await put(served, ALLOWED)
            after = path.stat()
        events = await recorded(served, outcomes, path)

    assert (answer.status, answer.json["problems"][0]["code"]) == (422, "not_recorded")
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert events == [("config_applied", MODE)]


@pytest.mark.proves("P10")
async def test_a_text_whose_record_came_to_nothing_at_the_end_is_taken_out_of_the_file_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, was_seen = tmp_path / "brain.json", threading.Event()
    refused = json.dumps(ALLOWED).encode()

    def see_and_say(at: Path) -> Sighting:
        found = see(at)
        if found.content == refused:
            was_seen.set()
        return found

    class Failing(putting.Putting):
        """The commit behind the writing of the file fails, after the file was seen."""

        def do(self) -> None:
            super().do()
            assert was_seen.wait(LIMIT_SECONDS)
            raise StoreBusy("the disk is full")

    monkeypatch.setattr(watch, "see", see_and_say)
    async with followed(tmp_path) as (served, outcomes):
        by_rename(path, grant(web(), "time", "deny"))
        await (
            outcomes.applied()
        )  # from here on the file is looked at, and nothing else is waited for
        before = path.read_bytes()
        monkeypatch.setattr("brain.runtime.reload.Putting", Failing)
        answer = await put(served, ALLOWED)
        after = path.read_bytes()
        events = await recorded(served, outcomes, path)

    assert (answer.status, answer.json["problems"][0]["code"]) == (422, "not_recorded")
    assert before == after
    assert [kind for kind, _ in events] == ["config_applied"] * 2


@pytest.mark.proves("P10")
async def test_what_a_proof_refuses_is_rejected_once(tmp_path: Path) -> None:
    path, document = tmp_path / "brain.json", web()
    document["brains"][0]["models"][0]["num_predict"] = 300
    liar = PausedModel([], clock=SystemClock(), name="ollama/llama3.2")
    remote = ProofStep(name="show", outcome="failed", detail="it carries remote_host")

    async with followed(tmp_path, model=liar) as (served, outcomes):
        before = path.stat()
        liar.findings.append(remote)
        answer = await put(served, document)
        after = path.stat()
        events = await recorded(served, outcomes, path)

    assert (answer.status, answer.json["problems"][0]["code"]) == (422, "not_local")
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert events == [("config_rejected", ["not_local"]), ("config_applied", MODE)]


@pytest.mark.proves("P10")
async def test_what_was_put_is_not_read_again_and_a_save_of_the_former_text_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "brain.json"

    async with followed(tmp_path) as (served, outcomes):
        before = path.read_text(encoding="utf-8")
        answer = await put(served, ALLOWED)
        outcomes.all.clear()
        by_rename(path, before)
        back = await outcomes.applied()
        events = await config_events(served.world)

    assert (answer.status, answer.json["kind"]) == (200, "applied")
    assert back.revision == answer.json["revision_before"]
    assert [kind for kind, *_ in events] == ["config_applied"] * 2


async def test_a_text_that_was_saved_meanwhile_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "brain.json"

    class Late(putting.Putting):
        """Somebody saves the file just before it is written."""

        def do(self) -> None:
            by_rename(path, DENIED)
            super().do()

    monkeypatch.setattr("brain.runtime.reload.Putting", Late)
    async with followed(tmp_path) as (served, outcomes):
        answer = await put(served, ALLOWED)
        await outcomes.applied()
        events = await config_events(served.world)

    assert (answer.status, answer.code) == (409, "stale_etag")
    assert json.loads(path.read_bytes()) == DENIED
    assert [kind for kind, *_ in events] == ["config_applied"]


async def test_a_save_that_waited_for_the_store_is_nothing_once_another_one_was_put(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.1)
    path = tmp_path / "brain.json"

    async with followed(tmp_path) as (served, outcomes):
        with lock_held_elsewhere(tmp_path):
            by_rename(path, ALLOWED)
            await outcomes.rejected()
        answer = await put(served, DENIED)
        revision = served.world.runtime.config.revision
        by_rename(path, web())
        await outcomes.applied(web_revision := answer.json["revision_before"])
        events = await config_events(served.world)

    assert answer.json["revision"] == revision
    assert [after for _, after, *_ in events] == [revision, web_revision]
