"""Servers that lie about where a model runs, each in its own way, and what they got to read."""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx
import ollama
import pytest

from brain.errors import BadReply, LocalityBroken, ModelError, NotLocal
from brain.models import Proof, TextDelta
from brain.models.ollama import OllamaModel, is_cloud_name
from brain.models.ollama.address import parse_endpoint, resolve_host
from brain.models.ollama.client import open_client
from brain.models.ollama.road import Road
from brain.models.ollama.transport import OllamaTransport
from tests.models.asking import NOTE, ask, cut, text_of
from tests.models.conftest import OpenModel
from tests.ollama_server import (
    Answer,
    HostedModel,
    OllamaServer,
    chunk,
    document,
    last_chunk,
    ndjson,
)

REMOTE = {"remote_host": "https://ollama.com:443", "remote_model": "gpt-oss:120b"}

pytestmark = pytest.mark.proves("P5")


def failed_step(proof: Proof) -> tuple[str, str]:
    """Name and detail of the one step that failed; it is the last."""
    assert proof.is_local is False
    assert [step.outcome for step in proof.steps[:-1]].count("failed") == 0
    assert proof.steps[-1].outcome == "failed"
    return proof.steps[-1].name, proof.steps[-1].detail


async def test_the_proof_of_a_local_model_shows_every_step(
    server: OllamaServer, model: OllamaModel
) -> None:
    proof = await model.prove()
    assert proof.is_local
    assert [(step.name, step.outcome) for step in proof.steps] == [
        ("name", "passed"),
        ("address", "passed"),
        ("route", "passed"),
        ("show", "passed"),
        ("tags", "passed"),
        ("status", "noted"),
    ]
    assert proof.digest[:12] in proof.steps[4].detail
    assert [request.path for request in server.requests] == [
        "/api/show",
        "/api/tags",
        "/api/status",
    ]


@pytest.mark.parametrize(
    ("name", "is_cloud"),
    [
        ("gpt-oss:120b-cloud", True),
        ("gpt-oss:cloud", True),
        ("gpt-oss: Cloud ", True),
        ("gpt-oss-cloud", True),
        ("gpt-oss:120B-CLOUD", True),
        ("llama3.2", False),
        ("cloudy:latest", False),
        ("someone/thing-cloud", False),
        ("someone/thing:7b-cloud", True),
        ("someone/thing:latest", False),
        ("thing-cloud:latest", False),
        ("", False),
    ],
)
def test_the_name_of_a_cloud_model_is_known(name: str, is_cloud: bool) -> None:
    assert is_cloud_name(name) is is_cloud


async def test_a_cloud_name_fails_before_anything_is_asked(
    server: OllamaServer, open_model: OpenModel
) -> None:
    server.models["gpt-oss:120b-cloud"] = HostedModel()
    proof = await open_model(model_id="gpt-oss:120b-cloud").prove()
    assert failed_step(proof)[0] == "name"
    assert server.connections == 0


@pytest.mark.parametrize(
    ("hosted", "step"),
    [
        pytest.param(HostedModel(show=REMOTE), "show", id="in show only"),
        pytest.param(HostedModel(show={"remote_model": ""}), "show", id="empty, in show"),
        pytest.param(HostedModel(entry=REMOTE), "tags", id="in tags only"),
        pytest.param(HostedModel(entry={"remote_host": None}), "tags", id="null, in tags"),
        pytest.param(
            HostedModel(show=REMOTE, entry=REMOTE), "show", id="an alias of a cloud model"
        ),
    ],
)
async def test_a_server_that_admits_it_in_a_description_fails_the_proof(
    server: OllamaServer, model: OllamaModel, hosted: HostedModel, step: str
) -> None:
    server.models["llama3.2"] = hosted
    assert failed_step(await model.prove())[0] == step
    assert not server.received(NOTE)
    assert server.chats == []


