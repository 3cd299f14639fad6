"""The page of the tools names every tool, argument and code there is."""

from pathlib import Path
from typing import get_args

import pytest

from brain.activity import Recorder
from brain.gate import Rule
from brain.memory.note_text import Refusal
from brain.tools import Tool
from brain.tools.builtin.calc import Calc
from brain.tools.builtin.echo import Echo
from brain.tools.builtin.memory_note import MemoryNote
from brain.tools.builtin.utc_time import UtcTime
from tests.clocks import FakeClock

DOCS = Path(__file__).parents[2] / "docs"
TOOLS: list[Tool] = [
    Calc(),
    Echo(),
    MemoryNote(recorder=Recorder(run_id="r", revision="r")),
    UtcTime(clock=FakeClock()),
]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.spec.name)
def test_every_tool_has_its_row_with_its_arguments(tool: Tool) -> None:
    page = (DOCS / "reference" / "tools.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith(f"| `{tool.spec.name}` |")]
    properties = tool.spec.parameters["properties"]
    assert isinstance(properties, dict)
    for argument in properties:
        assert f"`{argument}`" in row


@pytest.mark.parametrize("code", get_args(Refusal))
def test_every_reason_to_refuse_a_note_stands_among_the_codes(code: str) -> None:
    assert f"`{code}`" in (DOCS / "reference" / "tools.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", get_args(Rule))
def test_every_rule_is_explained(rule: str) -> None:
    assert f"`{rule}`" in (DOCS / "policy.md").read_text(encoding="utf-8")
