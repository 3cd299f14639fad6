"""Models across a reload: what did not change is kept with its proof, what changed is proved anew."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from brain.clock import SystemClock
from brain.config import Model
from brain.errors import ModelUnreachable
from brain.models import CallDelta, ChatModel, Done, ProofStep, ScriptedModel
from brain.records import ToolCall
from brain.runtime import Outcome, open_runtime
from tests.clocks import FakeClock
from tests.flows.test_reload import PausedModel, Pausing
from tests.flows.world import Document, World, sample, written

REMOTE = ProofStep(name="show", outcome="failed", detail="it carries remote_host")
LIMIT_SECONDS = 20


class Made:
    """Keeps every model that was made, in order. `findings` are what the proofs of each meet."""

    def __init__(self, clock: SystemClock, findings: Mapping[str, Sequence[Any]]) -> None:
        self.all: list[ScriptedModel] = []
        self.pausing = Pausing()
        self._clock = clock
        self._findings = findings

    def make(self, model: Model) -> ChatModel:
        kind = PausedModel if model.model_id == "slow" else ScriptedModel
        made = kind(
            [f"I am {model.model_id}."],
            clock=self._clock,
            name=model.name,
            is_local=model.locality == "local",
            findings=self._findings.get(model.model_id, ()),
            repeats=True,
        )
        if isinstance(made, PausedModel):
            made.pausing = self.pausing
        self.all.append(made)
        return made

    @property
    def proofs(self) -> list[tuple[str, int, bool]]:
        """Of each model its name, how often it was proved, whether it was closed."""
        return [(each.name, each.proofs_given, each.is_closed) for each in self.all]


@asynccontextmanager
async def made_world(
    folder: Path, document: Document, **findings: Sequence[Any]
) -> AsyncIterator[tuple[World, Made]]:
    clock = SystemClock()
    made = Made(clock, findings)
    async with AsyncExitStack() as stack:
        config = written(folder, document)
        runtime = await stack.enter_async_context(
            open_runtime(config, clock=clock, environ={}, open_model=made.make)
        )
        yield World(runtime, made.all[0], FakeClock()), made


def with_models(*models: Mapping[str, Any], sensitivity: str = "private") -> Document:
    document: Document = json.loads(json.dumps(sample()))
    brain = document["brains"][0]
    brain["sensitivity"] = sensitivity
    brain["models"] = [{"provider": "ollama", "locality": "local", **model} for model in models]
    return document


async def offer(world: World, document: Document) -> Outcome:
    outcome = await world.runtime.reload.apply(json.dumps(document).encode())
    async with asyncio.timeout(LIMIT_SECONDS):
        while "unasked" in await states(world):
            await asyncio.to_thread(len, "")  # the proofs run in the background
    return outcome


async def states(world: World) -> list[str]:
    return [each.state for each in (await world.runtime.standings())["assistant"]]


@pytest.mark.proves("P5", "P10")
async def test_only_a_model_whose_definition_changed_is_made_and_proved_again(tmp_path: Path):
    before = with_models({"model_id": "a"}, {"model_id": "b"})
    after = with_models({"model_id": "b"}, {"model_id": "a", "num_predict": 512})
    async with made_world(tmp_path, before) as (world, made):
        outcome = await offer(world, after)
        reply = await world.say("Who are you?")

        assert outcome.kind == "applied"
        assert reply.text == "I am b."
        assert made.proofs == [
            ("ollama/a", 1, True),
            ("ollama/b", 1, False),
            ("ollama/a", 1, False),
        ]
    assert [closed for _, _, closed in made.proofs] == [True, True, True]


@pytest.mark.proves("P5", "P10")
async def test_a_model_of_a_private_brain_that_is_proved_remote_rejects_the_config(tmp_path: Path):
    before = with_models({"model_id": "a"})
    after = with_models({"model_id": "liar"})
    async with made_world(tmp_path, before, liar=[REMOTE]) as (world, made):
        began_with = world.runtime.config.revision
        outcome = await offer(world, after)
        reply = await world.say("Who are you?")

        assert (outcome.kind, outcome.codes) == ("rejected", ("not_local",))
        assert outcome.paths == ("brains[0].models[0].locality",)
        assert "it carries remote_host" in outcome.text
        assert world.runtime.config.revision == began_with
        assert reply.text == "I am a."
        assert made.proofs == [("ollama/a", 1, False), ("ollama/liar", 1, True)]


async def test_a_model_that_cannot_be_asked_rejects_nothing_and_is_out_of_service(tmp_path: Path):
    before = with_models({"model_id": "a"})
    after = with_models({"model_id": "down"}, {"model_id": "a"})
    down = [ModelUnreachable("nothing answers")] * 2
    async with made_world(tmp_path, before, down=down) as (world, _):
        outcome = await offer(world, after)

        assert outcome.kind == "applied"
        assert await states(world) == ["out of service", "ready"]
        assert (await world.say("Who are you?")).text == "I am a."


@pytest.mark.proves("P5")
async def test_a_brain_that_turns_private_does_not_ask_its_cloud_model_any_more(tmp_path: Path):
    models = ({"model_id": "far", "locality": "cloud"}, {"model_id": "near"})
    async with made_world(tmp_path, with_models(*models, sensitivity="public")) as (world, made):
        first = await world.say("Who are you?")
        outcome = await offer(world, with_models(*models))
        second = await world.say("Who are you?")

        assert outcome.kind == "applied"
        assert (first.text, second.text) == ("I am far.", "I am near.")
        assert len(made.all) == 2


@pytest.mark.proves("P5")
async def test_a_running_exchange_whose_brain_turned_private_asks_its_cloud_model_no_more(
    tmp_path: Path,
):
    models = ({"model_id": "slow", "locality": "cloud"}, {"model_id": "near"})
    async with made_world(tmp_path, with_models(*models, sensitivity="public")) as (world, made):
        slow = made.all[0]
        call = CallDelta(call=ToolCall(id="c1", name="time", arguments={}))
        slow.replies.appendleft((call, Done(reason="stop")))
        talk = asyncio.create_task(world.say("What time is it?"))
        await made.pausing.is_asked.wait()
        await offer(world, with_models(*models))
        made.pausing.goes_on.set()
        reply = await talk

        assert (reply.outcome, reply.code) == ("failed", "not_local")
        assert len(slow.requests) == 1


async def test_a_model_that_is_gone_is_closed_when_its_last_exchange_has_ended(tmp_path: Path):
    async with made_world(tmp_path, with_models({"model_id": "slow"})) as (world, made):
        slow = made.all[0]
        talk = asyncio.create_task(world.say("Are you there?"))
        await made.pausing.is_asked.wait()
        outcome = await offer(world, with_models({"model_id": "new"}))
        was_closed = slow.is_closed
        other = await world.say("And you?", conversation="other")
        made.pausing.goes_on.set()
        reply = await talk

        assert outcome.kind == "applied"
        assert (reply.text, other.text) == ("I am slow.", "I am new.")
        assert (was_closed, slow.is_closed) == (False, True)
