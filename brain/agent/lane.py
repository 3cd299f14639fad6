"""The two ways in which a model asks for tools: natively, or in the text of its answer.

Between them and the rest stands one shape of messages: an assistant's message with `calls`, and a
`tool` message for each observation. Pure but for the reader's own state.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, Protocol

from brain.agent.stream import NativeReader, PlainText, Reading, ThoughtFilter
from brain.agent.text_lane import (
    REPLY_SCHEMA,
    AnswerReader,
    answer_schema,
    in_lane,
    several,
    teach,
)
from brain.agent.tokens import estimate_tools
from brain.agent.tool_tags import TalkBeforeCall
from brain.agent.unasked import NOTE_TOOL
from brain.models import ChatRequest
from brain.records import JSONValue, Message, ToolCall, ToolSpec

__all__ = ["Expected", "Lane", "Lanes", "NativeLane", "Reader", "TextLane", "TextReader"]

_ANSWER_TOKENS = 12  # what the text lane writes around a reply of the history


Expected = Literal["any", "note", "reply"]
"""What an answer may be: a reply or any call, a note alone, a reply alone."""


class Reader(Protocol):
    """Reads one answer as it comes in; `feed` returns what of it may be shown now.

    `thinks_apart`: the server has sent thinking beside the text, so that none is in it. `finish`
    gets told of an answer that was cut before its end.
    """

    def feed(self, text: str) -> str: ...

    def thinks_apart(self) -> None: ...

    def finish(self, *, is_cut: bool = False) -> Reading: ...


class Lane(Protocol):
    """How one exchange talks with its model about tools."""

    @property
    def kind(self) -> Literal["native", "text"]: ...

    @property
    def tools(self) -> tuple[ToolSpec, ...]: ...

    @property
    def block(self) -> str:
        """What the system message teaches of the lane; empty without tools."""
        ...

    @property
    def tools_tokens(self) -> int:
        """What rides beside the messages."""
        ...

    @property
    def turn_tokens(self) -> int:
        """What the lane adds to each turn of the history."""
        ...

    def request(
        self,
        messages: tuple[Message, ...],
        *,
        think: bool | None,
        config_runes: int = 0,
        expects: Expected = "any",
    ) -> ChatRequest:
        """Return the request for an answer of that kind; only the text lane can hold one to a note."""
        ...

    def reader(self, call_id: str, *, may_begin_thinking: bool = False) -> Reader: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeLane:
    """For a model whose server takes tools, and for every exchange without tools."""

    tools: tuple[ToolSpec, ...]
    tools_tokens: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tools_tokens", estimate_tools(self.tools))

    @property
    def kind(self) -> Literal["native"]:
        return "native"

    @property
    def block(self) -> str:
        return ""

    @property
    def turn_tokens(self) -> int:
        return 0

    def request(
        self,
        messages: tuple[Message, ...],
        *,
        think: bool | None,
        config_runes: int = 0,
        expects: Expected = "any",
    ) -> ChatRequest:
        return ChatRequest(
            messages=messages,
            tools=() if expects == "reply" else self.tools,
            think=think,
            config_runes=config_runes,
        )

    def reader(self, call_id: str, *, may_begin_thinking: bool = False) -> Reader:
        return NativeReader(self.tools, call_id=call_id, may_begin_thinking=may_begin_thinking)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLane:
    """For a model without tools of its own: it answers in JSON, held to a schema where that is possible."""

    tools: tuple[ToolSpec, ...]
    constrained: bool
    block: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "block", teach(self.tools, constrained=self.constrained))

    @property
    def kind(self) -> Literal["text"]:
        return "text"

    @property
    def tools_tokens(self) -> int:
        return 0

    @property
    def turn_tokens(self) -> int:
        return _ANSWER_TOKENS

    def request(
        self,
        messages: tuple[Message, ...],
        *,
        think: bool | None,
        config_runes: int = 0,
        expects: Expected = "any",
    ) -> ChatRequest:
        return ChatRequest(
            messages=in_lane(messages, self.tools, constrained=self.constrained),
            answer_schema=self._schema(expects) if self.constrained else None,
            think=think,
            config_runes=config_runes,
        )

    def _schema(self, expects: Expected) -> Mapping[str, JSONValue] | None:
        if expects == "reply":
            return REPLY_SCHEMA
        if expects == "note":
            notes = tuple(tool for tool in self.tools if tool.name == NOTE_TOOL)
            return answer_schema(notes, has_reply=False)
        return answer_schema(self.tools)

    def reader(self, call_id: str, *, may_begin_thinking: bool = False) -> Reader:
        return TextReader(
            self.tools,
            constrained=self.constrained,
            call_id=call_id,
            may_begin_thinking=may_begin_thinking,
        )


class Lanes:
    """The lanes of one brain: made anew only where its tools have changed."""

    def __init__(self) -> None:
        self._made: dict[tuple[bool, bool], Lane] = {}

    def lane(self, tools: tuple[ToolSpec, ...], *, is_native: bool, constrained: bool) -> Lane:
        """Return the lane for `tools`; the text lane where there are any and they are not native."""
        kind = (is_native or not tools, constrained)
        lane = self._made.get(kind)
        if lane is None or lane.tools is not tools:
            lane = (
                NativeLane(tools=tools)
                if kind[0]
                else TextLane(tools=tools, constrained=constrained)
            )
            self._made[kind] = lane
        return lane


class TextReader:
    """Reads one answer of the text lane, without what a model thought before it.

    A reply may hold talk and then a call in a tool tag; that one is made, and the rest is dropped.
    """

    def __init__(
        self,
        tools: tuple[ToolSpec, ...],
        *,
        constrained: bool,
        call_id: str,
        may_begin_thinking: bool = False,
    ) -> None:
        self._new_answer = partial(
            AnswerReader, tools, within_text=not constrained, call_id=call_id
        )
        self._answer = self._new_answer()
        # Held to the schema, an answer begins with its object or the server keeps no schema.
        never = "{" if constrained else ""
        self._thoughts = ThoughtFilter(may_begin_inside=may_begin_thinking, never=never)
        self._plain = PlainText()
        self._talk = TalkBeforeCall()

    def feed(self, text: str) -> str:
        return self._take(self._thoughts.feed(text))

    def thinks_apart(self) -> None:
        self._thoughts.thinks_apart()

    def finish(self, *, is_cut: bool = False) -> Reading:
        rest = self._take(self._thoughts.finish(is_cut=is_cut))
        parsed = self._answer.finish()
        rest += self._plain.add(self._talk.feed(parsed.unshown) + self._talk.finish())
        calls = tuple(call for call in (self._tagged(), parsed.call) if call is not None)
        return Reading(rest=rest, text=self._plain.text, calls=several(calls))

    def _tagged(self) -> ToolCall | None:
        if self._talk.call is None:
            return None
        answer = self._new_answer()
        answer.feed(self._talk.call)
        return answer.finish().call

    def _take(self, text: str) -> str:
        if self._thoughts.take_forgotten():
            self._plain.forget()
            self._answer = self._new_answer()
            self._talk = TalkBeforeCall()
        return self._plain.add(self._talk.feed(self._answer.feed(text))) if text else ""
