"""What models emit instead of a call, and exactly what becomes of it, on each lane.

Each answer comes in one piece and in single characters: the outcome is the same.
"""

from pathlib import Path
from typing import Any

import pytest

from brain.models import Done, TextDelta, ThinkingDelta
from brain.records import Effect
from tests.agent.forms import (
    LANE_CALL,
    LANES,
    NATIVE_CALL,
    NO_OBJECT,
    NOT_JSON,
    NOT_ONE,
    SAVED,
    SEVERAL,
    STORED,
    Outcome,
    empty,
    expect,
    native,
    outcome,
    plain,
    taken,
    told,
)  # fmt: skip
from tests.agent.world import DONE, NATIVE, calls

RUN = {
    "bare": "{call}",
    "json fence": "```json\n{call}\n```",
    "plain fence": "```\n{call}\n```",
    "tool_code fence": "```tool_code\n{call}\n```",
    "tool_call tag": "<tool_call>\n{call}\n</tool_call>",
    "function_call tag": "<function_call>{call}</function_call>",
    "tools tag": "<tools>{call}</tools>",
    "piped tag": "<|tool_call|>{call}<|/tool_call|>",
    "python tag": "<|python_tag|>{call}<|eom_id|>",
    "TOOL_CALLS": "[TOOL_CALLS][{call}]",
    "list": "[{call}]",
    "after thinking": "<think>I should keep it</think>\n{call}",
    "a tag unclosed": "<tool_call>{call}",
    "a fence unclosed": "```json\n{call}",
    "a fence in one line": "```json {call} ```",
    "a fence with a label in capitals": "```JSON\n{call}\n```",
    "a fence with carriage returns": "```json\r\n{call}\r\n```",
    "a tag in a fence": "```xml\n<tool_call>{call}</tool_call>\n```",
    "a tag in capitals": "<TOOL_CALL>{call}</TOOL_CALL>",
    "a tag closed that was not opened": "{call}</tool_call>",
    "the end of a message": "{call}<|im_end|>",
    "another family's tag": "<|tool_call_start|>[{call}]<|tool_call_end|>",
    "blanks around": "\n \t{call}\n\n",
    "arguments in a string": '{"name": "memory_note", "arguments": "{\\"note\\": \\"Likes tea\\"}"}',
    "parameters": '{"tool": "memory_note", "parameters": {"note": "Likes tea"}}',
    "args": '{"tool_name": "memory_note", "args": {"note": "Likes tea"}}',
    "a function": f'{{"type": "function", "function": {NATIVE_CALL}}}',
    "a list of calls": f'{{"tool_calls": [{{"id": "a", "type": "function", "function": {NATIVE_CALL}}}]}}',
}


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize("form", RUN)
async def test_a_call_in_a_fence_or_a_tag_runs_and_nothing_of_it_is_shown(
    tmp_path: Path, which: str, form: str
):
    call = NATIVE_CALL if which == "native" else LANE_CALL
    await expect(tmp_path, which, RUN[form].replace("{call}", call), taken(which))


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize(
    "name",
    [
        "functions.memory_note",
        "functions:memory_note",
        "tools.memory_note",
        "default_api.memory_note",
        "Memory_Note",
        " MEMORY_NOTE ",
    ],
)
async def test_a_name_with_a_prefix_or_in_another_case_is_the_tools(
    tmp_path: Path, which: str, name: str
):
    call = NATIVE_CALL if which == "native" else LANE_CALL
    await expect(tmp_path, which, call.replace("memory_note", name), taken(which, name=name))


