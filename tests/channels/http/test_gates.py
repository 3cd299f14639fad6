"""What is refused before a route answers, each with its status and in the one error shape."""

import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from brain.channels.http import keep_token, listen
from brain.config import Server
from brain.errors import ChannelError
from tests.channels.http.client import Served, open_served

MESSAGE = {"conversation": "main", "text": "hi"}
NOTES = "/v1/brains/assistant/notes"
REHEARSALS = "/v1/brains/assistant/rehearsals"
DEEP = b'{"conversation": ' + b"[" * 70 + b"]" * 70 + b"}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request and what it comes to."""

    status: int
    code: str
    method: str = "GET"
    path: str = "/v1/brains"
    value: Any = None
    body: bytes | None = None
    bearer: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


POST: dict[str, Any] = {"method": "POST", "path": "/v1/messages"}

REFUSED = {
    "no token": Asked(status=401, code="no_token", bearer=""),
    "a wrong token": Asked(status=401, code="wrong_token", bearer="guess"),
    "a token in the query": Asked(
        status=401, code="no_token", bearer="", path="/v1/brains?token=ana-token"
    ),
    "another kind of authorization": Asked(
        status=401, code="wrong_token", bearer="", headers={"Authorization": "Basic YTpi"}
    ),
    "a path nobody knows, without a token": Asked(
        status=401, code="no_token", bearer="", path="/v1/nothing"
    ),
    "a path nobody knows": Asked(status=404, code="not_found", path="/v1/nothing"),
    "another method": Asked(status=405, code="wrong_method", method="DELETE"),
    "the host of another site": Asked(
        status=421, code="wrong_host", headers={"Host": "evil.example"}
    ),
    "no host": Asked(status=421, code="wrong_host", headers={"Host": ""}),
    "the page of another site": Asked(
        status=403, code="wrong_origin", headers={"Origin": "https://evil.example"}
    ),
    "a page without an origin": Asked(status=403, code="wrong_origin", headers={"Origin": "null"}),
    "an unknown parameter": Asked(
        status=400, code="unknown_parameter", path="/v1/activity?since=1"
    ),
    "a parameter that is no number": Asked(
        status=400, code="wrong_parameter", path="/v1/activity?after=-1"
    ),
    "too many events at once": Asked(
        status=400, code="wrong_parameter", path="/v1/activity?limit=1001"
    ),
    "an unknown type of event": Asked(
        status=400, code="unknown_type", path="/v1/activity?type=nothing"
    ),
    "a body of another type": Asked(
        status=415, code="wrong_type", value=MESSAGE, headers={"Content-Type": "text/plain"}, **POST
    ),
    "a body that is too large": Asked(
        status=413, code="too_large", body=b" " * (1_048_576 + 1), **POST
    ),
    "a body that is no JSON": Asked(status=400, code="not_json", body=b'{"text": ', **POST),
    "a body that is no text": Asked(status=400, code="not_json", body=b'"\xff"', **POST),
    "a number that is none": Asked(status=400, code="not_json", body=b'{"text": NaN}', **POST),
    "a number without end": Asked(
        status=400, code="not_json", body=b'{"text": ' + b"9" * 5000 + b"}", **POST
    ),
    "two marks of one message": Asked(
        status=400,
        code="wrong_header",
        value=MESSAGE,
        headers={"X_Idempotency_Key": "a", "x_idempotency_key": "b"},
        **POST,
    ),
    "a key that comes twice": Asked(
        status=400, code="not_json", body=b'{"text": "a", "text": "b"}', **POST
    ),
    "half of a surrogate pair": Asked(
        status=400, code="bad_text", body=b'{"text": "\\ud800", "conversation": "a"}', **POST
    ),
    "a body nested too deep": Asked(status=400, code="too_deep", body=DEEP, **POST),
    "a body nested deeper than any parser": Asked(
        status=400, code="too_deep", body=b"[" * 200_000, **POST
    ),
    "a body that is no object": Asked(status=400, code="wrong_shape", value=[1], **POST),
    "a text that is none": Asked(
        status=400, code="wrong_field", value={**MESSAGE, "text": 7}, **POST
    ),
    "a text with nothing in it": Asked(
        status=400, code="wrong_field", value={**MESSAGE, "text": " \n"}, **POST
    ),
    "no conversation": Asked(status=400, code="wrong_field", value={"text": "hi"}, **POST),
    "a name that is too long": Asked(
        status=400, code="wrong_field", value={**MESSAGE, "conversation": "x" * 201}, **POST
    ),
    "an unknown field": Asked(
        status=400, code="unknown_field", value={**MESSAGE, "is_operator": True}, **POST
    ),
    "an unknown brain": Asked(
        status=404, code="unknown_brain", value={**MESSAGE, "brain": "other"}, **POST
    ),
    "an unknown channel": Asked(
        status=404, code="unknown_channel", value={**MESSAGE, "channel": "console"}, **POST
    ),
    "a sender named by a user": Asked(
        status=403,
        code="sender_not_yours",
        value={**MESSAGE, "sender": "boss"},
        bearer="ana-token",
        **POST,
    ),
    "notes of an unknown brain": Asked(
        status=404, code="unknown_brain", path="/v1/brains/other/notes"
    ),
    "tools of an unknown brain": Asked(
        status=404, code="unknown_brain", path="/v1/brains/other/tools"
    ),
    "notes of an unknown channel": Asked(
        status=404, code="unknown_channel", path=f"{NOTES}?channel=other"
    ),
    "a note that is not there": Asked(
        status=404, code="not_found", method="DELETE", path=f"{NOTES}/7"
    ),
    "a rehearsal that is not there": Asked(
        status=404, code="not_found", method="POST", path=f"{REHEARSALS}/7/promote"
    ),
    "a code that was never given": Asked(
        status=401,
        code="wrong_code",
        method="POST",
        path="/v1/sign-in/redeem",
        value={"code": "guess"},
        bearer="",
    ),
}


