"""What every chat model does, whichever adapter is behind it: one body for all."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

import pytest

from brain.config import Model
from brain.errors import BadReply, ModelError
from brain.models import CallDelta, ChatModel, Done, ScriptedModel, TextDelta, ThinkingDelta
from brain.models.ollama import OllamaModel
from brain.records import ToolCall
from tests.clocks import FakeClock
from tests.models.asking import ask, question, text_of, whole
from tests.ollama_server import OllamaServer

Script = Mapping[str, Any]
Make = Callable[..., Awaitable[ChatModel]]


@pytest.fixture(params=["ollama", "scripted"])
async def make(request: pytest.FixtureRequest, clock: FakeClock) -> AsyncIterator[Make]:
    """Make a model that gives these replies in turn, in the words of one script."""
    async with OllamaServer() as server:
        opened: list[ChatModel] = []

        async def make_model(*replies: Script) -> ChatModel:
            model: ChatModel
            settings: dict[str, Any] = {"model_id": "llama3.2", "locality": "local"}
            if request.param == "ollama":
                server.replies.extendleft(reversed(replies))
                settings |= {"provider": "ollama", "base_url": server.url}
                model = OllamaModel(Model(**settings), clock=clock)
            else:
                settings |= {"provider": "scripted", "options": {"replies": list(replies)}}
                model = ScriptedModel.from_settings(Model(**settings), clock=clock)
            opened.append(model)
            return model

        yield make_model
        for model in opened:
            await model.close()


async def test_its_name_is_provider_and_model(make: Make) -> None:
    provider, _, model_id = (await make()).name.partition("/")
    assert provider in ("ollama", "scripted")
    assert model_id == "llama3.2"


async def test_it_proves_and_describes_itself(make: Make, clock: FakeClock) -> None:
    model = await make()
    proof = await model.prove()
    assert (proof.model, proof.is_local, proof.at) == (model.name, True, clock.now())
    assert proof.digest
    assert proof.steps
    assert (await model.prove()).proof_id != proof.proof_id
    capabilities = await model.describe()
    assert (capabilities.tools, capabilities.constrained, capabilities.context) == (
        True,
        True,
        8192,
    )


async def test_an_answer_streams_and_ends_in_done(make: Make) -> None:
    model = await make({"chunks": ["Good ", "morning", "."]})
    *texts, done = whole(await ask(model))
    assert texts == [TextDelta(text="Good morning.")]
    assert isinstance(done, Done)
    assert done.reason == "stop"


async def test_replies_come_in_turn(make: Make) -> None:
    model = await make({"chunks": ["one"]}, {"chunks": ["two"]})
    assert [text_of(await ask(model)) for _ in range(2)] == ["one", "two"]


async def test_thinking_and_calls_are_deltas_of_their_own(make: Make) -> None:
    model = await make(
        {"thinking": "Hm.", "calls": [{"id": "c1", "name": "time", "arguments": {"zone": "UTC"}}]}
    )
    thinking, call, done = await ask(model)
    assert thinking == ThinkingDelta(text="Hm.")
    assert call == CallDelta(call=ToolCall(id="c1", name="time", arguments={"zone": "UTC"}))
    assert isinstance(done, Done)


async def test_a_malformed_call_arrives_as_one(make: Make) -> None:
    model = await make({"calls": [{"name": "time", "arguments": "{a"}]})
    first, _ = await ask(model)
    assert isinstance(first, CallDelta)
    assert (first.call.name, first.call.arguments) == ("time", {})
    assert first.call.malformed


async def test_an_answer_that_ran_out_of_tokens_says_so(make: Make) -> None:
    model = await make({"chunks": ["Once upon"], "done_reason": "length"})
    done = (await ask(model))[-1]
    assert isinstance(done, Done)
    assert done.reason == "length"


async def test_an_answer_that_breaks_off_is_a_bad_reply(make: Make) -> None:
    model = await make({"chunks": ["Once upon"], "is_cut": True})
    with pytest.raises(BadReply):
        await ask(model)


async def test_a_failure_is_a_model_error(make: Make) -> None:
    with pytest.raises(ModelError):
        await ask(await make({"error": "refused"}))


async def test_it_can_be_warmed_with_and_without_a_prompt(make: Make) -> None:
    model = await make()
    await model.warm()
    await model.warm(question())


async def test_an_answer_may_be_left_early_and_the_next_one_is_whole(make: Make) -> None:
    model = await make({"chunks": ["one", "more"]}, {"chunks": ["two"]})
    async with aclosing(model.chat(question())) as deltas:
        async for _ in deltas:
            break
    assert text_of(await ask(model)) == "two"


async def test_it_may_be_closed_twice(make: Make) -> None:
    model = await make()
    await model.close()
    await model.close()
