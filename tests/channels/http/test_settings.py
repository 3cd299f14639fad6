"""The config over HTTP: a text is replaced whole, applied once, or nothing changes."""

import json
import stat
from pathlib import Path

import pytest

from tests.channels.http.client import open_served, web
from tests.flows.world import grant


async def test_the_text_and_its_etag_are_those_of_the_file(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        answer = await served.client.ask("GET", "/v1/config")
        again = await served.client.ask("GET", "/v1/config")

    assert answer.body == (tmp_path / "brain.json").read_bytes()
    assert answer.headers["etag"] == again.headers["etag"]


@pytest.mark.proves("P10")
async def test_a_switch_is_written_as_it_came_and_applied_once(tmp_path: Path) -> None:
    path = tmp_path / "brain.json"

    async with open_served(tmp_path) as served:
        path.chmod(0o640)
        before = await served.client.ask("GET", "/v1/config")
        text = before.body.replace(b'"mode": "shadow"', b'"mode":    "allow"')
        put = await served.client.ask(
            "PUT", "/v1/config", body=text, If_Match=before.headers["etag"]
        )
        tools = (await served.client.ask("GET", "/v1/brains/assistant/tools")).json["tools"]
        events = await served.world.events("type", "paths")
        after = await served.client.ask("GET", "/v1/config")

    assert (put.status, put.json["kind"]) == (200, "applied")
    assert put.json["paths"] == ["brains[0].agent.governance[1].mode"]
    assert path.read_bytes() == text
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert put.headers["etag"] == after.headers["etag"] != before.headers["etag"]
    assert {each["effect"] for each in tools} == {"allow"}
    applied = [event for event in events if event[0] == "config_applied"]
    assert applied == [("config_applied", ["brains[0].agent.governance[1].mode"])]


async def test_an_invalid_text_changes_nothing_and_every_problem_is_told_with_its_place(
    tmp_path: Path,
) -> None:
    path = tmp_path / "brain.json"

    async with open_served(tmp_path) as served:
        before = await served.client.ask("GET", "/v1/config")
        text = before.body.replace(b'"mode": "shadow"', b'"mode": "shadw"')
        put = await served.client.ask(
            "PUT", "/v1/config", body=text, If_Match=before.headers["etag"]
        )
        events = await served.world.events("type")

    (problem,) = put.json["problems"]
    assert (put.status, put.json["error"]["code"]) == (422, "config_rejected")
    assert problem["path"] == "brains[0].agent.governance[1].mode"
    assert problem["line"] > 1
    assert problem["fix"] == "did you mean 'shadow'?"
    assert path.read_bytes() == before.body
    assert ("config_rejected",) in events


async def test_what_needs_a_restart_is_refused_before_it_is_written(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        before = await served.client.ask("GET", "/v1/config")
        document = json.loads(before.body) | {"log": {"level": "debug"}}
        put = await served.client.ask(
            "PUT", "/v1/config", document, If_Match=before.headers["etag"]
        )

    assert (put.status, put.json["problems"][0]["code"]) == (422, "needs_restart")
    assert (tmp_path / "brain.json").read_bytes() == before.body


@pytest.mark.parametrize(
    ("etag", "status", "code"),
    [
        ("", 428, "no_etag"),
        ('"0000"', 409, "stale_etag"),
        (f'"{"0" * 64}"', 409, "stale_etag"),
        ("*", 409, "stale_etag"),
    ],
)
async def test_a_text_made_from_another_one_is_not_taken(
    tmp_path: Path, etag: str, status: int, code: str
) -> None:
    async with open_served(tmp_path) as served:
        put = await served.client.ask("PUT", "/v1/config", web(), If_Match=etag or "-")

    assert (put.status, put.code) == (status, code)


async def test_a_link_stays_a_link(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        path = tmp_path / "brain.json"
        path.rename(tmp_path / "real.json")
        path.symlink_to("real.json")
        before = await served.client.ask("GET", "/v1/config")
        put = await served.client.ask(
            "PUT", "/v1/config", body=before.body + b"\n", If_Match=before.headers["etag"]
        )

    assert (put.status, put.json["kind"]) == (200, "unchanged")
    assert path.is_symlink()
    assert (tmp_path / "real.json").read_bytes() == before.body + b"\n"


async def test_a_switch_can_be_rehearsed_on_the_record(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        notes = "/v1/brains/assistant/notes?channel=http"
        await served.client.ask("POST", notes, {"text": "tea"})
        same = await served.client.ask("POST", "/v1/config/replay", web())
        other = await served.client.ask(
            "POST", "/v1/config/replay", grant(web(), "memory_note", "deny")
        )
        broken = await served.client.ask("POST", "/v1/config/replay", {"brains": []})
        config = await served.client.ask("GET", "/v1/config")

    assert same.json == {"calls": 1, "other_rule": 0, "homeless": 0, "changed": []}
    (changed,) = other.json["changed"]
    assert (changed["tool"], changed["to"], changed["count"]) == ("memory_note", "deny", 1)
    assert (broken.status, broken.json["error"]["code"]) == (422, "config_rejected")
    assert config.json == web()
