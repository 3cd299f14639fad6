"""Thinking that no tag opens, for the template wrote it: never shown, and talk is not held for it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.models import Capabilities, Done, TextDelta, ThinkingDelta
from tests.agent.forms import (
    ASKED,
    LANE_CALL,
    LANES,
    NATIVE_CALL,
    NOT_JSON,
    Outcome,
    both,
    empty,
    outcome,
    plain,
    taken,
    told,
)
from tests.agent.world import DONE, NATIVE, TEXT, ToldModel, open_world, says
from tests.clocks import FakeClock

OPENS = {which: replace(lane, opens_thinking=True) for which, lane in LANES.items()}
CUT = Done(reason="length", prompt_tokens=9, reply_tokens=3)


def hello(which: str) -> str:
    return '{"do": "reply", "reply": "Hello."}' if which == "text" else "Hello."


async def expect_of(folder: Path, which: str, text: str, expected: Outcome) -> None:
    for how, answer in both(text):
        assert await outcome(folder / how, OPENS[which], answer) == expected, how


async def shown_by(folder: Path, capabilities: Capabilities, *steps: Any) -> tuple[str, str]:
    """Return what was shown when `steps` had come, and at the end."""
    so_far: list[str] = []
    model = ToldModel(
        [*steps, lambda: so_far.append("".join(world.shown)), DONE], capabilities=capabilities
    )
    async with open_world(folder, FakeClock(), model) as world:
        await world.say("hello")
        return so_far[0], "".join(world.shown)


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize(
    "thoughts",
    [
        "They greet me.</think>\n\n",
        "</think>",
        " \n</THINKING>\n",
        "The tag `</think>` ends it. Now I know.</think>",
        "It opened <think>again</think>",
        "I might call <tool_call>{}</tool_call></think>",
        "<think>They greet me.</think>",
        "<think></think>\n",
    ],
)
async def test_thinking_that_nothing_opened_is_never_shown(
    tmp_path: Path, which: str, thoughts: str
):
    await expect_of(tmp_path, which, thoughts + hello(which), plain("Hello."))


@pytest.mark.parametrize("which", LANES)
async def test_a_call_behind_thinking_that_nothing_opened_runs(tmp_path: Path, which: str):
    call = NATIVE_CALL if which == "native" else LANE_CALL
    await expect_of(tmp_path, which, f"I should keep it.</think>\n{call}", taken(which))
    talk = f"I should keep it.</think>\nSure!\n<tool_call>{call}</tool_call>"
    await expect_of(tmp_path / "talk", which, talk, taken(which, talk="Sure!"))


@pytest.mark.parametrize("which", LANES)
async def test_a_call_that_was_only_thought_of_is_not_made_where_nothing_opened_the_thinking(
    tmp_path: Path, which: str
):
    call = NATIVE_CALL if which == "native" else LANE_CALL
    for form in ("{call}", "<tool_call>{call}</tool_call>", 'memory_note(note="Likes tea")'):
        text = f"{form.replace('{call}', call)}\n</think>{hello(which)}"
        await expect_of(tmp_path / str(len(text)), which, text, plain("Hello."))


@pytest.mark.parametrize("which", ["native", "free"])
async def test_an_answer_without_any_thinking_is_shown_when_it_has_ended(
    tmp_path: Path, which: str
):
    await expect_of(tmp_path, which, "Hello.", plain("Hello."))
    shown = await shown_by(tmp_path / "shown", OPENS[which], TextDelta(text="Hello."))
    assert shown == ("", "Hello.")


@pytest.mark.parametrize("which", LANES)
async def test_an_answer_that_was_cut_before_its_thinking_ended_is_empty(
    tmp_path: Path, which: str
):
    steps = [TextDelta(text="They greet me, so"), CUT]
    assert await outcome(tmp_path, OPENS[which], steps) == empty()


async def test_a_model_that_was_cut_while_it_thought_is_asked_once_more_without_thinking(
    tmp_path: Path,
):
    able = replace(OPENS["native"], thinking=True)
    model = ToldModel([TextDelta(text="They greet me, so"), CUT], says("Hello."), capabilities=able)
    async with open_world(tmp_path, FakeClock(), model) as world:
        assert (await world.say(ASKED)).text == "".join(world.shown) == "Hello."
    assert [request.think for request in model.requests] == [None, False]


@pytest.mark.parametrize(
    ("capabilities", "steps"),
    [
        (NATIVE, [TextDelta(text="Hello.")]),
        (replace(NATIVE, thinking=True), [TextDelta(text="Hello.")]),
        (OPENS["native"], [ThinkingDelta(text="They greet me."), TextDelta(text="Hello.")]),
        (OPENS["free"], [ThinkingDelta(text="They greet me."), TextDelta(text="Hello.")]),
        (OPENS["native"], [TextDelta(text="They greet me.</think>Hello.")]),
        (OPENS["native"], [TextDelta(text="<think>They greet me.</think>Hello.")]),
        (OPENS["text"], [TextDelta(text='{"do": "reply", "reply": "Hello.')]),
        (TEXT, [TextDelta(text='{"do": "reply", "reply": "Hello.')]),
    ],
    ids=[
        "a model that does not think",
        "a model whose template opens nothing",
        "a server that sends thinking apart",
        "a server that sends thinking apart from a free answer",
        "the thinking has ended",
        "the thinking was opened and has ended",
        "an answer that is held to the schema",
        "an answer of a model that does not think",
    ],
)
async def test_talk_is_shown_as_soon_as_it_is_known_to_be_none(
    tmp_path: Path, capabilities: Capabilities, steps: list[Any]
):
    assert (await shown_by(tmp_path, capabilities, *steps))[0] == "Hello."


@pytest.mark.parametrize("which", LANES)
async def test_a_malformed_call_behind_thinking_that_nothing_opened_is_told(
    tmp_path: Path, which: str
):
    text = 'I should keep it.</think>memory_note(note="Likes tea")'
    await expect_of(tmp_path, which, text, told(which, NOT_JSON))
