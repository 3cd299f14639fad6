"""From the models of a config to lineups that may be asked."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from brain.activity import Recorder
from brain.clock import Clock
from brain.config import Brain, Config, Model
from brain.models.engine import Engines
from brain.models.guards import needs_local
from brain.models.lineup import Lineup
from brain.models.ports import ChatModel
from brain.store import Store

__all__ = ["Models", "OpenModel", "build_lineup", "open_lineups"]

OpenModel = Callable[[Model], ChatModel]
"""Makes the model that a config describes; loads and asks nothing yet."""


class Models:
    """Makes models by their provider. The library of a provider is imported with its first model."""

    def __init__(self, *, clock: Clock, environ: Mapping[str, str]) -> None:
        self._clock = clock
        self._environ = environ
        self._engines = Engines()

    def open(self, model: Model) -> ChatModel:
        match model.provider:
            case "ollama":
                from brain.models.ollama import OllamaModel

                return OllamaModel(model, clock=self._clock)
            case "scripted":
                from brain.models.scripted import ScriptedModel

                return ScriptedModel.from_settings(model, clock=self._clock)
            case "embedded":
                from brain.models.embedded import EmbeddedModel

                return EmbeddedModel(
                    model, clock=self._clock, engines=self._engines, environ=self._environ
                )
            case "openai-compatible":
                raise ValueError("the config refuses the provider openai-compatible")


@asynccontextmanager
async def open_lineups(
    config: Config, *, clock: Clock, environ: Mapping[str, str], store: Store | None = None
) -> AsyncIterator[Mapping[str, Lineup]]:
    """Open the models of every brain, by its name, to look at how they stand; nothing is recorded.

    With a store, a model that an answer took out of service is told as such.
    """
    make = Models(clock=clock, environ=environ).open
    async with AsyncExitStack() as stack:
        lineups = {}
        for brain in config.brains:
            lineups[brain.name] = build_lineup(brain, make, store, None, clock)
            stack.push_async_callback(lineups[brain.name].close)
        yield lineups


def build_lineup(
    brain: Brain,
    make: OpenModel,
    store: Store | None,
    recorder: Recorder | None,
    clock: Clock,
    former: tuple[Brain, Lineup] | None = None,
) -> Lineup:
    """Return the models of `brain` in the order in which they are asked.

    Models that the `former` brain and lineup have with the same definition are kept, with their
    proof; the others are made.
    """
    kept: dict[str, ChatModel] = {}
    if former is not None:
        before, lineup = former
        kept = {
            definition.name: model
            for definition, model in zip(before.models, lineup.models, strict=True)
            if definition in brain.models
        }
    return Lineup(
        models=[kept.get(model.name) or make(model) for model in brain.models],
        needs_local=needs_local(brain),
        store=store,
        recorder=recorder,
        clock=clock,
        brain=brain.name,
        former=former[1] if former is not None else None,
        kept=tuple(kept.values()),
    )