async def test_a_cloud_model_beside_a_local_one_is_no_alarm(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.models["gpt-oss:120b-cloud"] = HostedModel(show=REMOTE, entry=REMOTE)
    assert (await model.prove()).is_local


async def test_the_same_words_in_a_text_or_a_template_are_no_alarm(
    server: OllamaServer, model: OllamaModel
) -> None:
    words = '{"remote_host": "x"} remote_model'
    server.models["llama3.2"] = HostedModel(
        template=words, show={"model_info": {"remote_host": 1}, "license": words}
    )
    server.replies.appendleft(
        ndjson(
            [
                chunk(words),
                chunk(message={"tool_calls": [{"function": {"name": "a", "arguments": REMOTE}}]}),
                last_chunk(),
            ]
        )
    )
    assert (await model.prove()).is_local
    assert (await ask(model))[0] == TextDelta(text=words)


async def test_a_model_without_an_entry_or_a_digest_is_not_proved(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.overrides["/api/tags"] = [document({"models": []})]
    assert failed_step(await model.prove())[0] == "tags"
    server.models["llama3.2"] = HostedModel(entry={"digest": ""})
    assert failed_step(await model.prove())[0] == "tags"


@pytest.mark.parametrize(
    "model_id", ["llama3.2", "llama3.2:latest", "LLAMA3.2", "library/llama3.2"]
)
async def test_the_entry_is_found_under_every_spelling_of_the_name(
    server: OllamaServer, open_model: OpenModel, model_id: str
) -> None:
    server.models = {"llama3.2": HostedModel(entry=REMOTE)}
    model = open_model(model_id=model_id)
    server.overrides["/api/show"] = [document({"capabilities": []})]
    assert failed_step(await model.prove())[0] == "tags"


async def test_a_redirect_is_not_followed_and_fails_the_proof(
    server: OllamaServer, model: OllamaModel
) -> None:
    async with OllamaServer() as elsewhere:
        for path in ("/api/show", "/api/chat"):
            moved = Answer(status=307, headers={"Location": f"{elsewhere.url}{path}"})
            server.overrides[path] = [moved, moved]
        assert failed_step(await model.prove())[0] == "route"
        with pytest.raises(NotLocal, match="redirect"):
            await ask(model)
        assert elsewhere.connections == 0
    assert not server.received(NOTE)


@pytest.mark.parametrize("path", ["/api/tags", "/api/status"])
async def test_a_redirect_of_any_question_fails_the_proof(
    server: OllamaServer, model: OllamaModel, path: str
) -> None:
    server.overrides[path] = [Answer(status=302, headers={"Location": "http://203.0.113.7/"})]
    name, detail = failed_step(await model.prove())
    assert name == "route"
    assert "203.0.113.7" not in detail


async def test_marks_in_the_status_and_a_server_without_one(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.overrides["/api/status"] = [document(REMOTE)]
    assert failed_step(await model.prove())[0] == "status"
    server.has_status = False
    assert (await model.prove()).steps[-1].detail == "this server has no /api/status"
    server.has_status, server.cloud_disabled = True, True
    assert (await model.prove()).steps[-1].detail == (
        "cloud models are switched off in this server"
    )


async def test_no_proxy_no_key_and_no_cookie_reach_the_wire(
    server: OllamaServer, model: OllamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with OllamaServer() as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.setenv("OLLAMA_API_KEY", "secret-key")
        monkeypatch.setenv("OLLAMA_HOST", proxy.url)
        server.overrides["/api/chat"] = [
            document(last_chunk(reason="load"), headers={"Set-Cookie": "id=7"})
        ]
        await model.prove()
        await ask(model)
        assert proxy.connections == 0
    headers = {name for request in server.requests for name in request.headers}
    assert not headers & {"authorization", "cookie", "proxy-authorization"}
    assert all(request.headers["accept-encoding"] == "identity" for request in server.requests)


async def test_a_key_goes_to_a_cloud_model_alone(
    server: OllamaServer, open_model: OpenModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-key")
    monkeypatch.setenv("OLLAMA_API_KEY", "another")
    await ask(open_model(locality="local", api_key_env="MY_KEY"))
    assert all("authorization" not in request.headers for request in server.requests)
    server.requests.clear()
    await ask(open_model(locality="cloud", api_key_env="MY_KEY"))
    assert {request.headers["authorization"] for request in server.requests} == {
        "Bearer secret-key"
    }


async def test_a_cloud_claim_is_never_proved_local_and_its_marks_are_no_alarm(
    server: OllamaServer, open_model: OpenModel
) -> None:
    server.models["gpt-oss:120b-cloud"] = HostedModel(show=REMOTE, entry=REMOTE)
    server.replies.appendleft(ndjson([{**chunk("Hi"), **REMOTE}, last_chunk()]))
    model = open_model(model_id="gpt-oss:120b-cloud", locality="cloud")
    proof = await model.prove()
    assert (proof.is_local, [step.outcome for step in proof.steps]) == (False, ["noted"])
    assert (await ask(model))[0] == TextDelta(text="Hi")


def transport_to(server: OllamaServer, **more: Any) -> OllamaTransport:
    fields: dict[str, Any] = {
        "endpoint": parse_endpoint(server.url),
        "model_id": "llama3.2",
        "is_local": True,
        "trusted_hosts": (),
        "resolve": resolve_host,
        **more,
    }
    return OllamaTransport(Road(**fields))


@pytest.mark.parametrize("call", ["web_search", "web_fetch", "pull", "push", "generate", "delete"])
async def test_what_would_leave_the_machine_is_refused_by_the_transport(
    server: OllamaServer, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "secret-key")
    client = open_client(transport_to(server), read_seconds=5)
    with pytest.raises(NotLocal, match="refused"):
        await getattr(client, call)("llama3.2")
    assert server.connections == 0
    await client.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/api/tags",
        "https://127.0.0.1:{port}/api/tags",
        "http://localhost:{port}/api/tags",
        "http://127.0.0.1:{port}/api/tags?to=elsewhere",
        "http://127.0.0.1:{port}/api/../api/pull",
        "http://127.0.0.1:{port}/x/api/tags",
    ],
)
async def test_another_origin_or_path_is_refused(server: OllamaServer, url: str) -> None:
    transport = transport_to(server)
    with pytest.raises(NotLocal, match="refused"):
        await transport.handle_async_request(httpx.Request("GET", url.format(port=server.port)))
    assert server.connections == 0


def answers(*rounds: Sequence[str]) -> Any:
    """A resolver that gives each round once and repeats the last."""
    left = list(rounds)

    async def resolve(host: str, port: int) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return resolve


@pytest.mark.parametrize(
    "addresses",
    [["203.0.113.7"], ["127.0.0.1", "203.0.113.7"], ["192.168.1.5"], ["::ffff:203.0.113.7"], ["x"]],
)
async def test_one_foreign_address_of_a_name_is_enough_to_refuse(
    server: OllamaServer, open_model: OpenModel, addresses: list[str]
) -> None:
    model = open_model(base_url=f"http://ollama.test:{server.port}", resolve=answers(addresses))
    name, detail = failed_step(await model.prove())
    assert (name, addresses[-1] in detail) == ("address", True)
    with pytest.raises(NotLocal):
        await ask(model)
    assert server.connections == 0


async def test_a_name_that_is_pointed_elsewhere_after_the_proof_gets_nothing(
    server: OllamaServer, open_model: OpenModel, egress_trap: list[Any]
) -> None:
    resolve = answers(["127.0.0.1"], ["127.0.0.1"], ["203.0.113.7"])
    model = open_model(base_url=f"http://ollama.test:{server.port}", resolve=resolve)
    assert (await model.prove()).is_local
    server.cut_connections()
    with pytest.raises(NotLocal, match=r"203\.0\.113\.7"):
        await ask(model)
    assert not server.received(NOTE)
    assert egress_trap == []


async def test_the_proof_records_why_each_address_is_allowed(
    server: OllamaServer, open_model: OpenModel
) -> None:
    model = open_model(
        base_url=f"http://ollama:{server.port}",
        trusted_hosts=("gpu", "ollama"),
        resolve=answers(["127.0.0.9", "127.0.0.1"]),
    )
    proof = await model.prove()
    assert proof.is_local
    assert proof.steps[1].detail == (
        f"http://ollama:{server.port} stands for 127.0.0.9 (this machine), 127.0.0.1 (this machine)"
    )


async def cut_answer(model: OllamaModel) -> tuple[str, ModelError]:
    """The text that came before the answer was cut, and why it was."""
    deltas, error = await cut(model)
    return text_of(deltas), error


def line(text: str) -> bytes:
    return text.encode() + b"\n"


LIES = {
    "plain": {**chunk(" cloud"), **REMOTE},
    "model only": {**chunk(" cloud"), "remote_model": "x"},
    "empty": {**chunk(" cloud"), "remote_host": ""},
    "the tag of a cloud model": chunk(" c", model="gpt-oss:cloud"),
    "the name of a cloud model": chunk(" c", model="gpt-oss:120b-Cloud"),
    "the name of a cloud model, escaped": line(
        r'{"MODEL":"x:\u0063loud","message":{"role":"a","content":" c"}}'
    ),
    "in the last chunk": {**last_chunk(), **REMOTE},
    "without a message": {"done": False, **REMOTE},
    "beside an error": {"error": "no", **REMOTE},
    "another case": {**chunk(" cloud"), "Remote_Host": "x"},
    "escaped key": line(r'{"message":{"role":"a","content":" c"},"\u0072emote_host":"x"}'),
    "all escaped": line(
        r'{"message":{"role":"a","content":" c"},"rem\u006F\u0074e_\u0068ost":"x"}'
    ),
    "key given twice": line(
        '{"message":{"role":"a","content":" c"},"remote_host":"x","remote_host":""}'
    ),
    "spaces": line('{ "message" : {"role":"a","content":" c"} , "remote_host" : "x" }'),
    "deep text before": line(
        '{"message":{"role":"a","content":"' + "y" * 100_000 + '"},"remote_host":"x"}'
    ),
    "UTF-16": '{"message":{"role":"a","content":" c"},"remote_host":"x"}'.encode("utf-16-le")
    + b"\n",
    "UTF-16 with its mark": '{"message":{"role":"a","content":" c"},"remote_host":"x"}'.encode(
        "utf-16"
    )
    + b"\n",
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
@pytest.mark.parametrize("is_slow", [False, True], ids=["at once", "one byte a packet"])
async def test_a_lie_in_the_third_chunk_is_cut_off_there(
    server: OllamaServer, model: OllamaModel, lie: Any, is_slow: bool
) -> None:
    server.replies.appendleft(
        ndjson([chunk("From"), chunk(" the"), lie, last_chunk()], in_single_bytes=is_slow)
    )
    text, error = await cut_answer(model)
    assert text == "From the"
    assert isinstance(error, LocalityBroken)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(
            ndjson([chunk("From"), chunk(" the"), line('{"remote_host":1}')[:-1]]),
            id="a last line without its newline",
        ),
        pytest.param(
            ndjson(
                [chunk("From"), chunk(" the"), {**chunk(" c"), **REMOTE}],
                headers={"Content-Type": "application/json"},
            ),
            id="a stream labelled as a document",
        ),
        pytest.param(
            Answer(
                headers={"Content-Type": "text/html"},
                body=ndjson([chunk("From"), chunk(" the"), {**chunk(), **REMOTE}]).body,
            ),
            id="with a length and another label",
        ),
    ],
)
async def test_a_lie_is_found_whatever_the_answer_calls_itself(
    server: OllamaServer, model: OllamaModel, answer: Answer
) -> None:
    server.replies.appendleft(answer)
    text, error = await cut_answer(model)
    assert text == "From the"
    assert isinstance(error, LocalityBroken)


async def test_a_text_about_clouds_and_a_model_named_like_one_are_no_lie(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft(
        ndjson([chunk('"model": "x:cloud"', model="cloudy/model-cloud:7b"), last_chunk()])
    )
    assert text_of((await ask(model))[:-1]) == '"model": "x:cloud"'


async def test_a_lie_inside_an_error_status_is_found(
    server: OllamaServer, model: OllamaModel
) -> None:
    for status in (400, 404, 429, 500, 503):
        server.replies.appendleft(document({"error": "no", **REMOTE}, status=status))
        _, error = await cut_answer(model)
        assert isinstance(error, LocalityBroken)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        pytest.param(
            {"Content-Type": "application/json; charset=utf-7"},
            b'{"message":{"role":"a","content":"c"},"+AHI-emote_host":"x"}\n',
            id="UTF-7",
        ),
        pytest.param({"Content-Encoding": "gzip"}, b"\x1f\x8b\x08\x00", id="gzip"),
        pytest.param({"Content-Encoding": "br"}, b"{}", id="brotli"),
        pytest.param({}, b'{"message":{"role":"a","content":"\xff"},"done":true}\n', id="latin-1"),
        pytest.param({}, b'{"message":{"role":"a","content":"\0"},"done":true}\n', id="NUL"),
    ],
)
async def test_an_answer_that_can_not_be_looked_into_is_not_used(
    server: OllamaServer, model: OllamaModel, headers: dict[str, str], body: bytes
) -> None:
    server.replies.appendleft(Answer(headers=headers, body=[body]))
    text, error = await cut_answer(model)
    assert (text, type(error)) == ("", BadReply)


async def test_a_lie_while_the_model_is_loaded_is_found_before_a_note_is_sent(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.overrides["/api/chat"] = [document({**last_chunk(reason="load"), **REMOTE})]
    with pytest.raises(LocalityBroken):
        await ask(model)
    assert not server.received(NOTE)


async def test_a_lie_ends_the_connection_so_that_the_server_stops(
    server: OllamaServer, model: OllamaModel
) -> None:
    hold = server.hold()
    server.replies.appendleft(ndjson([{**chunk("x"), **REMOTE}, hold, last_chunk()]))
    with pytest.raises(LocalityBroken):
        await ask(model)
    async with asyncio.timeout(5):
        await server.left.wait()


async def test_the_bare_client_would_have_used_the_lie(server: OllamaServer) -> None:
    """The yardstick: the same answer through the client's own transport goes unnoticed."""
    server.replies.appendleft(ndjson([{**chunk("cloud"), **REMOTE}, last_chunk()]))
    client = ollama.AsyncClient(host=server.url, trust_env=False)
    stream = await client.chat("llama3.2", [{"role": "user", "content": "Hi"}], stream=True)
    assert [part.message.content async for part in stream] == ["cloud", ""]
    await client.close()
