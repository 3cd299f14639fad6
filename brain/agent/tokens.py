"""How many tokens a prompt costs, guessed without its tokenizer, and what has to go so that it fits.

Pure. Texts are counted as everywhere (`brain.tokens`), with a constant for what a chat template puts
around a message.
"""

import json
from collections.abc import Sequence

from brain.records import Message, ToolSpec
from brain.tokens import estimate_tokens

__all__ = ["estimate_message", "estimate_tools", "oldest_to_drop", "was_cut"]

MESSAGE_TOKENS = 8  # role markers and separators; the widest common template spends 6
_SMALLEST_CONTEXT = 256
TOOL_TOKENS = 16  # what a template writes around one function's schema


def estimate_message(message: Message) -> int:
    tokens = MESSAGE_TOKENS + estimate_tokens(message.text)
    for call in message.calls:
        tokens += (
            MESSAGE_TOKENS + estimate_tokens(call.name) + estimate_tokens(_as_json(call.arguments))
        )
    return tokens


def estimate_tools(tools: Sequence[ToolSpec]) -> int:
    """Return what announcing `tools` to a native model costs."""
    return sum(
        TOOL_TOKENS
        + estimate_tokens(tool.name)
        + estimate_tokens(tool.description)
        + estimate_tokens(_as_json(tool.parameters))
        for tool in tools
    )


def was_cut(*, counted: int, estimated: int, num_ctx: int) -> bool:
    """Tell whether a server that counted `counted` tokens of a whole prompt cut it without a word.

    A server that does not take the context that is asked for fills its own to the last token, and
    its own is a power of two; a whole prompt comes out at exactly that about once in a thousand.
    A count that is merely low says nothing: a server may leave out what another client had it read.
    """
    is_power_of_two = counted >= _SMALLEST_CONTEXT and counted & (counted - 1) == 0
    return is_power_of_two and counted < num_ctx and counted < estimated


def oldest_to_drop(costs: Sequence[int], *, room: int) -> int:
    """Return how many exchanges to leave out, oldest first, given what each costs.

    None where all fit into `room` tokens. Otherwise as many as bring the rest down to half of the
    room: leaving out just enough would change the prompt's beginning in every exchange from then
    on, and a server's prefix cache with it.
    """
    total = sum(costs)
    if total <= room:
        return 0
    dropped = 0
    while dropped < len(costs) and total > room // 2:
        total -= costs[dropped]
        dropped += 1
    if dropped == len(costs) and costs and costs[-1] <= room:
        return dropped - 1
    return dropped


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
