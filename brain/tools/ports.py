"""The three kinds of tool, by what they may touch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from brain.config import ToolAttributes
from brain.records import Effect, JSONValue, ToolSpec
from brain.store import Transaction
from brain.tools.context import CallContext

__all__ = ["AnswerTool", "Arguments", "OutsideTool", "StoreTool", "Tool", "ToolOutcome"]

Arguments = Mapping[str, JSONValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """What a tool did. `text` is for the model; `effect` for the person; `ref` the row it made.

    `code` is a closed word for the event (`stored`, `full`, `duplicate`, …); `is_error` says that
    the call failed.
    """

    text: str
    code: str = "ok"
    is_error: bool = False
    effect: Effect | None = None
    ref: str | None = None
    counts: Mapping[str, int] | None = None


@runtime_checkable
class AnswerTool(Protocol):
    """A tool without an effect: it answers from its arguments and the clock."""

    spec: ToolSpec
    attributes: ToolAttributes

    def answer(self, arguments: Arguments, /) -> ToolOutcome:
        """Raises ToolError."""
        ...

    def rehearse(self, arguments: Arguments, /) -> str:
        """Say what would have happened."""
        ...


@runtime_checkable
class StoreTool(Protocol):
    """A tool whose effect is a row of our own store: decision, change and event are one transaction."""

    spec: ToolSpec
    attributes: ToolAttributes

    def apply(self, tx: Transaction, arguments: Arguments, context: CallContext) -> ToolOutcome:
        """Make the change inside `tx`. A refusal is an outcome, not an exception."""
        ...

    def rehearse(self, tx: Transaction, arguments: Arguments, context: CallContext) -> str:
        """Return the code of what would have happened, changing nothing: `stored`, `full` and so on."""
        ...


@runtime_checkable
class OutsideTool(Protocol):
    """A tool that touches the world outside: it is decided and committed before it runs."""

    spec: ToolSpec
    attributes: ToolAttributes

    async def run(self, arguments: Arguments, context: CallContext) -> ToolOutcome:
        """Raises ToolError. Bounded by tool_timeout from outside."""
        ...

    def rehearse(self, arguments: Arguments, /) -> str: ...


Tool = AnswerTool | StoreTool | OutsideTool
