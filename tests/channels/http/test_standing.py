"""How everything stands, for probes and for the page."""

from pathlib import Path

from brain.errors import ModelUnreachable
from brain.models.scripted import ScriptedModel
from tests.channels.http.client import open_served, web
from tests.clocks import FakeClock


async def test_alive_needs_no_token_and_tells_nothing(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        answer = await served.client.ask("GET", "/healthz", bearer="")

    assert (answer.status, answer.json) == (200, {"status": "alive"})


async def test_ready_tells_store_models_with_their_proof_and_the_last_reload(
    tmp_path: Path,
) -> None:
    async with open_served(tmp_path) as served:
        await served.world.runtime.ask_models("assistant")
        answer = await served.client.ask("GET", "/readyz")

    told = answer.json
    (brain,) = told["brains"]
    (model,) = brain["models"]
    assert (answer.status, told["status"]) == (200, "ready")
    assert told["store"]["is_writable"] is True
    assert told["last_reload"] is None
    assert (brain["name"], brain["channels"]) == ("assistant", ["console", "http"])
    assert (model["model"], model["state"]) == ("ollama/llama3.2", "ready")
    assert model["proof"]["is_local"] is True


async def test_not_ready_where_no_model_can_be_asked(tmp_path: Path) -> None:
    model = ScriptedModel(
        clock=FakeClock(),
        name="ollama/llama3.2",
        findings=[ModelUnreachable("nothing answers")] * 3,
    )

    async with open_served(tmp_path, web(), model=model) as served:
        await served.world.runtime.ask_models("assistant")
        answer = await served.client.ask("GET", "/readyz")

    assert (answer.status, answer.json["status"]) == (503, "not_ready")
