"""A scripted Ollama server, and models that speak to it."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from brain.config import Model
from brain.models.ollama import OllamaModel
from tests.clocks import FakeClock
from tests.ollama_server import OllamaServer

OpenModel = Callable[..., OllamaModel]


@pytest.fixture
async def server() -> AsyncIterator[OllamaServer]:
    async with OllamaServer() as running:
        yield running


@pytest.fixture
async def open_model(server: OllamaServer, clock: FakeClock) -> AsyncIterator[OpenModel]:
    """Make models of the server; every one is closed at the end."""
    opened: list[OllamaModel] = []

    def make(*, resolve: Any = None, **settings: Any) -> OllamaModel:
        fields = {
            "provider": "ollama",
            "model_id": "llama3.2",
            "locality": "local",
            "base_url": server.url,
            **settings,
        }
        more = {} if resolve is None else {"resolve": resolve}
        model = OllamaModel(Model(**fields), clock=clock, jitter=lambda: 0.5, **more)
        opened.append(model)
        return model

    yield make
    for model in opened:
        await model.close()


@pytest.fixture
def model(open_model: OpenModel) -> OllamaModel:
    return open_model()
