"""The executor: every call of every origin goes through here."""

from collections.abc import Callable, Mapping, Sequence

from brain.activity import Journal
from brain.clock import Clock
from brain.gate import Policy
from brain.records import Effect, Observation, ToolCall, ToolSpec
from brain.tools.context import CallContext
from brain.tools.ports import Tool

__all__ = ["Calls", "Executor"]


class Calls:
    """The calls of one exchange: budgets, effects, and the road to the tools."""

    @property
    def announced(self) -> tuple[ToolSpec, ...]:
        """The tools the model is told of: allowed and shadowed ones, alike."""
        raise NotImplementedError

    @property
    def effects(self) -> tuple[Effect, ...]:
        raise NotImplementedError

    async def run(self, calls: Sequence[ToolCall]) -> tuple[Observation, ...]:
        """Run the calls of one model reply in order; one observation each."""
        raise NotImplementedError


class Executor:
    """Finds, checks, decides, records, runs, records.

    `policy_in_force(brain)` gives the policy of this moment: a call is decided by the stricter of it
    and the snapshot of its exchange.
    """

    def __init__(
        self,
        *,
        tools: Mapping[str, Tool],
        policy_in_force: Callable[[str], Policy],
        clock: Clock,
    ) -> None:
        raise NotImplementedError

    def begin(self, context: CallContext, journal: Journal) -> Calls:
        """Open the calls of one exchange."""
        raise NotImplementedError
