"""The loop: ask, act on the calls, ask again with what came of them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from brain.agent.riding import rode
from brain.records import Message, Observation, ToolCall

__all__ = ["Answer", "Ending", "run_loop"]

Ending = Literal["answered", "settled", "empty_reply", "malformed_calls", "iteration_cap"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of a model: its text without thinking, and the calls it asks for."""

    text: str
    calls: tuple[ToolCall, ...] = ()


async def run_loop(
    *,
    ask: Callable[[tuple[Message, ...]], Awaitable[Answer]],
    act: Callable[[Sequence[ToolCall]], Awaitable[tuple[Observation, ...]]],
    reply: Callable[[], Awaitable[Answer]],
    is_settled: Callable[[tuple[Observation, ...]], bool],
    is_aside: Callable[[Sequence[ToolCall]], bool],
    max_iterations: int,
) -> Ending:
    """Go on until an answer asks for nothing, or `max_iterations` answers have come.

    `ask` gets the messages that follow the user's: the calls so far, each with its observation.
    Before the first answer's calls run, `is_aside` may say that they are beside the point: they don't,
    and `reply` asks for a reply and no call. After they have, `is_settled` may end it without another
    answer. A call that can't be read is told to the model once; the second time the exchange ends.
    """
    tail: tuple[Message, ...] = ()
    has_misread = False
    for _ in range(max_iterations):
        answer = await ask(tail)
        if not answer.calls:
            return "answered" if answer.text else "empty_reply"
        if not tail and is_aside(answer.calls):
            answer = await reply()
            return "answered" if answer.text else "empty_reply"
        observations = await act(answer.calls)
        if not tail and is_settled(observations):
            return "settled"
        if any(observation.outcome == "malformed" for observation in observations):
            if has_misread:
                return "malformed_calls"
            has_misread = True
        tail += rode(answer.text, observations)
    return "iteration_cap"
