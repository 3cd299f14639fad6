"""What the policy would say: the executor that decides calls is asked, and nobody calls.

No model, no store and no effect.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from brain.config import Brain, Config
from brain.gate import Decision, Policy
from brain.records import Origin
from brain.tools import CallContext, Executor

__all__ = ["Case", "Circumstances", "Explanation", "Judge", "When"]

When = Literal["model", "not_local", "tainted", "operator"]
"""`model`: a model that is proved local asks, and nothing from outside was read. Each of the others
differs from it in the one thing that it names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a decision depends on, besides the tool and the policy."""

    brain: str
    channel: str
    origin: Origin = "model"
    is_local: bool = True
    is_tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A decision and the circumstances it is for."""

    when: When
    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What would be decided about a tool. `grant` is the config path of its line there, or empty."""

    tool: str
    brain: str
    channel: str
    grant: str
    cases: tuple[Case, ...]


class Judge:
    """Decides as the runtime of one config would."""

    def __init__(
        self, *, config: Config, policies: Mapping[str, Policy], executor: Executor
    ) -> None:
        self.config = config
        self._policies = policies
        self._executor = executor
        self._decided: dict[Circumstances, Mapping[str, Decision]] = {}

    def knows(self, brain: str, channel: str) -> bool:
        """Tell whether the config has this brain and this channel."""
        return brain in self._policies and channel in {each.name for each in self.config.channels}

    def decide(self, tool: str, asked: Circumstances) -> Decision:
        """Return the decision about a call of `tool`. KeyError for a brain that there is not."""
        policy = self._policies[asked.brain]
        if asked not in self._decided:
            self._decided[asked] = self._executor.decisions(self._context(asked, policy))
        unknown = Decision(effect="deny", rule="unknown_tool", revision=policy.revision)
        return self._decided[asked].get(tool, unknown)

    def explain(self, tool: str, *, brain: str, channel: str) -> Explanation:
        """Return what would be decided now about a call of `tool`, and by which line."""
        at = next(n for n, each in enumerate(self.config.brains) if each.name == brain)
        base = Circumstances(brain=brain, channel=channel)
        asked: dict[When, Circumstances] = {
            "model": base,
            "not_local": replace(base, is_local=False),
            "tainted": replace(base, is_tainted=True),
            "operator": replace(base, origin="operator"),
        }
        if self.config.brains[at].sensitivity == "private":
            del asked["not_local"]  # such a model is never asked by a private brain
        return Explanation(
            tool=tool,
            brain=brain,
            channel=channel,
            grant=_grant_path(self.config.brains[at], at, tool, channel),
            cases=tuple(
                Case(when=when, decision=self.decide(tool, each)) for when, each in asked.items()
            ),
        )

    def _context(self, asked: Circumstances, policy: Policy) -> CallContext:
        return CallContext(
            exchange_id="", brain=asked.brain, sensitivity=policy.sensitivity,
            channel=asked.channel, conversation="", conversation_id="", actor_id="", sender="",
            session=0, turn_id=0, policy=policy, origin=asked.origin, is_local=asked.is_local,
            is_tainted=asked.is_tainted,
        )  # fmt: skip


def _grant_path(brain: Brain, at: int, tool: str, channel: str) -> str:
    grants = brain.agent.governance if brain.agent else ()
    of_tool = [(n, grant) for n, grant in enumerate(grants) if grant.tool == tool]
    named = [n for n, grant in of_tool if channel in grant.channels]
    rest = [n for n, grant in of_tool if not grant.channels]
    found = [*named, *rest]
    return f"brains[{at}].agent.governance[{found[0]}]" if found else ""