async def ask(served: Served, asked: Asked) -> tuple[int, str]:
    answer = await served.client.ask(
        asked.method,
        asked.path,
        asked.value,
        body=asked.body,
        bearer=asked.bearer,
        **asked.headers,
    )
    return answer.status, answer.code


@pytest.mark.parametrize("asked", REFUSED.values(), ids=REFUSED.keys())
async def test_a_request_is_refused_with_its_status_and_the_one_shape(
    tmp_path: Path, asked: Asked
) -> None:
    async with open_served(tmp_path) as served:
        assert await ask(served, asked) == (asked.status, asked.code)
        assert served.world.model.requests == []


async def test_a_number_without_end_is_refused_in_plain_words(tmp_path: Path) -> None:
    asked = REFUSED["a number without end"]

    async with open_served(tmp_path) as served:
        answer = await served.client.ask("POST", asked.path, body=asked.body)

    told = answer.json["error"]["message"]
    assert told == "the body can't be read as JSON: a number has 5000 digits; at most 1000"


async def test_every_answer_has_the_headers_that_keep_other_sites_out(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        answers = [
            await served.client.ask("GET", path, bearer=bearer)
            for path, bearer in (
                ("/healthz", ""),
                ("/", ""),
                ("/v1/brains", None),
                ("/v1/nothing", None),
                ("/v1/brains", "guess"),
            )
        ]

    assert [answer.status for answer in answers] == [200, 200, 200, 404, 401]
    for answer in answers:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers
        assert "set-cookie" not in answer.headers


async def test_an_ssh_forward_and_the_own_page_are_let_through(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        for host in ("localhost", "127.0.0.1:9", "[::1]:2112", "LOCALHOST:80"):
            answer = await served.client.ask(
                "GET", "/v1/brains", Host=host, Origin=f"http://{host}"
            )
            assert answer.status == 200, host


async def test_wrong_tokens_are_held_back_longer_each_time_and_right_ones_never(
    tmp_path: Path,
) -> None:
    async with open_served(tmp_path) as served:
        for _ in range(7):
            await served.client.ask("GET", "/v1/brains", bearer="guess")
        guessed = list(served.clock.waited)
        await served.client.ask("GET", "/v1/brains")

    assert guessed == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]
    assert served.clock.waited == guessed


async def test_each_operator_token_is_the_operator(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        answer = await served.client.ask("GET", "/v1/brains", bearer="vice-token")

    assert answer.status == 200


def test_the_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "state"

    tokens = [keep_token(folder) for _ in range(2)]

    assert tokens[0] == tokens[1]
    assert len(tokens[0]) >= 40
    assert stat.S_IMODE((folder / "server.token").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_token_that_others_can_read_is_refused_with_what_mends_it(tmp_path: Path) -> None:
    keep_token(tmp_path)
    (tmp_path / "server.token").chmod(0o644)

    with pytest.raises(ChannelError, match="0644, expected 0600") as refused:
        keep_token(tmp_path)

    assert "chmod 600" in refused.value.fix


def test_a_port_in_use_is_named_with_another_to_choose() -> None:
    with listen(Server(addr="127.0.0.1:0")) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ChannelError, match=f"port {port} of 127.0.0.1 is in use") as refused:
            listen(Server(addr=f"127.0.0.1:{port}"))

    assert "nothing was started" in refused.value.message
    assert '"server"' in refused.value.fix
