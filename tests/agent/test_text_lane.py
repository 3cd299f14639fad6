import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.agent.claims import claims_save
from brain.agent.languages import sentence
from brain.agent.text_lane import (
    AnswerReader,
    ParsedAnswer,
    answer_schema,
    in_lane,
    render_call,
    render_reply,
    teach,
)
from brain.config import NOTES_HEADER
from brain.records import JSONValue, Message, ToolCall, ToolSpec

NOTE = ToolSpec(
    name="memory_note",
    description="Keep a short fact.",
    parameters={
        "type": "object",
        "properties": {"note": {"type": "string", "maxLength": 200, "description": "The fact."}},
        "required": ["note"],
        "additionalProperties": False,
    },
)
TIME = ToolSpec(
    name="time",
    description="Tell the present time.",
    parameters={"type": "object", "properties": {}, "additionalProperties": False},
)
TOOLS = (TIME, NOTE)


def read(*pieces: str, within_text: bool = False) -> tuple[str, ParsedAnswer]:
    reader = AnswerReader(TOOLS, within_text=within_text)
    shown = "".join(reader.feed(piece) for piece in pieces)
    return shown, reader.finish()


def note(text: str, *, malformed: str = "") -> ToolCall:
    arguments = {} if malformed else {"note": text}
    return ToolCall(id="call", name="memory_note", arguments=arguments, malformed=malformed)


def splits(text: str) -> list[tuple[str, ...]]:
    """Every way to cut a text in two, and into single characters."""
    return [(text[:at], text[at:]) for at in range(len(text) + 1)] + [tuple(text)]


# Reading a reply


def test_a_reply_is_shown_as_it_comes() -> None:
    reader = AnswerReader(TOOLS)
    assert reader.feed('{"do": "reply", "re') == ""
    assert reader.feed('ply": "Hel') == "Hel"
    assert reader.feed("lo, ") == "lo, "
    assert reader.feed('you"}') == "you"
    assert reader.finish() == ParsedAnswer(reply="Hello, you")


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        'with "quotes" and \\ and / and\nlines\tand tabs',
        "日本語 😀 안녕",
        "\x00\x1f\x7f",
        "",
    ],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_reply_reads_the_same_wherever_its_pieces_are_cut(text: str, ascii_only: bool) -> None:
    answer = json.dumps({"do": "reply", "reply": text}, ensure_ascii=ascii_only)
    for pieces in splits(answer):
        assert read(*pieces) == (text, ParsedAnswer(reply=text))


def test_half_a_surrogate_pair_becomes_the_replacement_character() -> None:
    for pieces in splits(r'{"do":"reply","reply":"a\ud83db\udc00c\ud83d"}'):
        assert read(*pieces)[1] == ParsedAnswer(reply="a\ufffdb\ufffdc\ufffd")


def test_a_reply_that_was_cut_off_says_so() -> None:
    assert read('{"do":"reply","reply":"once upon a ti') == (
        "once upon a ti",
        ParsedAnswer(reply="once upon a ti", is_cut=True),
    )
    assert read('{"do":"reply","reply":"x\\u12')[1] == ParsedAnswer(reply="x", is_cut=True)


def test_plain_text_is_a_reply_and_is_shown_at_once() -> None:
    assert read("Hel", "lo") == ("Hello", ParsedAnswer(reply="Hello"))
    assert read("") == ("", ParsedAnswer(reply=""))


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Bob", "age": 3}',
        '{"name": "memory_note", "age": 3}',
        "{ not json }",
        "{}",
        "{",
        '{"',
        "[1, 2]",
        "<b>bold</b>",
        "```python\nprint(1)\n```",
        "```json\n[1]\n```",
        "```",
        '{"reply": 3}',
        '{"do": "time"} is what I would answer',
        '{"name": "x", "arguments": {}}',
        '{"arguments": 1',
        '{"name": "Bob',
        "   ",
    ],
)
@pytest.mark.parametrize("piecewise", [True, False])
def test_json_and_code_that_is_no_call_is_an_answer(text: str, piecewise: bool) -> None:
    shown, answer = read(*(text if piecewise else [text]))
    assert answer.reply == text
    assert shown + answer.unshown == text


@pytest.mark.parametrize(
    "text", ["<tool_call>", "<tool_c", '{"do', '{"d', '{"name', '<tool_call>{"na', '{"do": "ti']
)
@pytest.mark.parametrize("piecewise", [True, False])
def test_the_beginning_of_a_call_alone_is_a_malformed_call_and_never_shown(
    text: str, piecewise: bool
) -> None:
    shown, answer = read(*(text if piecewise else [text]))
    assert "".join(shown) == ""
    assert answer.reply is None
    assert answer.malformed.startswith("the answer was not one whole JSON object")


