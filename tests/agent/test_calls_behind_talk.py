"""Tool tags behind talk, and native calls that could not be read: exactly what becomes of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from brain import config
from brain.models import CallDelta, TextDelta
from brain.records import Effect, Message, ToolCall
from tests.agent.forms import (
    ASKED,
    FAILED,
    LANE_CALL,
    LANES,
    MALFORMED,
    NATIVE_CALL,
    NOT_JSON,
    SAVED,
    SEVERAL,
    STORED,
    UNKNOWN,
    Outcome,
    expect,
    native,
    outcome,
    plain,
    taken,
    told,
)  # fmt: skip
from tests.agent.world import DONE, NATIVE, ToldModel, calls, open_world, says
from tests.clocks import FakeClock

TALK = {
    "a tag": "Sure!\n<tool_call>{call}</tool_call>",
    "a tag in the same line": "Sure! <tool_call>{call}</tool_call>",
    "a tag after a blank line": "Sure!\n\n  <function_call>\n{call}\n</function_call>\n",
    "a tag unclosed": "Sure!\n<tool_call>{call}",
    "a list": "Sure!\n[TOOL_CALLS][{call}]",
    "a piped tag": "Sure! <|tool_call|>{call}<|/tool_call|>",
    "a python tag": "Sure!<|python_tag|>{call}<|eom_id|>",
    "talk behind it": "Sure!\n<tool_call>{call}</tool_call>\nDone, it is saved.",
    "talk behind it, unclosed": "Sure!\n<tool_call>{call}\nDone, it is saved.",
    "thinking between": "Sure!\n<think>which tool?</think>\n<tool_call>{call}</tool_call>",
    "talk before it in a reply": "Sure!\n<tools>{call}</tools>",
}


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize("form", TALK)
async def test_a_call_in_a_tool_tag_behind_talk_runs_and_only_the_talk_is_shown(
    tmp_path: Path, which: str, form: str
):
    call = NATIVE_CALL if which == "native" else LANE_CALL
    await expect(tmp_path, which, TALK[form].replace("{call}", call), taken(which, talk="Sure!"))


@pytest.mark.parametrize("call", [NATIVE_CALL, LANE_CALL])
async def test_a_call_in_a_tool_tag_inside_a_reply_that_is_held_to_the_schema_runs(
    tmp_path: Path, call: str
):
    reply = json.dumps(
        {"do": "reply", "reply": f"Sure!\n<tool_call>{call}</tool_call>\nDone, it is saved."}
    )
    await expect(tmp_path, "text", reply, taken("text", talk="Sure!"))


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize("form", ["<tool_call>{call}</tool_call>\nSaved.", "```xml\n{tag}\n```"])
async def test_a_call_in_a_tool_tag_that_begins_an_answer_runs_whatever_is_said_behind_it(
    tmp_path: Path, which: str, form: str
):
    call = NATIVE_CALL if which == "native" else LANE_CALL
    text = form.replace("{tag}", "<tool_call>{call}</tool_call>").replace("{call}", call)
    await expect(tmp_path, which, text, taken(which))


UNREADABLE = {
    "Python's dress": '<tool_call>memory_note(note="Likes tea")</tool_call>',
    "single quotes": "<tool_call>{'name': 'memory_note', 'arguments': {}}</tool_call>",
    "cut off": '<tool_call>{"name": "memory_note", "arguments": {"note": "Li',
    "a Python word": '<tool_call>{"name": "memory_note", "arguments": {"a": True}}</tool_call>',
}


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize("form", UNREADABLE)
async def test_a_tool_tag_behind_talk_that_holds_no_whole_call_is_told_and_not_shown(
    tmp_path: Path, which: str, form: str
):
    text = f"Sure!\n{UNREADABLE[form]}"
    await expect(tmp_path, which, text, told(which, NOT_JSON, talk="Sure!"))


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize(
    "text",
    [
        "<function=memory_note>{}</function>",
        "<tool_call></tool_call>",
        "<tool_call>tea</tool_call>",
        '<tool_call>{"tea": "green"}</tool_call>',
        "<tool_call>",
        "<tool_ca",
        "[TOOL_CALLS",
    ],
)
async def test_a_tool_tag_behind_talk_that_names_no_tool_is_told_and_not_shown(
    tmp_path: Path, which: str, text: str
):
    expected = told(which, NOT_JSON, name="unknown", talk="Sure!")
    await expect(tmp_path, which, f"Sure!\n{text}", expected)


@pytest.mark.parametrize("which", LANES)
async def test_a_tool_that_is_not_there_is_answered_by_the_executor_also_in_a_tag_behind_talk(
    tmp_path: Path, which: str
):
    call = '{"name": "save_note", "arguments": {"note": "Likes tea"}}'
    seen = await outcome(tmp_path, LANES[which], says(*f"Sure!\n<tool_call>{call}</tool_call>"))
    assert (seen.shown, seen.reply, seen.truth) == ("Sure!\n\nDone.",) * 2 + ("nothing was saved",)
    assert seen.events == [("tool_denied", "unknown", "denied")]
    assert seen.rode is not None
    told_of = seen.rode[-1].text
    assert told_of.endswith("There is no such tool. The tools are: memory_note, time.")


@pytest.mark.parametrize("which", LANES)
async def test_tool_tags_that_can_not_be_read_a_second_time_end_the_exchange_honestly(
    tmp_path: Path, which: str
):
    text = "Sure!\n<tool_call>tea</tool_call>"
    seen = await outcome(tmp_path, LANES[which], says(*text), says(*text))
    assert (seen.shown, seen.failed) == ("Sure!\n\nSure!", "malformed_calls")
    assert seen.events == UNKNOWN * 2


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize(
    "text",
    [
        "Such a call is `<tool_call>{call}</tool_call>`, in one line.",
        "The <tool_call> tag and the <tools> tag begin calls.",
        "See [1] and <b>this</b>, or a < b.",
        "See [TOOLS] and <tool.",
    ],
)
async def test_a_tool_tag_that_is_written_about_is_an_answer(tmp_path: Path, which: str, text: str):
    text = text.replace("{call}", NATIVE_CALL)
    await expect(tmp_path, which, text, plain(text))


@pytest.mark.parametrize("which", ["native", "text"])
@pytest.mark.parametrize(
    "text",
    [
        "It looks so:\n```json\n{call}\n```\nThat is all.",
        "It looks so:\n```\n<tool_call>{call}</tool_call>\n```\nThat is all.",
        "It looks so: {call}",
        "```json\n{call}\n```\nThat is how it looks.",
    ],
)
async def test_json_and_a_fence_beside_talk_are_an_answer_on_the_lanes_that_take_whole_calls(
    tmp_path: Path, which: str, text: str
):
    text = text.replace("{call}", NATIVE_CALL if which == "native" else LANE_CALL)
    await expect(tmp_path, which, text, plain(text))


async def test_several_calls_in_tags_behind_talk_all_run_where_the_model_may_make_several(
    tmp_path: Path,
):
    notes = ("Likes tea", "Lives in Hue")
    tags = (f"<tool_call>{NATIVE_CALL.replace('Likes tea', note)}</tool_call>" for note in notes)
    seen = Outcome(
        shown="Sure!\n\nDone.",
        reply="Sure!\n\nDone.",
        effects=(*SAVED, Effect(kind="saved", number=2)),
        notes=notes,
        events=STORED * 2,
        rode=native("Stored as note 1.", "Stored as note 2.", notes=notes, talk="Sure!"),
    )
    await expect(tmp_path, "native", "\n".join(("Sure!", *tags)), seen)


@pytest.mark.parametrize("which", ["text", "free"])
@pytest.mark.parametrize("second", ["<tool_call>{call}</tool_call>", "{call}"])
async def test_several_calls_in_tags_behind_talk_are_told_where_one_is_asked_for(
    tmp_path: Path, which: str, second: str
):
    second = second.replace("{call}", LANE_CALL.replace("Likes tea", "Lives in Hue"))
    text = f"Sure!\n<tool_call>{LANE_CALL}</tool_call>\n{second}"
    await expect(tmp_path, which, text, told(which, "", SEVERAL, talk="Sure!"))


async def test_without_tools_a_tool_tag_is_text_like_any_other(tmp_path: Path):
    text = f"Sure!\n<tool_call>{NATIVE_CALL}</tool_call>"
    agent = config.Agent(tools=(), governance=())
    async with open_world(tmp_path, FakeClock(), ToldModel(says(*text)), agent=agent) as world:
        assert (await world.say(ASKED)).text == "".join(world.shown) == text


NATIVE_CALLS = {
    "a prefix": (ToolCall(id="a", name="functions.memory_note", arguments={"note": "Likes tea"}),),
    "another case": (ToolCall(id="a", name="MEMORY_NOTE", arguments={"note": "Likes tea"}),),
}


@pytest.mark.parametrize("form", NATIVE_CALLS)
async def test_a_native_call_with_a_prefix_or_in_another_case_runs(tmp_path: Path, form: str):
    (call,) = NATIVE_CALLS[form]
    seen = await outcome(tmp_path, NATIVE, [CallDelta(call=call), DONE])
    rode = [
        Message(role="assistant", text="", calls=(call,)),
        Message(role="tool", text="Stored as note 1.", call_id="a", tool_name=call.name),
    ]
    assert seen == replace(taken("native"), rode=rode)


@pytest.mark.parametrize(
    ("name", "why", "events", "truth"),
    [
        ("memory_note", "the arguments held more than one JSON value", FAILED, ""),
        ("", "the call named no function", UNKNOWN, "nothing was saved"),
    ],
)
async def test_a_native_call_that_could_not_be_read_is_told_and_not_run(
    tmp_path: Path, name: str, why: str, events: list[tuple[str, str, str]], truth: str
):
    call = ToolCall(id="a", name=name, malformed=why)
    seen = await outcome(tmp_path, NATIVE, [CallDelta(call=call), DONE])
    rode = [
        Message(role="assistant", text="", calls=(call,)),
        Message(role="tool", text=f"The call failed: {why}.", call_id="a", tool_name=name),
    ]
    assert seen == Outcome(
        shown="Done.",
        reply="Done.",
        truth=truth,
        effects=() if truth else MALFORMED,
        events=events,
        rode=rode,
    )


async def test_native_calls_in_chunks_with_text_between_run_in_order_and_the_text_is_one(
    tmp_path: Path,
):
    made = [
        ToolCall(id=one, name="memory_note", arguments={"note": note})
        for one, note in (("a", "Likes tea"), ("b", "Lives in Hue"))
    ]
    steps = [
        TextDelta(text="One "),
        CallDelta(call=made[0]),
        TextDelta(text="moment."),
        CallDelta(call=made[1]),
        DONE,
    ]
    seen = await outcome(tmp_path, NATIVE, steps)
    assert (seen.shown, seen.reply) == ("One moment.\n\nDone.",) * 2
    assert (seen.notes, seen.events) == (("Likes tea", "Lives in Hue"), STORED * 2)
    assert seen.rode is not None
    assert seen.rode[0] == Message(role="assistant", text="One moment.", calls=tuple(made))
    assert [message.call_id for message in seen.rode[1:]] == ["a", "b"]


async def test_a_native_call_that_is_written_in_a_tag_as_well_runs_once(tmp_path: Path):
    steps = [
        TextDelta(text=f"Sure!\n<tool_call>{NATIVE_CALL}</tool_call>"),
        *calls("memory_note", note="Likes tea"),
    ]
    seen = await outcome(tmp_path, NATIVE, steps)
    assert (seen.shown, seen.notes, seen.events) == ("Sure!\n\nDone.", ("Likes tea",), STORED)
