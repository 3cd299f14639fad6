"""What the transport makes of servers that break HTTP, stall, or answer more than was asked."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.errors import (
    BadReply,
    LocalityBroken,
    ModelBusy,
    ModelError,
    ModelLoading,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    NotLocal,
)
from brain.models import Delta, Done, TextDelta
from brain.models.ollama import OllamaModel
from brain.records import ToolSpec
from tests.models.asking import ask, cut, question, text_of, whole
from tests.models.conftest import OpenModel
from tests.ollama_server import (
    Answer,
    OllamaServer,
    chunk,
    document,
    last_chunk,
    ndjson,
)

HELLO = b'{"message":{"role":"assistant","content":"Hello."},"done":true,"done_reason":"stop"}\n'


async def test_nothing_at_the_address_is_told_with_the_command_that_starts_it(
    server: OllamaServer, model: OllamaModel
) -> None:
    url = server.url
    await server.stop()
    calls: list[Callable[[], Awaitable[Any]]] = [
        model.prove, model.describe, model.warm, lambda: ask(model),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(ModelUnreachable) as unreachable:
            await call()
        assert unreachable.value.message == f"nothing answers at {url}"
        assert unreachable.value.fix == "start the model's server with: ollama serve"


async def test_a_host_that_is_not_known_is_unreachable(open_model: OpenModel) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        raise OSError(-2, "Name or service not known")

    with pytest.raises(ModelUnreachable, match=r"'nowhere\.test' of .* is not known"):
        await open_model(base_url="http://nowhere.test", resolve=resolve).prove()


@pytest.mark.parametrize(
    "base_url", ["ftp://127.0.0.1", "http://127.0.0.1:99999", "http://u:p@127.0.0.1", "http://[::1"]
)
async def test_an_address_that_can_not_be_used_says_why(
    open_model: OpenModel, base_url: str
) -> None:
    with pytest.raises(ModelUnreachable, match="can't be used"):
        await open_model(base_url=base_url).prove()


async def test_another_name_of_loopback_works_where_only_one_of_its_addresses_listens(
    server: OllamaServer, open_model: OpenModel
) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["::1", "127.0.0.1"]

    for url in (f"http://localhost:{server.port}", f"http://0.0.0.0:{server.port}/"):
        assert (await open_model(base_url=url, resolve=resolve).prove()).is_local


async def test_a_server_behind_a_path_is_asked_there(
    open_model: OpenModel, server: OllamaServer
) -> None:
    server.overrides["/ollama/api/show"] = [document({"capabilities": ["tools"]})]
    assert (await open_model(base_url=f"{server.url}/ollama/").describe()).tools


async def test_a_unix_socket_is_this_machine(
    server: OllamaServer, open_model: OpenModel, tmp_path: Path
) -> None:
    path = tmp_path / "ollama.sock"
    async with server.also_at(path):
        model = open_model(base_url=f"unix:{path}")
        assert (await model.prove()).is_local
        assert text_of(await ask(model)) == "Hello."


async def test_a_server_that_takes_too_long_to_begin_is_a_time_out(
    server: OllamaServer, open_model: OpenModel
) -> None:
    server.replies.appendleft(Answer(raw=[server.hold()]))
    with pytest.raises(ModelTimedOut, match=r"within 0\.05 s") as late:
        await ask(open_model(request_timeout_seconds=0.05))
    assert "request_timeout" in late.value.fix


async def test_slow_headers_are_a_time_out_although_each_byte_comes_soon(
    server: OllamaServer, open_model: OpenModel
) -> None:
    server.replies.appendleft(
        Answer(raw=[b"HTTP/1.1 200 OK\r\nX-Slow: ", server.hold(), b"x\r\n\r\n"])
    )
    with pytest.raises(ModelTimedOut):
        await ask(open_model(request_timeout_seconds=0.05))


async def test_a_server_that_stalls_in_the_middle_is_a_time_out(
    server: OllamaServer, open_model: OpenModel
) -> None:
    server.replies.appendleft(ndjson([chunk("Well"), server.hold(), last_chunk()]))
    deltas, error = await cut(open_model(request_timeout_seconds=0.5))
    assert (text_of(deltas), type(error)) == ("Well", ModelTimedOut)


async def test_a_model_that_is_not_loaded_in_time_says_so(
    server: OllamaServer, open_model: OpenModel
) -> None:
    server.overrides["/api/chat"] = [Answer(raw=[server.hold()]) for _ in range(2)]
    model = open_model(load_timeout_seconds=0.05)
    for call in (model.warm, lambda: ask(model)):
        with pytest.raises(ModelLoading, match=r"not loaded within 0\.05 s"):
            await call()


async def test_a_model_that_the_server_may_have_unloaded_is_loaded_under_its_own_time_out(
    server: OllamaServer, open_model: OpenModel, clock: Any
) -> None:
    model = open_model(keep_alive="10m")
    await ask(model)
    clock.advance(540)
    await ask(model)
    assert len(server.loads) == 1
    clock.advance(600)
    await ask(model)
    assert len(server.loads) == 2


async def test_warming_with_a_prompt_makes_the_server_read_it(
    server: OllamaServer, model: OllamaModel
) -> None:
    tool = ToolSpec(name="time", description="The time.", parameters={"type": "object"})
    await model.warm(replace(question(), tools=(tool,)))
    (chat,) = server.chats
    assert [each["function"]["name"] for each in chat["tools"]] == ["time"]
    assert [message["role"] for message in chat["messages"]] == ["system", "user"]
    assert chat["options"] == {"num_ctx": 8192, "num_predict": 1}
    assert chat["stream"] is False


async def test_leaving_an_answer_early_closes_the_connection(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft(ndjson([chunk("Well"), server.hold(), last_chunk()]))
    async with aclosing(model.chat(question())) as deltas:
        async for _ in deltas:
            break
    async with asyncio.timeout(5):
        await server.left.wait()
    assert text_of(await ask(model)) == "Hello."


async def test_cancelling_an_answer_closes_the_connection(
    server: OllamaServer, model: OllamaModel
) -> None:
    hold = server.hold()
    server.replies.appendleft(ndjson([chunk("Well"), hold, last_chunk()]))
    asking = asyncio.ensure_future(ask(model))
    async with asyncio.timeout(5):
        await hold.reached.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await server.left.wait()


async def test_cancelling_before_the_answer_began_closes_the_connection(
    server: OllamaServer, model: OllamaModel
) -> None:
    hold = server.hold()
    server.replies.appendleft(Answer(raw=[hold]))
    asking = asyncio.ensure_future(ask(model))
    async with asyncio.timeout(5):
        await hold.reached.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await server.left.wait()


async def test_one_byte_a_packet_is_read_like_any_other_answer(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft(
        ndjson([chunk("Grüße"), chunk(" aus Wien"), last_chunk()], in_single_bytes=True)
    )
    assert text_of(await ask(model)) == "Grüße aus Wien"


async def test_an_answer_of_http_1_0_without_a_length_is_read_to_its_end(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft(Answer(raw=[b"HTTP/1.0 200 OK\r\n\r\n", HELLO]))
    assert text_of(await ask(model)) == "Hello."


async def test_interim_answers_are_passed_over(server: OllamaServer, model: OllamaModel) -> None:
    head = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    rest = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(HELLO), HELLO)
    server.replies.appendleft(Answer(raw=[head + rest]))
    assert text_of(await ask(model)) == "Hello."


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        pytest.param([b"garbage\r\n\r\n"], BadReply, id="garbage"),
        pytest.param([b"\0" * 100_000], BadReply, id="zeros"),
        pytest.param([OK], BadReply, id="cut in the head"),
        pytest.param([OK + b"X: " + b"y" * 100_000], BadReply, id="a huge header"),
        pytest.param([OK + b"A: b\r\n" * 10_000], BadReply, id="endless headers"),
        pytest.param(
            [b"HTTP/1.1 100 Continue\r\n\r\n" * 50], BadReply, id="endless interim answers"
        ),
        pytest.param([OK + b"Content-Length: 9\r\n\r\n{}"], BadReply, id="shorter than its length"),
        pytest.param([OK + b"Content-Length: -1\r\n\r\n"], BadReply, id="a negative length"),
        pytest.param(
            [OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"], BadReply, id="two lengths"
        ),
        pytest.param([OK + b"Content-Length: 99999999999\r\n\r\n{}"], BadReply, id="a huge length"),
        pytest.param(
            [OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"], BadReply, id="a bad chunk size"
        ),
        pytest.param(
            [OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{}"], BadReply, id="cut in a chunk"
        ),
        pytest.param(
            [OK + b"Transfer-Encoding: gzip\r\n\r\n{}"], BadReply, id="packed in transfer"
        ),
        pytest.param([OK + b"\r\nnot json\n"], BadReply, id="no JSON"),
        pytest.param([OK + b"\r\n[1]\n"], BadReply, id="no object"),
        pytest.param([OK + b'\r\n{"message":[]}\n'], BadReply, id="a message that is a list"),
        pytest.param(
            [OK + b'\r\n{"message":{"role":"a","content":[1]}}\n'],
            BadReply,
            id="a text that is a list",
        ),
        pytest.param(
            [OK + b'\r\n{"message":{"role":"a","content":""},"done_reason":{}}\n'],
            BadReply,
            id="a reason that is an object",
        ),
        pytest.param([OK + b"\r\n" + b"[" * 200_000], BadReply, id="deep nesting"),
        pytest.param([OK + b"\r\n" + b"x" * 2_000_000], BadReply, id="an endless line"),
        pytest.param(
            [OK + b'\r\n{"error":"the runner died"}\n'], ModelRefused, id="an error in it"
        ),
        pytest.param([OK + b'\r\n{"error":{"a":1}}\n'], ModelError, id="an error of another shape"),
        pytest.param([OK + b"\r\n\n\n\n"], BadReply, id="empty lines"),
    ],
)
async def test_a_broken_answer_is_a_model_error_and_nothing_else(
    server: OllamaServer, model: OllamaModel, raw: list[bytes], kind: type[ModelError]
) -> None:
    await model.warm()
    server.replies.appendleft(Answer(raw=raw))
    with pytest.raises(kind):
        await ask(model)
    assert text_of(await ask(model)) == "Hello."


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body=[b"not json"]),
        Answer(body=[b"[]"]),
        Answer(body=[b'{"models": 7}'], is_chunked=True),
        Answer(body=[b'{"a": 1}\n{"b": 2}']),
        Answer(body=[b"[" * 200_000]),
        Answer(body=[b'{"a": NaN}, remote_host']),
        Answer(body=[b"{}"], is_cut=True),
    ],
)
@pytest.mark.parametrize("path", ["/api/show", "/api/tags", "/api/status"])
async def test_a_broken_description_is_no_proof(
    server: OllamaServer, model: OllamaModel, path: str, answer: Answer
) -> None:
    server.overrides[path] = [answer]
    try:
        proof = await model.prove()
    except BadReply:
        return
    harmless = path == "/api/status" and answer.is_chunked  # an object that says nothing
    assert proof.is_local is harmless


async def test_a_server_that_closes_without_an_answer_is_unreachable(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.overrides["/api/show"] = [Answer(raw=[b""])]
    with pytest.raises(ModelUnreachable, match="without an answer"):
        await model.prove()


async def test_an_endless_document_is_given_up(server: OllamaServer, model: OllamaModel) -> None:
    server.overrides["/api/show"] = [Answer(body=[b" " * 1_000_000] * 17, is_chunked=True)]
    with pytest.raises(BadReply, match="longer than any answer should be"):
        await model.prove()


async def test_a_server_that_sends_faster_than_it_is_read_has_to_wait(
    server: OllamaServer, model: OllamaModel
) -> None:
    await model.warm()
    lines = [chunk("x" * 1000) for _ in range(3000)]
    server.replies.appendleft(ndjson([*lines, last_chunk()]))
    seen: list[Delta] = []
    async with aclosing(model.chat(question())) as deltas:
        async for delta in deltas:
            if not seen:
                await asyncio.to_thread(sum, range(2_000_000))  # meanwhile it fills the buffers
            seen.append(delta)
    text, done = whole(seen)
    assert text == TextDelta(text="x" * 1000 * 3000)
    assert isinstance(done, Done)


async def test_something_else_at_the_address_is_named_as_no_ollama(
    server: OllamaServer, model: OllamaModel
) -> None:
    page = Answer(status=404, headers={"Content-Type": "text/html"}, body=[b"<h1>404</h1>"])
    server.overrides["/api/show"] = [page]
    with pytest.raises(ModelRefused, match="is not Ollama"):
        await model.prove()


async def test_surplus_bytes_of_one_answer_are_never_the_next_answer(
    server: OllamaServer, model: OllamaModel
) -> None:
    await model.warm()
    planted = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (
        len(HELLO), HELLO.replace(b"Hello.", b"Planted"),
    )  # fmt: skip
    server.replies.appendleft(ndjson([chunk("First"), last_chunk()], surplus=planted))
    assert [text_of(await ask(model)) for _ in range(2)] == ["First", "Hello."]
    assert server.connections == 2


async def test_bytes_that_come_while_a_connection_rests_close_it(
    server: OllamaServer, model: OllamaModel
) -> None:
    await model.warm()
    hold = server.hold()
    first = ndjson([chunk("First"), last_chunk()])
    first.after = [hold, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"]
    server.replies.appendleft(first)
    assert text_of(await ask(model)) == "First"
    async with asyncio.timeout(5):
        await hold.reached.wait()
        hold.go_on.set()
        await server.dropped.wait()
    assert text_of(await ask(model)) == "Hello."
    assert server.connections == 2


async def test_a_connection_that_the_server_closed_while_it_rested_costs_nothing(
    server: OllamaServer, model: OllamaModel
) -> None:
    await model.warm()
    server.cut_connections()
    assert text_of(await ask(model)) == "Hello."


async def test_a_question_is_asked_again_where_the_resting_connection_ends_under_it(
    server: OllamaServer, model: OllamaModel
) -> None:
    await model.warm()
    server.replies.appendleft(Answer(raw=[b""]))
    assert text_of(await ask(model)) == "Hello."
    assert len(server.chats) == 2


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, {"Retry-After": "7"}, 7.0),
        (503, {}, 0.0),
        (503, {"Retry-After": "soon"}, 0.0),
        (
            503,
            {
                "Retry-After": "Mon, 02 Mar 2026 09:00:20 GMT",
                "Date": "Mon, 02 Mar 2026 09:00:05 GMT",
            },
            15.0,
        ),
    ],
)
async def test_a_busy_server_says_when_to_come_back(
    server: OllamaServer,
    model: OllamaModel,
    status: int,
    headers: dict[str, str],
    seconds: float,
) -> None:
    server.replies.appendleft(document({"error": "busy"}, status=status, headers=headers))
    with pytest.raises(ModelBusy) as busy:
        await ask(model)
    assert busy.value.retry_after_seconds == seconds


async def test_many_talks_at_once_each_get_their_own_answer(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.rules = [(f"number {index:02}", f"Answer {index:02}.") for index in range(64)]
    await model.warm()
    asked = [ask(model, question(f"number {index:02}")) for index in range(64)]
    answered = [text_of(deltas) for deltas in await asyncio.gather(*asked)]
    assert answered == [f"Answer {index:02}." for index in range(64)]
    before = server.connections
    await asyncio.gather(*(ask(model, question(f"number {index:02}")) for index in range(64)))
    assert server.connections == before


async def test_talks_that_arrive_together_wait_for_one_load(
    server: OllamaServer, model: OllamaModel
) -> None:
    await asyncio.gather(*(ask(model) for _ in range(16)))
    assert server.loads == ["llama3.2"]


async def test_a_connection_that_arrives_elsewhere_is_closed_before_anything_is_sent(
    server: OllamaServer, open_model: OpenModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a packet filter could do it: asked for one address, it ends at another."""
    connect = asyncio.BaseEventLoop.create_connection

    async def diverted(self: Any, factory: Any, host: str, port: int, **more: Any) -> Any:
        return await connect(self, factory, "127.0.0.1", port, **more)

    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.2"]

    monkeypatch.setattr(asyncio.BaseEventLoop, "create_connection", diverted)
    model = open_model(base_url=f"http://ollama.test:{server.port}", resolve=resolve)
    with pytest.raises(NotLocal, match=r"to 127\.0\.0\.2 arrived at 127\.0\.0\.1"):
        await ask(model)
    assert server.requests == []


