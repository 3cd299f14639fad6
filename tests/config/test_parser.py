"""Our strict JSON against the standard library's."""

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain.config.parser import Document, parse_document
from brain.config.places import Place
from tests.config.strategies import JSON_TEXTS, damaged_texts


def parse(text: str) -> Document:
    return parse_document(text, shown_as="brain.json")


def told(text: str) -> list[tuple[str, str, int, int]]:
    return [(each.code, each.path, each.line, each.column) for each in parse(text).problems]


def alike(ours: Any, theirs: Any) -> bool:
    """Equal in value and in type: 1 is not 1.0, and -0.0 is not 0.0."""
    return repr(ours) == repr(theirs)


def refuse(text: str) -> Any:
    raise ValueError(text)


def loads(text: str) -> Any:
    """`json.loads`, made as strict as a config must be read."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("duplicate key")
        return dict(pairs)

    def number(text: str) -> float:
        value = float(text)
        return value if math.isfinite(value) else refuse(text)

    value = json.loads(text, object_pairs_hook=members, parse_constant=refuse, parse_float=number)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # UnicodeEncodeError: a lone surrogate
    return value


@given(JSON_TEXTS)
def test_a_valid_text_has_the_value_that_the_standard_library_reads(text: str) -> None:
    document = parse(text)

    assert document.problems == ()
    assert alike(document.value, json.loads(text))


@given(damaged_texts())
@example("1.")
@example("-")
@example("01")
@example('"\\ud83d\\u0041"')
@example('"\\ud83d\\ud83d\\ude00"')
@example('{"a":1,"a":2}')
@example("[1e999]")
@example("-0")
@example('"\\u00e9"')
@example("")
def test_a_damaged_text_is_refused_exactly_where_the_standard_library_refuses_it(
    text: str,
) -> None:
    document = parse(text)
    try:
        expected = loads(text)
    except ValueError:
        assert document.problems
        assert all(each.line >= 1 and each.column >= 1 for each in document.problems)
    else:
        assert document.problems == ()
        assert alike(document.value, expected)


@given(st.text(max_size=40))
def test_any_text_gives_a_document_and_never_an_exception(text: str) -> None:
    document = parse(text)

    assert document.is_whole or document.problems


def test_every_value_keeps_its_line_and_column() -> None:
    document = parse('{\n  "a": [10, {"é": "x", "ü":\ttrue}],\r\n  "b": null\n}')

    assert document.places == {
        (): Place(1, 1),
        ("a",): Place(2, 8),
        ("a", 0): Place(2, 9),
        ("a", 1): Place(2, 13),
        ("a", 1, "é"): Place(2, 19),
        ("a", 1, "ü"): Place(2, 29),
        ("b",): Place(3, 8),
    }
    assert document.key_places[("a", 1, "ü")] == Place(2, 24)


def test_reading_goes_on_after_what_can_be_told_without_losing_the_thread() -> None:
    text = '{"a": NaN,\n "a": -Infinity,\n "b": [1e400, "\\ud800"],\n "c": ' + "9" * 5000 + "}"

    assert told(text) == [
        ("not_finite", "a", 1, 7),
        ("duplicate_key", "a", 2, 2),
        ("not_finite", "a", 2, 7),
        ("number_overflow", "b[0]", 3, 8),
        ("lone_surrogate", "b[1]", 3, 15),
        ("number_overflow", "c", 4, 7),
    ]


@pytest.mark.parametrize("depth", [64, 65])
def test_nesting_is_bounded_at_64(depth: int) -> None:
    document = parse("[" * depth + "]" * depth)

    assert [each.code for each in document.problems] == (["too_deep"] if depth > 64 else [])


def test_a_hundred_thousand_brackets_are_no_recursion_error() -> None:
    assert [code for code, *_ in told("[" * 100_000)] == ["too_deep"]
