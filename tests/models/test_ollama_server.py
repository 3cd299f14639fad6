"""The scripted server speaks as Ollama does: the official client understands it, over its own transport."""

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager

import ollama
import pytest

from brain.errors import LocalityBroken
from brain.models import CallDelta
from brain.models.ollama import OllamaModel
from tests.models.asking import ask, text_of
from tests.models.conftest import OpenModel
from tests.ollama_server import HostedModel, OllamaServer


@pytest.fixture
async def client(server: OllamaServer) -> AsyncIterator[ollama.AsyncClient]:
    async with ollama.AsyncClient(host=server.url, trust_env=False) as opened:
        yield opened


async def test_the_official_client_lists_and_shows_its_models(
    server: OllamaServer, client: ollama.AsyncClient
) -> None:
    server.models["small"] = HostedModel(capabilities=["completion"], context_length=2048)
    listed = await client.list()
    assert [model.model for model in listed.models] == ["llama3.2:latest", "small:latest"]
    assert all(len(model.digest or "") == 64 for model in listed.models)
    shown = await client.show("small")
    assert shown.capabilities == ["completion"]
    assert (shown.modelinfo or {})["llama.context_length"] == 2048


async def test_the_official_client_chats_with_it_streaming_and_not(
    server: OllamaServer, client: ollama.AsyncClient
) -> None:
    messages = [{"role": "user", "content": "Hi"}]
    server.replies.extendleft(["And whole.", "In parts."])
    stream = await client.chat("llama3.2", messages, stream=True)
    assert "".join([part.message.content or "" async for part in stream]) == "In parts."
    whole = await client.chat("llama3.2", messages)
    assert (whole.message.content, whole.done, whole.done_reason) == ("And whole.", True, "stop")


async def test_the_official_client_gets_calls_vectors_and_errors(
    server: OllamaServer, client: ollama.AsyncClient
) -> None:
    server.replies.appendleft({"calls": [{"name": "time", "arguments": {"zone": "UTC"}}]})
    asked = await client.chat("llama3.2", [{"role": "user", "content": "Hi"}])
    (call,) = asked.message.tool_calls or ()
    assert (call.function.name, call.function.arguments) == ("time", {"zone": "UTC"})
    embedded = await client.embed("llama3.2", ["one", "two"])
    assert len(embedded.embeddings) == 2
    with pytest.raises(ollama.ResponseError, match="not found") as missing:
        await client.show("qwen3")
    assert missing.value.status_code == 404


@contextmanager
def process(*arguments: str) -> Iterator[str]:
    """The server as a process; yields its address."""
    command: Sequence[str] = [sys.executable, "-m", "tests.ollama_server", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            yield running.stdout.readline().strip()
        finally:
            running.send_signal(signal.SIGTERM)
            assert running.wait(timeout=10) == 0


async def test_as_a_process_it_answers_as_its_arguments_say(open_model: OpenModel) -> None:
    call = json.dumps({"calls": [{"name": "time", "arguments": {}}]})
    with process("--model", "llama3.2", "--reply", call, "--reply", "Nine.") as url:
        model = open_model(base_url=url)
        assert isinstance((await ask(model))[0], CallDelta)
        assert text_of(await ask(model)) == "Nine."


@pytest.mark.proves("P5")
@pytest.mark.parametrize("lie", ["show", "tags", "chunk"])
async def test_as_a_process_it_lies_as_it_is_told(open_model: OpenModel, lie: str) -> None:
    with process("--model", "llama3.2", "--lie", lie) as url:
        model: OllamaModel = open_model(base_url=url)
        proof = await model.prove()
        assert proof.is_local is (lie == "chunk")
        if lie == "chunk":
            with pytest.raises(LocalityBroken):
                await ask(model)
        else:
            assert proof.steps[-1].name == lie
