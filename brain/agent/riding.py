"""What rides back to the model of the calls it made and of what came of them. Pure.

A call that ran rides as it was made. Of one that did not, the model needs to know which it was and
why: what it held besides is cut, so that a huge call that failed does not fill the next prompt.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from brain.records import JSONValue, Message, Observation, ToolCall

__all__ = ["CALLS_RIDING", "CUT_RUNES", "rode"]

CALLS_RIDING: Final = 16
"""How many calls of one answer ride back; twice as many as are run."""

CUT_RUNES: Final = 300
"""What rides of any text of a call that did not run."""

_ARGUMENTS_RIDING: Final = 8
_ARGUMENTS_RUNES: Final = 1000
_NAME_RUNES: Final = 64
_CUT_MARK: Final = "…"


def rode(text: str, observations: Sequence[Observation]) -> tuple[Message, ...]:
    """Return the messages that follow an answer of `text`: its calls, and what came of each."""
    riding = [(observation, _call_of(observation)) for observation in observations[:CALLS_RIDING]]
    asked = Message(role="assistant", text=text, calls=tuple(call for _, call in riding))
    return (asked, *(_told(observation, call) for observation, call in riding))


def _told(observation: Observation, call: ToolCall) -> Message:
    has_run = observation.outcome == "ok"
    text = observation.text if has_run else _cut(observation.text, CUT_RUNES)
    return Message(role="tool", text=text, call_id=call.id, tool_name=call.name)


def _call_of(observation: Observation) -> ToolCall:
    call = observation.call
    if observation.outcome == "ok":
        return call
    return replace(
        call,
        name=_cut(call.name, _NAME_RUNES),
        arguments=call.arguments if _is_short(call.arguments) else _cut_arguments(call.arguments),
        malformed=_cut(call.malformed, CUT_RUNES),
    )


def _is_short(arguments: Mapping[str, JSONValue]) -> bool:
    try:
        return len(json.dumps(arguments, ensure_ascii=False)) <= _ARGUMENTS_RUNES
    except (TypeError, ValueError, RecursionError):  # nothing that JSON can hold
        return False


def _cut_arguments(arguments: Mapping[str, JSONValue]) -> dict[str, JSONValue]:
    riding = list(arguments.items())[:_ARGUMENTS_RIDING]
    return {_cut(key, _NAME_RUNES): _cut_value(value) for key, value in riding}


def _cut_value(value: JSONValue) -> JSONValue:
    if isinstance(value, str):
        return _cut(value, CUT_RUNES)
    if isinstance(value, Mapping | Sequence) and value:
        return _CUT_MARK
    if isinstance(value, int) and not -(10**CUT_RUNES) < value < 10**CUT_RUNES:
        return _CUT_MARK
    return value


def _cut(text: str, runes: int) -> str:
    return text if len(text) <= runes else text[:runes] + _CUT_MARK
