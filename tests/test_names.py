"""Which tool a name means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.names import begins_name, is_name, resolve_name

KNOWN = ["time", "memory_note", "Fetch", "fetch_all", "calc", "Calc"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("time", "time"),
        ("TIME", "time"),
        (" Time ", "time"),
        ("functions.memory_note", "memory_note"),
        ("functions.Memory_Note", "memory_note"),
        ("functions:time", "time"),
        ("tools.time", "time"),
        ("default_api.time", "time"),
        ("fetch", "Fetch"),
        ("calc", "calc"),
        ("Calc", "Calc"),
        ("CALC", None),
        ("", None),
        ("functions.", None),
        ("memory-note", None),
        ("memory_notes", None),
        ("time; memory_note", None),
    ],
)
def test_a_name_means_a_tool_only_where_there_is_no_doubt(name: str, meant: str | None) -> None:
    assert resolve_name(name, KNOWN) == meant


@given(name=st.text(max_size=30))
def test_whatever_is_called_the_answer_is_a_known_name_or_none(name: str) -> None:
    assert resolve_name(name, KNOWN) in (*KNOWN, None)


@pytest.mark.parametrize(
    ("text", "may_become_one", "is_one"),
    [
        ("", True, False),
        ("mem", True, False),
        ("funct", True, False),
        ("Tools.ti", True, False),
        ("tools.TIME", True, True),
        ("timer", False, False),
        ("my.time", False, False),
    ],
)
def test_a_name_that_is_still_being_written_may_become_a_tools(
    text: str, may_become_one: bool, is_one: bool
) -> None:
    assert (begins_name(text, KNOWN), is_name(text, KNOWN)) == (may_become_one, is_one)
