"""Fetching a model through its own door, and listing what a server has."""

from dataclasses import replace
from importlib import import_module

import pytest

from brain.config import Model
from brain.errors import BadReply, ModelMissing, ModelTimedOut, ModelUnreachable, NotLocal
from brain.models.ollama import HostedModel, PullProgress, list_hosted, pull
from tests import ollama_server
from tests.ollama_server import Answer, Hold, OllamaServer, document, ndjson


def settings(server: OllamaServer, model_id: str = "qwen3") -> Model:
    return Model(provider="ollama", model_id=model_id, locality="local", base_url=server.url)


async def test_a_pull_says_how_far_it_is(server: OllamaServer) -> None:
    progress = [report async for report in pull(settings(server))]
    assert progress == [
        PullProgress(status="pulling manifest", completed_bytes=0, total_bytes=0),
        PullProgress(status="downloading", completed_bytes=0, total_bytes=100),
        PullProgress(status="downloading", completed_bytes=50, total_bytes=100),
        PullProgress(status="downloading", completed_bytes=100, total_bytes=100),
        PullProgress(status="success", completed_bytes=0, total_bytes=0),
    ]
    assert [(request.path, request.json) for request in server.requests] == [
        ("/api/pull", {"model": "qwen3", "stream": True, "insecure": False})
    ]


async def test_a_name_that_nobody_publishes_says_so(server: OllamaServer) -> None:
    error = {"error": "pull model manifest: file does not exist"}
    server.overrides["/api/pull"] = [ndjson([{"status": "pulling manifest"}, error])]
    with pytest.raises(ModelMissing, match="nobody publishes a model named 'qwen3'"):
        _ = [report async for report in pull(settings(server))]


async def test_a_pull_that_breaks_off_says_how_to_go_on(server: OllamaServer) -> None:
    server.overrides["/api/pull"] = [ndjson([{"status": "pulling manifest"}])]
    with pytest.raises(BadReply, match="broke off") as broke:
        _ = [report async for report in pull(settings(server))]
    assert broke.value.fix == "run the same command again: it goes on where it stopped"


SILENT = Answer(raw=[Hold()])
HEAD_ALONE = ndjson([Hold()])


@pytest.mark.parametrize("answer", [SILENT, HEAD_ALONE], ids=["no head", "no report"])
async def test_a_server_that_says_nothing_is_given_up_within_the_configured_time(
    server: OllamaServer, monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    module = import_module("brain.models.ollama.pull")
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 0.05)
    server.overrides["/api/pull"] = [answer]
    hasty = replace(settings(server), request_timeout_seconds=0.05)
    with pytest.raises(ModelTimedOut, match=r"did not begin to fetch 'qwen3' within 0\.1 s"):
        _ = [report async for report in pull(hasty)]


async def test_a_size_that_no_file_has_is_not_known(server: OllamaServer) -> None:
    steps = [{"status": "downloading", "completed": -1, "total": -1}, {"status": "success"}]
    server.overrides["/api/pull"] = [ndjson(steps)]
    progress = [report async for report in pull(settings(server))]
    assert progress == [
        PullProgress(status="downloading", completed_bytes=0, total_bytes=0),
        PullProgress(status="success", completed_bytes=0, total_bytes=0),
    ]


async def test_a_cloud_name_is_not_pulled_for_a_local_claim(server: OllamaServer) -> None:
    with pytest.raises(NotLocal):
        _ = [report async for report in pull(settings(server, "gpt-oss:120b-cloud"))]
    assert server.connections == 0


async def test_what_a_server_has_is_listed_with_what_runs_elsewhere(server: OllamaServer) -> None:
    server.models = {
        "llama3.2": ollama_server.HostedModel(),
        "gpt-oss:120b-cloud": ollama_server.HostedModel(),
        "alias": ollama_server.HostedModel(entry={"remote_host": "https://ollama.com:443"}),
    }
    size = 2019393189
    assert await list_hosted(settings(server, "")) == (
        HostedModel(name="llama3.2:latest", size_bytes=size, is_remote=False),
        HostedModel(name="gpt-oss:120b-cloud", size_bytes=size, is_remote=True),
        HostedModel(name="alias:latest", size_bytes=size, is_remote=True),
    )


async def test_a_malformed_list_is_a_bad_reply(server: OllamaServer) -> None:
    server.overrides["/api/tags"] = [document({"models": [7]})]
    with pytest.raises(BadReply):
        await list_hosted(settings(server, ""))


async def test_a_server_that_is_down_is_unreachable(server: OllamaServer) -> None:
    asked = settings(server)
    await server.stop()
    with pytest.raises(ModelUnreachable):
        await list_hosted(asked)