def test_what_cannot_be_a_call_is_not_held_back() -> None:
    reader = AnswerReader(TOOLS)
    assert reader.feed('{"title"') == '{"title"'
    assert reader.feed(": 1}") == ": 1}"


# Reading a call


@pytest.mark.parametrize(
    "text",
    [
        '{"do": "memory_note", "note": "I like tea"}',
        '  {"do":"memory_note","note":"I like tea"}\n',
        '{"do": "memory_note", "arguments": {"note": "I like tea"}}',
        '{"tool": "memory_note", "arguments": {"note": "I like tea"}}',
        '{"name": "memory_note", "arguments": {"note": "I like tea"}}',
        '{"name": "memory_note", "parameters": {"note": "I like tea"}}',
        '{"name": "memory_note", "arguments": "{\\"note\\": \\"I like tea\\"}"}',
        '{"function": {"name": "memory_note", "arguments": {"note": "I like tea"}}}',
        '```json\n{"do": "memory_note", "note": "I like tea"}\n```',
        '<tool_call>\n{"name": "memory_note", "arguments": {"note": "I like tea"}}\n</tool_call>',
        '[TOOL_CALLS][{"name": "memory_note", "arguments": {"note": "I like tea"}}]',
    ],
)
def test_a_call_is_read_in_the_shapes_that_models_use_and_never_shown(text: str) -> None:
    for pieces in splits(text):
        assert read(*pieces) == ("", ParsedAnswer(call=note("I like tea")))


def test_the_taught_shape_asks_for_a_tool_that_nobody_announced_too() -> None:
    """The executor denies it and tells the model which names there are."""
    assert read('{"do": "launch", "at": 5}')[1].call == ToolCall(
        id="call", name="launch", arguments={"at": 5}
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"do": "memory_note", "note": "I li', "not one whole JSON object"),
        ('{"do": "memory_note", "note": "a", "note": "b"}', "not one whole JSON object"),
        ('{"do": "memory_note", "note": NaN}', "not one whole JSON object"),
        ('{"do": "memory_note", "note": "a"} {"do": "memory_note", "note": "b"}', "several calls"),
        ('{"name": "memory_note", "arguments": "{} {}"}', "not one JSON object"),
        ('{"name": "memory_note", "arguments": "tea"}', "not one JSON object"),
        ('{"name": "memory_note", "arguments": ["tea"]}', "not one JSON object"),
        ('{"do": "memory_note", "note": ' + "[" * 100_000, "not one whole JSON object"),
        ('{"do": "memory_note", "note": ' + "1" * 5_000 + "}", "not one whole JSON object"),
    ],
)
def test_what_was_meant_as_a_call_and_cannot_be_read_is_malformed(text: str, why: str) -> None:
    shown, answer = read(text)
    assert shown == ""
    assert answer.call is not None
    assert (answer.call.name, answer.call.arguments) == ("memory_note", {})
    assert why in answer.malformed


def test_without_constraint_a_call_may_stand_on_a_line_of_its_own() -> None:
    text = 'I will keep that.\n{"do": "memory_note", "note": "I like tea"}\nDone, it is saved.'
    for pieces in splits(text):
        assert read(*pieces, within_text=True) == (
            "I will keep that.\n",
            ParsedAnswer(call=note("I like tea"), before="I will keep that."),
        )


def test_with_constraint_a_call_in_the_middle_of_text_is_text() -> None:
    text = 'Write:\n{"do": "memory_note", "note": "I like tea"}'
    assert read(*text) == (text, ParsedAnswer(reply=text))


@given(st.lists(st.text(max_size=12), max_size=12), st.booleans())
def test_any_text_reads_and_nothing_of_it_is_lost_or_shown_twice(
    pieces: list[str], within_text: bool
) -> None:
    shown, answer = read(*pieces, within_text=within_text)
    assert (answer.reply is None) != (answer.call is None)
    if answer.reply is not None:
        assert answer.reply == shown + answer.unshown


_fragments = st.sampled_from(
    [
        *'{}[]" ,:\\\n',
        '{"do"',
        ': "',
        "reply",
        "memory_note",
        '"note": "',
        "\\u",
        "d83d",
        "```json\n",
        "```",
        "<tool_call>",
        "name",
        "arguments",
    ]
)


@given(st.lists(_fragments, max_size=30), st.booleans())
def test_any_broken_answer_reads_and_shows_no_piece_of_a_call(
    pieces: list[str], within_text: bool
) -> None:
    shown, answer = read(*pieces, within_text=within_text)
    whole = read("".join(pieces), within_text=within_text)
    assert (shown, answer) == whole or answer == whole[1]
    if answer.call is not None:
        assert answer.call.arguments == {} or answer.call.malformed == ""
        assert answer.before == shown.strip()