PYTHON = {
    "a call": 'memory_note(note="Likes (green) tea")',
    "a call with a bare text": "memory_note('Likes tea')",
    "a list": '[memory_note(note="Likes tea")]',
    "two calls": 'memory_note(note="a")\nmemory_note(note="b")',
    "printed": 'print(memory_note(note="Likes tea"))',
    "a tool_code fence": '```tool_code\nprint(memory_note(note="Likes tea"))\n```',
    "a python tag": '<|python_tag|>memory_note(note="Likes tea")<|eom_id|>',
    "a tool_call tag": '<tool_call>memory_note(note="Likes tea")</tool_call>',
    "cut off": 'memory_note(note="Likes t',
    "single quotes": "{'name': 'memory_note', 'arguments': {'note': 'Likes tea'}}",
    "single quotes in the lane": "{'do': 'memory_note', 'note': 'Likes tea'}",
    "single quotes in a fence": "```json\n{'name': 'memory_note', 'arguments': {}}\n```",
    "a Python word": '{"name": "memory_note", "arguments": {"note": "a", "keep": True}}',
}


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize("form", PYTHON)
async def test_a_call_in_the_dress_of_python_is_told_and_neither_run_nor_shown(
    tmp_path: Path, which: str, form: str
):
    await expect(tmp_path, which, PYTHON[form], told(which, NOT_JSON))


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>\n<function=memory_note>\n<parameter=note>\ntea\n</parameter>\n</function>",
        '<function=memory_note>{"note": "Likes tea"}</function>',
    ],
)
async def test_a_call_in_tags_all_through_is_told_and_neither_run_nor_shown(
    tmp_path: Path, which: str, text: str
):
    await expect(tmp_path, which, text, told(which, NOT_JSON, name="unknown"))


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize(
    "text",
    [
        "<|channel|>commentary to=functions.memory_note <|message|>{}<|call|>",
        '<function_calls><invoke name="memory_note"></invoke></function_calls>',
        "<｜tool▁calls▁begin｜>memory_note<｜tool▁calls▁end｜>",
        '[TOOL_CALLS]memory_note[ARGS]{"note": "Likes tea"}',
        "<tool_call></tool_call>",
        "<tool_c",
    ],
)
async def test_the_marks_of_any_family_are_told_and_not_shown_where_no_json_is_in_them(
    tmp_path: Path, which: str, text: str
):
    await expect(tmp_path, which, text, told(which, NOT_JSON, name="unknown"))


UNREADABLE = {
    "cut in its arguments": '{"name": "memory_note", "arguments": {"note": "Likes t',
    "cut behind its name": '{"name": "memory_note", "argu',
    "a comma too many": '{"name": "memory_note", "arguments": {"note": "a",}}',
    "a key twice": '{"name": "memory_note", "arguments": {"note": "a", "note": "b"}}',
    "no value of JSON": '{"name": "memory_note", "arguments": {"note": undefined}}',
    "a fence": '```json\n{"name": "memory_note", "arguments": {"note": "a",}}\n```',
}


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize("form", UNREADABLE)
async def test_json_that_begins_as_a_call_and_can_not_be_read_is_told_and_not_shown(
    tmp_path: Path, which: str, form: str
):
    await expect(tmp_path, which, UNREADABLE[form], told(which, NOT_JSON))


@pytest.mark.parametrize("which", LANES)
async def test_a_call_that_is_cut_in_its_name_is_told_and_not_shown(tmp_path: Path, which: str):
    expected = told(which, NOT_JSON, name="unknown")
    await expect(tmp_path, which, '{"name": "memory_no', expected)


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize("arguments", ['["Likes tea"]', "null", '"Likes tea"', "7"])
async def test_arguments_that_are_no_object_are_told_and_nothing_runs(
    tmp_path: Path, which: str, arguments: str
):
    text = f'{{"name": "memory_note", "arguments": {arguments}}}'
    await expect(tmp_path, which, text, told(which, NOT_ONE, NO_OBJECT))


@pytest.mark.parametrize("which", LANES)
async def test_several_objects_in_one_string_of_arguments_are_told_and_none_is_picked(
    tmp_path: Path, which: str
):
    several = r'{"name": "memory_note", "arguments": "{\"note\": \"a\"}{\"note\": \"b\"}"}'
    await expect(tmp_path, which, several, told(which, NOT_ONE, NO_OBJECT))


SEVERAL_IN_ONE = {
    "lines": "{1}\n{2}",
    "nothing between": "{1}{2}",
    "a comma": "{1}, {2}",
    "two fences": "```json\n{1}\n```\n```json\n{2}\n```",
    "two tags": "<tool_call>{1}</tool_call>\n<tool_call>{2}</tool_call>",
    "a tag behind a bare one": "{1}\n<tool_call>{2}</tool_call>",
}


