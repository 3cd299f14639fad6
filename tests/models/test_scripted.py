"""The model that says what a script says."""

from typing import Any

import pytest

from brain.config import Model
from brain.errors import ConfigError, ModelRefused, ModelUnreachable
from brain.models import ChatRequest, ScriptedModel, TextDelta
from tests.clocks import FakeClock
from tests.models.asking import ask, question, text_of


async def test_it_keeps_the_requests_it_was_given(clock: FakeClock) -> None:
    model = ScriptedModel(["Hello there."], clock=clock)
    asked = question("Hi")
    assert text_of(await ask(model, asked)) == "Hello there."
    assert model.requests == [asked]


async def test_a_reply_may_depend_on_the_request(clock: FakeClock) -> None:
    def echo(request: ChatRequest) -> str:
        return f"You said {request.messages[-1].text}"

    assert text_of(await ask(ScriptedModel([echo], clock=clock))) == "You said Hi"


async def test_after_its_last_reply_it_refuses_unless_it_repeats(clock: FakeClock) -> None:
    model = ScriptedModel(["Once."], clock=clock)
    await ask(model)
    with pytest.raises(ModelRefused, match="no further reply"):
        await ask(model)
    repeating = ScriptedModel(["First.", "Again."], clock=clock, repeats=True)
    assert [text_of(await ask(repeating)) for _ in range(3)] == ["First.", "Again.", "Again."]


async def test_a_text_streams_by_words_and_is_whole(clock: FakeClock) -> None:
    deltas = await ask(ScriptedModel(["two  spaces\nand a line"], clock=clock))
    assert text_of(deltas) == "two  spaces\nand a line"
    assert len([delta for delta in deltas if isinstance(delta, TextDelta)]) > 3


async def test_an_error_of_a_config_is_the_one_it_names(clock: FakeClock) -> None:
    options: dict[str, Any] = {"replies": [{"error": "unreachable", "message": "down"}]}
    settings = Model(provider="scripted", model_id="x", locality="local", options=options)
    with pytest.raises(ModelUnreachable, match="down"):
        await ask(ScriptedModel.from_settings(settings, clock=clock))


@pytest.mark.parametrize(
    "replies", ["Hello", 7, [7], [{"error": "on holiday"}], [{"calls": [{"arguments": {}}]}]]
)
def test_a_config_that_is_no_script_is_refused(clock: FakeClock, replies: Any) -> None:
    settings = Model(
        provider="scripted", model_id="x", locality="local", options={"replies": replies}
    )
    with pytest.raises(ConfigError):
        ScriptedModel.from_settings(settings, clock=clock)