_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
_keys = st.text(max_size=8) | st.sampled_from(["do", "arguments", "reply", "name", "function"])


@given(
    st.text(min_size=1, max_size=20) | st.sampled_from(["reply", "time"]),
    st.dictionaries(_keys, _values, max_size=4),
    st.booleans(),
)
def test_reading_what_was_rendered_gives_the_same_call(
    name: str, arguments: dict[str, JSONValue], within_text: bool
) -> None:
    call = ToolCall(id="call", name=name, arguments=arguments)
    assert read(*render_call(call), within_text=within_text) == ("", ParsedAnswer(call=call))


@given(st.text(), st.booleans())
def test_reading_a_rendered_reply_gives_the_same_text(text: str, within_text: bool) -> None:
    pieces = tuple(render_reply(text))
    assert read(*pieces, within_text=within_text) == (text, ParsedAnswer(reply=text))


# The schema


def test_an_answer_is_a_reply_or_a_call_of_an_announced_tool() -> None:
    assert answer_schema(TOOLS) == {
        "anyOf": [
            {
                "type": "object",
                "properties": {"do": {"const": "reply"}, "reply": {"type": "string"}},
                "required": ["do", "reply"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"do": {"const": "time"}},
                "required": ["do"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {
                    "do": {"const": "memory_note"},
                    "note": {"type": "string", "maxLength": 200},
                },
                "required": ["do", "note"],
                "additionalProperties": False,
            },
        ]
    }


def test_the_words_of_the_lane_come_first_in_an_answer() -> None:
    assert list(answer_schema(TOOLS)["anyOf"][2]["properties"]) == ["do", "note"]  # type: ignore[index,call-overload,arg-type]


def test_what_a_grammar_cannot_hold_is_left_out_and_every_string_has_a_bound() -> None:
    tool = ToolSpec(
        name="find",
        description="Find.",
        parameters={
            "type": "object",
            "properties": {
                "what": {"type": "string", "pattern": "(?=x)", "format": "uri"},
                "long": {"type": "string", "maxLength": 50_000},
                "kind": {"type": "string", "enum": ["a", "b"]},
                "tags": {"type": "array", "items": {"type": "string", "maxLength": 9}},
                "any": {"oneOf": [{"type": "integer", "title": "n"}, {"type": "null"}]},
            },
            "required": ["what"],
        },
    )
    schema: Any = answer_schema((tool,))
    assert schema["anyOf"][1] == {
        "type": "object",
        "properties": {
            "do": {"const": "find"},
            "what": {"type": "string", "maxLength": 1000},
            "long": {"type": "string", "maxLength": 2000},
            "kind": {"type": "string", "enum": ["a", "b"]},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 9}},
            "any": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
        "required": ["do", "what"],
        "additionalProperties": False,
    }


def test_a_tool_whose_parameters_are_words_of_the_lane_is_asked_for_with_nested_arguments() -> None:
    tool = ToolSpec(
        name="run",
        description="Run.",
        parameters={"type": "object", "properties": {"do": {"type": "boolean"}}},
    )
    schema: Any = answer_schema((tool,))
    assert schema["anyOf"][1]["properties"] == {
        "do": {"const": "run"},
        "arguments": {
            "type": "object",
            "properties": {"do": {"type": "boolean"}},
            "additionalProperties": False,
        },
    }


# Teaching


def test_with_nothing_announced_nothing_is_taught() -> None:
    assert teach(()) == ""
    assert answer_schema(()) is None


def test_the_same_tools_are_taught_with_the_same_bytes() -> None:
    assert teach(TOOLS) == teach(tuple(TOOLS)) == teach(tuple(reversed(TOOLS)))
    assert teach(TOOLS) != teach((NOTE,))


def test_every_announced_tool_is_described_and_shown_and_no_other_is() -> None:
    taught = teach(TOOLS)
    assert "memory_note: Keep a short fact." in taught
    assert '{"do": "time"}' in taught
    assert "calc" not in taught


def test_where_no_note_can_be_kept_the_lane_teaches_to_say_so_and_names_no_tool_for_it() -> None:
    """A denied tool is invisible; what it would have been asked for still comes up."""
    taught = teach((TIME,))
    assert "you can't keep notes" in taught
    for words in (
        "can't keep",
        "no puedo guardar",
        "残せません",
        "không lưu được",
        "남길 수 없어요",
    ):
        assert len([text for text in replies_of(taught) if words in text]) == 1
    assert "memory_note" not in taught
    assert "you can't keep notes" not in teach(TOOLS)


