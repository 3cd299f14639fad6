"""Calls that were written as text."""

import pytest

from brain.agent.native_lane import could_be_calls, is_announced, parse_arguments, read_calls
from brain.records import ToolCall

NAMES = frozenset({"time", "memory_note"})


def call(name: str = "time", **arguments: object) -> ToolCall:
    return ToolCall(id="c", name=name, arguments=arguments)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "time", "arguments": {"zone": "UTC"}}',
        '{"name": "time", "parameters": {"zone": "UTC"}}',
        '{"tool": "time", "args": {"zone": "UTC"}}',
        '{"name": "time", "arguments": "{\\"zone\\": \\"UTC\\"}"}',
        '{"type": "function", "function": {"name": "time", "arguments": {"zone": "UTC"}}}',
        '{"type": "function", "name": "time", "parameters": {"zone": "UTC"}}',
        '{"function": "time", "arguments": {"zone": "UTC"}}',
        '{"tool_calls": [{"name": "time", "arguments": {"zone": "UTC"}}]}',
        '[TOOL_CALLS] [{"name": "time", "arguments": {"zone": "UTC"}}]',
        '<|python_tag|>{"name": "time", "parameters": {"zone": "UTC"}}',
        '```tool_call\n{"name": "time", "arguments": {"zone": "UTC"}}\n```',
    ],
)
def test_every_shape_in_which_models_write_a_call_is_taken(text: str):
    assert read_calls(text, NAMES, call_id="c") == (call(zone="UTC"),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It is nine.",
        "{}",
        "[]",
        "42",
        '{"name": "time"}',
        '{"name": "time", "arguments": {}, "why": "because"}',
        '{"name": "Ada", "arguments": {}}',
        '[{"name": "time", "arguments": {}}, 7]',
        'Sure: {"name": "time", "arguments": {}}',
        '```python\n{"name": "time", "arguments": {}}\n```',
        '{"name": "Ada", "arguments": {',
        '{"name": "Ada", "arguments": ' + "[" * 100_000,
    ],
)
def test_anything_else_is_an_answer(text: str):
    assert read_calls(text, NAMES) == ()


@pytest.mark.parametrize("separator", ["\n", "; ", ", ", ""])
def test_calls_in_a_row_are_all_taken_each_with_its_own_id(separator: str):
    text = separator.join(['{"name": "time", "arguments": {}}'] * 2)
    assert read_calls(text, NAMES, call_id="c") == (
        ToolCall(id="c", name="time"),
        ToolCall(id="c-2", name="time"),
    )


def test_tags_in_a_row_are_all_taken():
    tagged = '<tool_call>\n{"name": "time", "arguments": {}}\n</tool_call>\n'
    assert [read.id for read in read_calls(tagged * 3, NAMES, call_id="c")] == ["c", "c-2", "c-3"]


@pytest.mark.parametrize(
    "arguments", ['"{} {}"', '"{\\"a\\": 1}{\\"a\\": 2}"', '"never"', "[]", "7", "null"]
)
def test_arguments_that_are_not_one_object_are_malformed_and_not_repaired(arguments: str):
    text = f'{{"name": "time", "arguments": {arguments}}}'
    assert read_calls(text, NAMES, call_id="c") == (
        ToolCall(
            id="c", name="time", malformed="the arguments of the call must be one JSON object"
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "time", "arguments": {"zone": "UT',
        '{"name": "time", "arguments": {"zone": "UTC"}',
        '{"name": "time", "arguments": {"zone": "UTC", "zone": "CET"}}',
        '<tool_call>{"name": "time", zone}</tool_call>',
        '{"name": "time", "arguments": ' + "[" * 100_000,
    ],
)
def test_what_begins_as_a_call_and_cant_be_read_is_a_malformed_call(text: str):
    assert read_calls(text, NAMES, call_id="c") == (
        ToolCall(id="c", name="time", malformed="the call is not valid JSON; nothing was run"),
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"name": "time", "argum', "time"),
        ('{"name":"time","argum', "time"),
        ('{"name": "time"', "time"),
        ('{"name": "time",', "time"),
        ('{"name": "time", "arguments"', "time"),
        ('{"name": "time", "arguments"}', "time"),
        ('{"name": "ti', "unknown"),
        ('{"name": "', "unknown"),
        ('{"name"', "unknown"),
        ('{"na', "unknown"),
        ('[{"name": "time", "argum', "time"),
        ('```json\n{"name": "time", "argum', "time"),
        ('{"type": "function", "function": {"name": "time", "para', "time"),
        (
            '{"id": "call_1", "type": "function", "function": {"name": "time", "arguments": "{',
            "time",
        ),
        ('{"tool_calls": [{"function": {"name": "time", "arguments": {', "time"),
        ('{"arguments": {"zone": "UTC"}, "name": "time"', "time"),
        ("<tool_call>", "unknown"),
        ("<tool_c", "unknown"),
        ('<tool_call>{"na', "unknown"),
    ],
)
def test_a_call_that_was_cut_off_is_a_malformed_call_and_no_answer(text: str, name: str):
    assert could_be_calls(text, NAMES) or text.endswith("}")
    assert read_calls(text, NAMES, call_id="c") == (
        ToolCall(id="c", name=name, malformed="the call is not valid JSON; nothing was run"),
    )


def test_a_whole_call_before_one_that_was_cut_off_is_no_answer_either():
    assert read_calls('{"name": "time", "arguments": {}}\n{', NAMES, call_id="c") == (
        ToolCall(id="c", name="time"),
        ToolCall(id="c-2", name="unknown", malformed="the call is not valid JSON; nothing was run"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "<",
        '{"name": "Ada", "argum',
        '{"name": "Ad',
        '{"name": "time", "unit',
        '{"name": "time", "unit": "second", "argum',
        '{"type": "object", "prop',
        '{"id": 1, "title": "Tea", "na',
        '[{"name": "time"}, {"name": "date"',
    ],
)
def test_other_json_that_was_cut_off_is_an_answer(text: str):
    assert read_calls(text, NAMES) == ()


def test_a_tagged_call_of_a_tool_that_is_not_there_is_left_to_the_executor():
    text = '<tool_call>{"name": "format_disk", "arguments": {}}</tool_call>'
    assert read_calls(text, NAMES, call_id="c") == (ToolCall(id="c", name="format_disk"),)


def test_a_name_is_announced_in_any_case_and_with_the_prefix_some_models_write():
    assert is_announced("functions.Memory_Note", NAMES)
    assert not is_announced("memory", NAMES)


def test_without_tools_no_text_is_a_call():
    assert not could_be_calls("{", frozenset())


@pytest.mark.parametrize(
    ("text", "could"),
    [
        ("", True),
        ("{", True),
        ("[", True),
        ("[1", False),
        ("{}", False),
        ('{"name', True),
        ('{"name": "ti', True),
        ('{"name": "Ada"', False),
        ('{"name": "time", "arguments": {}} and', False),
        ('{"name": "time", "arguments": {}}\n{"na', True),
        ('{"name": "time", "arguments": {}, "why": 1}', False),
        ("``", True),
        ("```js", True),
        ("```json", True),
        ("```java", False),
        ("```\nint", False),
        ("<tool", True),
        ("<table>", False),
        ("Hello", False),
    ],
)
def test_a_beginning_is_held_only_while_it_may_become_a_call(text: str, could: bool):
    assert could_be_calls(text, NAMES) is could


def test_no_arguments_at_all_are_an_empty_object():
    assert parse_arguments("") == ({}, "")
    assert parse_arguments({}) == ({}, "")
