"""The text lane: how a model without native tool calls asks for one, taught, held to, and read.

The answer is one flat JSON object, `{"do": "reply", "reply": …}` or `{"do": "memory_note",
"note": …}`. Pure: texts and values in, texts and values out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from brain.records import JSONValue, Message, ToolCall, ToolSpec

__all__ = ["AnswerReader", "ParsedAnswer", "answer_schema", "in_lane", "render_call", "teach"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedAnswer:
    """What an answer says: exactly one of `reply` and `call` is not None.

    An answer that can't be read is a `call` with `call.malformed`, in words for the model, and the
    tool's name where it could be read. `is_cut`: the reply ended before its end (length).
    """

    reply: str | None = None
    call: ToolCall | None = None
    is_cut: bool = False

    @property
    def malformed(self) -> str:
        return "" if self.call is None else self.call.malformed


def teach(tools: tuple[ToolSpec, ...], *, constrained: bool = True) -> str:
    """Return the lane block of the system message, the same bytes for the same tools; "" for none."""
    raise NotImplementedError


def answer_schema(tools: tuple[ToolSpec, ...]) -> Mapping[str, JSONValue] | None:
    """Return the JSON Schema of an answer, for `ChatRequest.answer_schema`; None without tools."""
    raise NotImplementedError


def in_lane(
    messages: tuple[Message, ...], tools: tuple[ToolSpec, ...], *, constrained: bool = True
) -> tuple[Message, ...]:
    """Return the prompt as the lane writes it: system, user and assistant messages without `calls`.

    An assistant's reply and its call become the answer the model would have written, a `tool`
    message becomes a user message with the observation. Without tools, replies stay plain.
    """
    raise NotImplementedError


def render_call(call: ToolCall) -> str:
    """Return the answer that asks for `call`. Reading it gives the same name and arguments."""
    raise NotImplementedError


class AnswerReader:
    """Reads one answer as it comes in.

    `feed` returns the text of the reply that may be shown now, never a piece of a call. After the
    last piece, `finish` says what the answer was; the reply it returns is the whole text, what was
    already shown included. Any text reads; none raises. `call_id` becomes the call's id.
    """

    def __init__(
        self, tools: tuple[ToolSpec, ...], *, constrained: bool = True, call_id: str = "call"
    ) -> None:
        raise NotImplementedError

    def feed(self, text: str) -> str:
        raise NotImplementedError

    def finish(self) -> ParsedAnswer:
        raise NotImplementedError