def replies_of(taught: str) -> list[str]:
    shown = [line for line in taught.splitlines() if line.startswith("Answer: ")]
    answers = [read(line.removeprefix("Answer: "))[1] for line in shown]
    assert [answer.malformed for answer in answers if answer.malformed] == []
    return [answer.reply for answer in answers if answer.reply is not None]


def test_no_example_of_a_lane_without_notes_claims_a_save() -> None:
    assert [text for text in replies_of(teach((TIME,))) if claims_save(text)] == []


def test_every_example_of_the_lane_is_an_answer_that_the_lane_reads() -> None:
    shown = [
        line.removeprefix("Answer: ")
        for line in teach(TOOLS).splitlines()
        if line.startswith("Answer: ")
    ]
    answers = [read(line)[1] for line in shown]
    assert {answer.call.name for answer in answers if answer.call} == {"time", "memory_note"}
    assert [answer.malformed for answer in answers if answer.malformed] == []
    assert any(answer.reply for answer in answers)


def test_a_result_is_taught_in_the_words_in_which_it_comes() -> None:
    calc = ToolSpec(
        name="calc",
        description="Calculate.",
        parameters={"type": "object", "properties": {"expression": {"type": "string"}}},
    )
    result = Message(role="tool", tool_name="calc", text="408")
    assert f"User: {in_lane((result,), (calc,))[0].text}\n" in teach((calc,))


def test_a_tool_that_brain_does_not_know_is_taught_from_its_schema() -> None:
    tool = ToolSpec(
        name="light",
        description="Switch a light.",
        parameters={
            "type": "object",
            "properties": {"room": {"type": "string"}, "state": {"enum": ["on", "off"]}},
            "required": ["room", "state"],
        },
    )
    assert '{"do": "light", "room": "<room>", "state": "on"}' in teach((tool,))


def test_a_foreign_tool_with_a_known_name_is_not_taught_with_our_examples() -> None:
    foreign = ToolSpec(
        name="memory_note",
        description="Another.",
        parameters={"type": "object", "properties": {"body": {}}, "required": ["body"]},
    )
    taught = teach((foreign,))
    assert '{"do": "memory_note", "body": "<body>"}' in taught
    assert '"note"' not in taught


# The prompt in the lane


def test_an_exchange_is_shown_to_the_model_as_it_would_have_written_it() -> None:
    call = ToolCall(id="7", name="memory_note", arguments={"note": "tea"})
    messages = (
        Message(role="system", text="S"),
        Message(role="user", text="Hello"),
        Message(role="assistant", text="Hi"),
        Message(role="user", text="Remember tea"),
        Message(role="assistant", text="Sure", calls=(call,)),
        Message(role="tool", text="saved", call_id="7", tool_name="memory_note"),
    )
    assert in_lane(messages, TOOLS) == (
        Message(role="system", text="S"),
        Message(role="user", text="Hello"),
        Message(role="assistant", text='{"do": "reply", "reply": "Hi"}'),
        Message(role="user", text="Remember tea"),
        Message(role="assistant", text='{"do": "memory_note", "note": "tea"}'),
        Message(role="user", text="[Result of memory_note, not the user's words] saved"),
    )
    plain = in_lane(messages, TOOLS, constrained=False)
    assert plain[2] == Message(role="assistant", text="Hi")
    assert plain[4] == Message(role="assistant", text='Sure\n{"do": "memory_note", "note": "tea"}')


def test_results_and_a_user_message_after_them_are_one_message() -> None:
    messages = (
        Message(role="tool", text="a", tool_name="time"),
        Message(role="tool", text="b", tool_name="time"),
        Message(role="user", text="so?"),
    )
    (joined,) = in_lane(messages, TOOLS)
    assert joined.role == "user"
    assert joined.text.endswith("not the user's words] b\n\nso?")


def test_what_the_runtime_said_of_a_note_is_shown_as_the_call_it_answered() -> None:
    """Shown as a reply, it teaches the model to claim a save without a call."""
    system = Message(role="system", text=f"S\n\n{NOTES_HEADER}\n3. I like tea\n4. Ich bin da")
    asked = Message(role="user", text="Remember that I like tea")
    messages = (
        system,
        asked,
        Message(role="assistant", text=sentence("es", "saved", number=3)),
        Message(role="user", text="Remember nothing else"),
        Message(role="assistant", text=sentence("en", "rehearsed", number=3)),
        Message(role="user", text="And this, which was cleared"),
        Message(role="assistant", text=sentence("ko", "saved", number=9)),
        Message(role="user", text="Hello"),
    )
    assert in_lane(messages, TOOLS) == (
        system,
        asked,
        Message(role="assistant", text='{"do": "memory_note", "note": "I like tea"}'),
        Message(role="user", text="Hello"),
    )
    assert in_lane(messages, ())[2].text == sentence("es", "saved", number=3)
