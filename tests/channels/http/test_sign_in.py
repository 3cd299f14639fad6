"""Signing a page in: a code for a secret, once, and how a secret ends."""

import json
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.channels.http.client import Served, open_served, web

ALIVE = {"": "alive"}
REDEEM = "/v1/sign-in/redeem"


async def signed_in(served: Served) -> str:
    code = (await served.client.ask("POST", "/v1/sign-in")).json["code"]
    answer = await served.client.ask("POST", REDEEM, {"code": code}, bearer="")
    assert answer.status == 201
    token: str = answer.json["token"]
    return token


async def status(served: Served, bearer: str) -> int:
    return (await served.client.ask("GET", "/v1/brains", bearer=bearer)).status


async def test_a_code_is_good_once_and_for_a_minute(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        given = (await served.client.ask("POST", "/v1/sign-in")).json
        once, twice = [
            await served.client.ask("POST", REDEEM, {"code": given["code"]}, bearer="")
            for _ in range(2)
        ]
        late = (await served.client.ask("POST", "/v1/sign-in")).json
        served.clock.advance(60)
        too_late = await served.client.ask("POST", REDEEM, {"code": late["code"]}, bearer="")

        assert given["expires_in_seconds"] == 60
        assert await status(served, once.json["token"]) == 200
    assert [(each.status, each.code) for each in (twice, too_late)] == [(401, "wrong_code")] * 2


async def test_a_page_stays_signed_in_over_a_restart_and_its_secret_is_in_no_file(
    tmp_path: Path,
) -> None:
    async with open_served(tmp_path) as served:
        token = await signed_in(served)
    kept = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
    holding = [path.name for path in kept if token.encode() in path.read_bytes()]
    async with open_served(tmp_path) as served:
        assert await status(served, token) == 200

    assert holding == []
    assert "server.pages" in {path.name for path in kept}


async def test_twelve_hours_without_use_end_it(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        token = await signed_in(served)
        served.clock.advance(11 * 3600)
        used = await status(served, token)
        served.clock.advance(11 * 3600)
        used_again = await status(served, token)
        served.clock.advance(12 * 3600 + 1)

        assert (used, used_again) == (200, 200)
        assert await status(served, token) == 401


async def test_signing_out_and_another_operator_token_end_it(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        token = await signed_in(served)
        out = await served.client.ask("DELETE", "/v1/sign-in", bearer=token)
        assert (out.status, await status(served, token)) == (204, 401)
        other = await signed_in(served)
        config = await served.client.ask("DELETE", "/v1/sign-in")
        assert (config.status, config.code) == (409, "not_signed_in")
    (tmp_path / "state" / "server.token").unlink()
    async with open_served(tmp_path) as served:
        assert await status(served, other) == 401


async def test_a_user_gets_no_code(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        answer = await served.client.ask("POST", "/v1/sign-in", bearer="ana-token")

    assert (answer.status, answer.code) == (403, "operator_only")


@pytest.mark.parametrize("end", ["signing out", "twelve hours", "a reload"])
async def test_a_feed_ends_with_the_token_that_opened_it_and_other_feeds_go_on(
    tmp_path: Path, end: str
) -> None:
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(open_served(tmp_path))
        token = "vice-token" if end == "a reload" else await signed_in(served)
        ending, going_on = [
            await stack.enter_async_context(
                served.client.stream("/v1/activity", Authorization=f"Bearer {each}")
            )
            for each in (token, served.client.token)
        ]
        for stream in (ending, going_on):
            await stream.frame()
        if end == "signing out":
            await served.client.ask("DELETE", "/v1/sign-in", bearer=token)
        elif end == "a reload":
            document = web()
            document["server"]["tokens"].pop()
            outcome = await served.world.runtime.reload.apply(json.dumps(document).encode())
            assert outcome.kind == "applied", outcome.text
        served.clock.advance(12 * 3600 + 1 if end == "twelve hours" else 15)
        with pytest.raises(EOFError):
            await ending.events(1_000)
        while await going_on.frame() != ALIVE:
            pass
