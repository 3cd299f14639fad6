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
async def test_several_objects_in_one_string_of_arguments_are_told_and_none_is_picked(
    tmp_path: Path, which: str
):
    several = r'{"name": "memory_note", "arguments": "{\"note\": \"a\"}{\"note\": \"b\"}"}'
    await expect(tmp_path, which, several, told(which, NOT_ONE, NO_OBJECT))


async def test_several_calls_in_one_answer_all_run_where_the_model_may_make_several(
    tmp_path: Path,
):
    notes = ("Likes tea", "Lives in Hue")
    text = "\n".join(NATIVE_CALL.replace("Likes tea", note) for note in notes)
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
async def test_several_calls_in_one_answer_are_told_where_one_is_asked_for(
    tmp_path: Path, which: str
):
    text = LANE_CALL + "\n" + LANE_CALL.replace("Likes tea", "Lives in Hue")
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
    ],
)
async def test_what_only_looks_like_python_is_an_answer(tmp_path: Path, which: str, text: str):
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