@pytest.mark.parametrize("form", SEVERAL_IN_ONE)
async def test_several_calls_in_one_answer_all_run_where_the_model_may_make_several(
    tmp_path: Path, form: str
):
    notes = ("Likes tea", "Lives in Hue")
    made = [NATIVE_CALL.replace("Likes tea", note) for note in notes]
    text = SEVERAL_IN_ONE[form].replace("{1}", made[0]).replace("{2}", made[1])
    expected = Outcome(
        shown="Done.",
        reply="Done.",
        effects=(*SAVED, Effect(kind="saved", number=2)),
        notes=notes,
        events=STORED * 2,
        rode=native("Stored as note 1.", "Stored as note 2.", notes=notes),
    )
    await expect(tmp_path, "native", text, expected)


@pytest.mark.parametrize("which", ["text", "free"])
@pytest.mark.parametrize("form", SEVERAL_IN_ONE)
async def test_several_calls_in_one_answer_are_told_where_one_is_asked_for(
    tmp_path: Path, which: str, form: str
):
    second = LANE_CALL.replace("Likes tea", "Lives in Hue")
    text = SEVERAL_IN_ONE[form].replace("{1}", LANE_CALL).replace("{2}", second)
    await expect(tmp_path, which, text, told(which, "", SEVERAL))


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize("text", ["", " \n\t", "<think>hm</think>", f"<think>{LANE_CALL}"])
async def test_an_empty_answer_and_one_that_only_thought_are_told_as_empty(
    tmp_path: Path, which: str, text: str
):
    await expect(tmp_path, which, text, empty())


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize(
    "steps", [[], [DONE], [Done(reason="length")], [ThinkingDelta(text="hm"), DONE]]
)
async def test_a_stream_that_ends_without_text_is_told_as_empty(
    tmp_path: Path, which: str, steps: list[Any]
):
    assert await outcome(tmp_path, LANES[which], steps) == empty()


@pytest.mark.parametrize("which", LANES)
async def test_a_call_that_was_only_thought_of_is_not_made(tmp_path: Path, which: str):
    call = NATIVE_CALL if which == "native" else LANE_CALL
    await expect(tmp_path, which, f"<think>{call}</think>Hello.", plain("Hello."))


@pytest.mark.parametrize("which", ["native", "text"])
@pytest.mark.parametrize("text", ["Sure!\n{call}", "{call}\nDone, it is saved."])
async def test_a_call_beside_talk_is_an_answer_and_a_claim_in_it_is_corrected(
    tmp_path: Path, which: str, text: str
):
    text = text.replace("{call}", NATIVE_CALL if which == "native" else LANE_CALL)
    await expect(tmp_path, which, text, plain(text))


@pytest.mark.parametrize("which", LANES)
@pytest.mark.parametrize(
    "text",
    [
        "time(s) are hard to tell.",
        "memory_note(…) stores a note.",
        'len("tea") is 3',
        'print("tea")',
        "{'name': 'Ada', 'age': 36}",
        "memory_note",
        "time",
        "[time]",
        "['tea', 'rice']",
        '{"name": "Ada", "arguments": {"age": 36}}',
        '{"id": 7, "type": "tea", "name": "Sencha"}',
        '{"memory_note": {"note": "Likes tea"}}',
        '{"note": "Likes tea"}',
        "`{call}`",
        "```python\nprint(1)\n```",
        "```\nplain\n```",
        "``",
    ],
)
async def test_what_only_looks_like_a_call_is_an_answer(tmp_path: Path, which: str, text: str):
    text = text.replace("{call}", NATIVE_CALL)
    await expect(tmp_path, which, text, plain(text))


@pytest.mark.parametrize("which", ["native", "text"])
@pytest.mark.parametrize(
    "text",
    [
        'memory_note(note="Likes tea") is how a note is kept.',
        "```python\nprint(time())\nprint(2)\n```",
    ],
)
async def test_a_python_call_that_talk_follows_and_code_are_answers(
    tmp_path: Path, which: str, text: str
):
    await expect(tmp_path, which, text, plain(text))


async def test_text_that_came_before_a_native_call_in_pieces_is_shown_and_the_call_runs(
    tmp_path: Path,
):
    steps = [TextDelta(text="One "), TextDelta(text="moment."), *calls("memory_note", note="x")]
    seen = await outcome(tmp_path, NATIVE, steps)
    assert (seen.shown, seen.reply) == ("One moment.\n\nDone.",) * 2
    assert (seen.effects, seen.notes, seen.events) == (SAVED, ("x",), STORED)
