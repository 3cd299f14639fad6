"""The executor: every call of every origin goes through here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from brain.activity import Journal
from brain.clock import Clock
from brain.gate import Decision, Policy, Rule
from brain.records import Effect, Observation, Rehearsal, ToolCall, ToolSpec
from brain.tools.context import CallContext
from brain.tools.ports import Tool

__all__ = ["Calls", "Executor", "OperatorCall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorCall:
    """What came of a call the operator asked for. `observation.text` is written for a model.

    `effect` is for the person; `rule` says why where `observation.outcome` is `denied`.
    """

    observation: Observation
    effect: Effect | None
    rule: Rule


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

    def decisions(self, context: CallContext) -> Mapping[str, Decision]:
        """Return for each tool of the brain what would be decided now, by name in order."""
        raise NotImplementedError

    async def run_as_operator(
        self, call: ToolCall, context: CallContext, journal: Journal
    ) -> OperatorCall:
        """Run a call that the operator asked for: a deny binds, shadow and taint do not."""
        raise NotImplementedError

    async def promote(
        self, rehearsal: Rehearsal, context: CallContext, journal: Journal
    ) -> OperatorCall:
        """Make the change that a rehearsal held: a new decision, a new write, under the cap.

        The rehearsal goes when its change was made, and stays otherwise. Raises NotFound where it
        is gone already.
        """
        raise NotImplementedError
