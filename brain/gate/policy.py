"""A brain's governance, made ready for deciding: one look-up per call, however many grants."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from brain.config import Brain, Grant
from brain.gate.decide import THE_REST, Policy
from brain.records import Mode

__all__ = ["compile_policy"]

_STRICTEST_FIRST: tuple[Mode, ...] = ("deny", "shadow", "allow")


def compile_policy(brain: Brain, *, revision: str) -> Policy:
    """Return the policy of `brain`; one without an agent has no tools, so it is denied everything.

    A checked config has one grant at most for a tool and channel. Should two meet all the same,
    the stricter one holds, whatever their order.
    """
    agent = brain.agent
    return Policy(
        brain=brain.name,
        revision=revision,
        sensitivity=brain.sensitivity,
        tools=frozenset(agent.tools) if agent else frozenset(),
        modes=_modes(agent.governance) if agent else MappingProxyType({}),
        taint=agent.taint if agent else "deny",
        tool_attrs=agent.tool_attrs if agent else MappingProxyType({}),
    )


def _modes(grants: Iterable[Grant]) -> Mapping[str, Mapping[str, Mode]]:
    found: dict[str, dict[str, Mode]] = {}
    for grant in grants:
        by_channel = found.setdefault(grant.tool, {})
        for channel in grant.channels or (THE_REST,):
            rivals = {grant.mode, by_channel.get(channel, grant.mode)}
            by_channel[channel] = next(mode for mode in _STRICTEST_FIRST if mode in rivals)
    return MappingProxyType({tool: MappingProxyType(modes) for tool, modes in found.items()})
