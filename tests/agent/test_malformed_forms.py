"""What models emit instead of a call, and exactly what becomes of it, on each lane.

Each answer comes in one piece and in single characters: the outcome is the same.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from brain.models import Capabilities, Done, TextDelta, ThinkingDelta
from brain.records import Effect, Message, Reply, ToolCall
from tests.agent.world import DONE, NATIVE, TEXT, ToldModel, World, calls, open_world, says
from tests.clocks import FakeClock

FREE = replace(TEXT, constrained=False)
ASKED = "remember that I like tea"
SAVED = (Effect(kind="saved", number=1),)
MALFORMED = (Effect(kind="refused", reason="the call was malformed"),)
STORED = [("note_stored", "memory_note", "model"), ("tool_used", "memory_note", "ok")]
FAILED = [("tool_used", "memory_note", "error")]
UNKNOWN = [("tool_denied", "unknown", "malformed")]
EMPTY = "scripted/first gave an empty answer. Your message is kept.\nAsk again in other words."
NOT_JSON = "the call is not valid JSON; nothing was run"
NOT_ONE = "the arguments of the call must be one JSON object"
NOT_AN_ANSWER = "the answer was not one whole JSON object; answer again with one, as shown"
NO_OBJECT = "the arguments were not one JSON object"
SEVERAL = "there were several calls in one answer; ask for one and wait for its result"

NATIVE_CALL = '{"name": "memory_note", "arguments": {"note": "Likes tea"}}'
LANE_CALL = '{"do": "memory_note", "note": "Likes tea"}'
LANES = {"native": NATIVE, "text": TEXT, "free": FREE}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """All that can be seen of an exchange."""

    shown: str
    reply: str
    failed: str = ""
    truth: str = ""
    effects: tuple[Effect, ...] = ()
    notes: tuple[str, ...] = ()
    events: list[tuple[str, str, str]]
    rode: list[Message] | None = None
    """What the second request holds behind the user's message; None: there was none."""


async def outcome(folder: Path, capabilities: Capabilities, answer: Any) -> Outcome:
    done = '{"do": "reply", "reply": "Done."}' if capabilities == TEXT else "Done."
    model = ToldModel(answer, says(done), capabilities=capabilities)
    async with open_world(folder, FakeClock(), model) as world:
        reply = await world.say(ASKED)
        return await _seen(world, reply)


async def _seen(world: World, reply: Reply) -> Outcome:
    quiet = ("message_received", "model_called", "reply_sent", "exchange_failed")
    rode = None
    if len(world.model.requests) > 1:
        messages = list(world.model.requests[1].messages)
        said = messages.index(Message(role="user", text=ASKED))
        rode = messages[said + 1 :]
    lines = [text for role, text in await world.lines() if role == "assistant"]
    assert lines == ([reply.text] if reply.outcome == "answered" else [])
    return Outcome(
        shown="".join(world.shown),
        reply=reply.text,
        failed=reply.code,
        truth=reply.truth,
        effects=reply.effects,
        notes=tuple(note.text for note in await world.notes()),
        events=[
            (str(row["type"]), str(row["tool"]), str(row["outcome"]))
            for row in await world.events()
            if row["type"] not in quiet
        ],
        rode=rode,
    )


def native(
    *observed: str, name: str = "memory_note", malformed: str = "", notes: tuple[str, ...] = ()
) -> list[Message]:
    """What rides on the native lane: the calls, and an observation for each."""
    ids = ["call-1", *(f"call-1-{n}" for n in range(2, len(observed) + 1))]
    made = tuple(
        ToolCall(id=one, name=name, arguments={"note": note} if note else {}, malformed=malformed)
        for one, note in zip(ids, notes or ("",) * len(ids), strict=True)
    )
    told = [
        Message(role="tool", text=text, call_id=one, tool_name=name)
        for one, text in zip(ids, observed, strict=True)
    ]
    return [Message(role="assistant", text="", calls=made), *told]


def lane(why: str, *, name: str = "memory_note") -> list[Message]:
    """What rides on the text lane of a call that could not be read."""
    told = f"[Result of {name}, not the user's words] The call failed: {why}."
    return [
        Message(role="assistant", text=f'{{"do": "{name}"}}'),
        Message(role="user", text=told),
    ]


def taken(which: str, *, name: str = "memory_note") -> Outcome:
    """The call ran: on a text lane the runtime answers itself, and the model is not asked again."""
    if which != "native":
        said = "I saved that as note 1."
        return Outcome(shown=said, reply=said, effects=SAVED, notes=("Likes tea",), events=STORED)
    rode = native("Stored as note 1.", name=name, notes=("Likes tea",))
    return Outcome(
        shown="Done.", reply="Done.", effects=SAVED, notes=("Likes tea",), events=STORED, rode=rode
    )


def told(which: str, why: str, lane_why: str = NOT_AN_ANSWER, *, name: str = "") -> Outcome:
    """Nothing ran, nothing of it was shown, and the model was told once."""
    is_known = name != "unknown"
    name = name or "memory_note"
    rode = (
        native(f"The call failed: {why}.", name=name, malformed=why)
        if which == "native"
        else lane(lane_why, name=name)
    )
    return Outcome(
        shown="Done.",
        reply="Done.",
        truth="" if is_known else "nothing was saved",
        effects=MALFORMED if is_known else (),
        events=FAILED if is_known else UNKNOWN,
        rode=rode,
    )


def plain(text: str) -> Outcome:
    """It is an answer, shown and stored as it is, and what was asked for was not done."""
    return Outcome(shown=text, reply=text, truth="nothing was saved", events=[])


def empty() -> Outcome:
    return Outcome(shown="", reply=EMPTY, failed="empty_reply", events=[])


def both(text: str) -> list[tuple[str, list[Any]]]:
    return [("whole", says(text)), ("split", says(*text))]


async def expect(folder: Path, which: str, text: str, expected: Outcome) -> None:
    for how, answer in both(text):
        assert await outcome(folder / how, LANES[which], answer) == expected, how


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
