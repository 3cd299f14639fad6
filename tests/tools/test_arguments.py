"""The arguments of a call: bounded, plain, and told in our words what is wrong."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import BadArguments
from brain.records import ToolSpec
from brain.tools.arguments import MAX_ARGUMENT_BYTES, MAX_DEPTH, Schemas, plain_arguments

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


def nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"a": nested(1000)}, "nested more than 64 levels"),
        ({"a": "x" * MAX_ARGUMENT_BYTES}, "too long"),
        ({"a": float("nan")}, "not finite"),
        ({"a": [float("inf")]}, "not finite"),
        ({"a": "\ud800"}, "lone surrogate"),
        ({"\ud800": 1}, "lone surrogate"),
        ({"a": 10**5000}, "a value that JSON can't write"),
    ],
)
def test_arguments_that_no_tool_could_use_are_refused(arguments: Any, told: str) -> None:
    with pytest.raises(BadArguments, match=told):
        plain_arguments(arguments)


def test_arguments_may_nest_as_deep_as_any_other_json() -> None:
    plain, _ = plain_arguments({"a": nested(MAX_DEPTH - 1)})
    assert plain == {"a": nested(MAX_DEPTH - 1)}


@given(arguments=st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_the_canonical_text_is_the_arguments_in_an_order_of_its_own(
    arguments: dict[str, Any],
) -> None:
    try:
        plain, canonical = plain_arguments(arguments)
    except BadArguments:
        return
    assert json.loads(canonical) == plain == arguments
    turned = dict(reversed(arguments.items()))
    assert plain_arguments(turned)[1] == canonical


SPEC = ToolSpec(
    name="send",
    description="Send.",
    parameters={
        "type": "object",
        "properties": {
            "to": {"type": "string", "minLength": 2, "maxLength": 4},
            "kind": {"enum": ["a", "b"]},
            "count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
            "tags": {"type": "array", "items": {"type": "string", "pattern": "^x"}, "maxItems": 1},
        },
        "required": ["to"],
        "additionalProperties": False,
    },
)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "'to' must be given"),
        ({"to": 3}, "to must be of type string"),
        ({"to": "a"}, "to is too short, its least length is 2"),
        ({"to": "abcde"}, "to is too long, its greatest length is 4"),
        ({"to": "ab", "kind": "c"}, "kind must be one of 'a', 'b'"),
        ({"to": "ab", "count": 0}, "count must not be under 1"),
        ({"to": "ab", "count": 9}, "count must be under 9"),
        ({"to": "ab", "tags": ["y"]}, "tags.0 does not fit what the tool takes"),
        ({"to": "ab", "tags": ["x", "x"]}, "tags has too many items, the most is 1"),
        (
            {"to": "ab", "from": "c"},
            "'from' is not known, the arguments are 'count', 'kind', 'tags', 'to'",
        ),
        ({"to": "ab", "x" * 99: 1}, f"'{'x' * 40}…' is not known"),
    ],
)
def test_what_does_not_fit_the_schema_is_told_in_a_short_sentence(
    arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(BadArguments) as caught:
        Schemas().check(SPEC, arguments)
    assert caught.value.message.startswith(told)


def test_what_fits_the_schema_passes() -> None:
    Schemas().check(SPEC, {"to": "abc", "kind": "a", "count": 8, "tags": ["x"]})


def test_a_tool_that_takes_nothing_says_so() -> None:
    spec = ToolSpec(
        name="time", description="", parameters={"type": "object", "additionalProperties": False}
    )
    with pytest.raises(BadArguments, match="'zone' is not known, it takes none"):
        Schemas().check(spec, {"zone": "UTC"})


def test_a_schema_that_points_elsewhere_is_not_fetched(egress_trap: list[Any]) -> None:
    from referencing.exceptions import Unresolvable

    spec = ToolSpec(
        name="far",
        description="",
        parameters={"properties": {"a": {"$ref": "http://192.0.2.1/schema.json"}}},
    )
    with pytest.raises(Unresolvable):
        Schemas().check(spec, {"a": 1})
    assert egress_trap == []
