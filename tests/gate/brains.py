"""Brains with a given governance, for tests that decide."""

from collections.abc import Mapping, Sequence
from typing import Literal

from brain.config import Agent, Brain, Grant, Memory, Model
from brain.records import Sensitivity


def brain_with(
    *grants: Grant,
    tools: Sequence[str] = ("time", "memory_note"),
    sensitivity: Sensitivity = "private",
    taint: Literal["shadow", "deny", "ignore"] = "shadow",
    tool_attrs: Mapping[str, Mapping[str, bool]] | None = None,
    memory: Memory | None = None,
) -> Brain:
    return Brain(
        name="assistant",
        sensitivity=sensitivity,
        models=(Model(provider="scripted", model_id="scripted", locality="local"),),
        agent=Agent(
            tools=tuple(tools),
            governance=tuple(grants),
            taint=taint,
            tool_attrs=tool_attrs or {},
            memory=memory,
        ),
    )