async def test_looking_up_and_connecting_have_two_seconds(open_model: OpenModel) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    with pytest.raises(ModelTimedOut, match=r"no connection to http://slow\.test:80 within 2 s"):
        await open_model(base_url="http://slow.test", resolve=resolve).prove()


async def test_a_closed_model_leaves_no_connection_behind(
    server: OllamaServer, model: OllamaModel
) -> None:
    await asyncio.gather(*(ask(model) for _ in range(4)))
    assert server.open_connections > 0
    await model.close()
    async with asyncio.timeout(5):
        while server.open_connections:
            server.dropped.clear()
            await server.dropped.wait()


async def test_a_server_behind_tls_is_asked_when_its_certificate_is_trusted(
    open_model: OpenModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = make_certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    async with OllamaServer(tls=context) as server:
        url = f"https://127.0.0.1:{server.port}"
        with pytest.raises(ModelUnreachable, match="no secure connection"):
            await open_model(base_url=url).prove()
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        model = open_model(base_url=url)
        assert (await model.prove()).is_local
        assert text_of(await ask(model)) == "Hello."


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of this minute for 127.0.0.1, signed by itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl here to make a certificate with")
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", str(key), "-out", str(certificate),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return certificate, key


async def test_the_done_of_an_answer_comes_after_its_last_byte(
    server: OllamaServer, model: OllamaModel
) -> None:
    server.replies.appendleft(
        ndjson([chunk("Yes"), last_chunk(), {"remote_host": "x", "message": {"role": "assistant"}}])
    )
    deltas, error = await cut(model)
    assert (deltas, type(error)) == ([TextDelta(text="Yes")], LocalityBroken)
