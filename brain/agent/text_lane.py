"""The text lane: how a model without native tool calls asks for one, taught, held to, and read.

The answer is one flat JSON object, `{"do": "reply", "reply": …}` or `{"do": "memory_note",
"note": …}` (docs/adr/0005 says why it is flat). Pure: texts and values in, texts and values out.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from brain.agent.languages import is_note_answer
from brain.agent.reading import REPLY, AnswerReader, ParsedAnswer, several
from brain.agent.teaching import lane_block
from brain.config import NOTES_HEADER
from brain.records import JSONValue, Message, ToolCall, ToolSpec

__all__ = [
    "REPLY_SCHEMA",
    "AnswerReader",
    "ParsedAnswer",
    "answer_schema",
    "in_lane",
    "render_call",
    "render_reply",
    "several",
    "teach",
]

# A string without a bound of its own may repeat itself until the answer is cut into invalid JSON.
_STRING_RUNES = 1000
_STRING_RUNES_AT_MOST = 2000  # a grammar with longer repetitions is refused by llama.cpp

_NOTE_TOOL = "memory_note"
_NOTE_LINE = re.compile(r"^([0-9]+)\. (.*)$", re.MULTILINE)

_KEPT_AS_IT_IS = ("type", "enum", "const", "minLength", "minimum", "maximum", "required")


def teach(tools: tuple[ToolSpec, ...], *, constrained: bool = True) -> str:
    """Return the lane block of the system message, the same bytes for the same tools; "" for none."""
    return lane_block(tools, render=render_call, constrained=constrained) if tools else ""


def answer_schema(
    tools: tuple[ToolSpec, ...], *, has_reply: bool = True
) -> Mapping[str, JSONValue] | None:
    """Return the JSON Schema of an answer, for `ChatRequest.answer_schema`; None without tools.

    Without `has_reply` it has to be a call.

    It holds only what grammars can express: a pattern or a format is left to the executor's check.
    The reply has no bound: one that is cut can still be read, and a bound slows the grammar.
    """
    if not tools:
        return None
    replies = (REPLY_SCHEMA,) if has_reply else ()
    return {"anyOf": [*replies, *(_call_schema(tool) for tool in tools)]}


def _closed(
    properties: Mapping[str, JSONValue], required: Sequence[str] | None = None
) -> dict[str, JSONValue]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


REPLY_SCHEMA: Final[Mapping[str, JSONValue]] = _closed(
    {"do": {"const": REPLY}, "reply": {"type": "string"}}
)
"""The schema of an answer that is a reply, for where none else will do."""


def _call_schema(tool: ToolSpec) -> JSONValue:
    do: JSONValue = {"const": tool.name}
    properties = tool.parameters.get("properties")
    flat = dict(properties) if isinstance(properties, Mapping) else {}
    if _is_nested(tool.name, flat):
        return _closed({"do": do, "arguments": _expressible(tool.parameters)})
    required = tool.parameters.get("required")
    names = [str(name) for name in required] if isinstance(required, list | tuple) else []
    parameters = {name: _expressible(schema) for name, schema in flat.items()}
    return _closed({"do": do, **parameters}, ["do", *names])


def _is_nested(name: str, arguments: Mapping[str, JSONValue]) -> bool:
    """Tell whether a call's arguments would be mistaken for words of the lane if they stood flat."""
    return name == REPLY or bool(arguments.keys() & {"do", "arguments"})


def _expressible(schema: JSONValue) -> JSONValue:
    """Return the part of a tool's schema that a grammar can hold an answer to."""
    if not isinstance(schema, Mapping):
        return {}
    kept: dict[str, JSONValue] = {key: schema[key] for key in _KEPT_AS_IT_IS if key in schema}
    if schema.get("type") == "string" and not schema.keys() & {"enum", "const"}:
        limit = schema.get("maxLength")
        wanted = limit if isinstance(limit, int) else _STRING_RUNES
        kept["maxLength"] = min(wanted, _STRING_RUNES_AT_MOST)
    choices = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(choices, list | tuple):
        kept["anyOf"] = [_expressible(choice) for choice in choices]
    if isinstance(schema.get("items"), Mapping):
        kept["items"] = _expressible(schema["items"])
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        kept["properties"] = {name: _expressible(value) for name, value in properties.items()}
        kept["additionalProperties"] = False
    return kept


def render_call(call: ToolCall) -> str:
    """Return the answer that asks for `call`. Reading it gives the same name and arguments."""
    if _is_nested(call.name, call.arguments):
        return json.dumps({"do": call.name, "arguments": call.arguments}, ensure_ascii=False)
    return json.dumps({"do": call.name, **call.arguments}, ensure_ascii=False)


def render_reply(text: str) -> str:
    """Return the answer that says `text`."""
    return json.dumps({"do": REPLY, "reply": text}, ensure_ascii=False)


def in_lane(
    messages: tuple[Message, ...], tools: tuple[ToolSpec, ...], *, constrained: bool = True
) -> tuple[Message, ...]:
    """Return the prompt as the lane writes it: system, user and assistant messages without `calls`.

    An assistant's reply and its call become the answer the model would have written, a `tool`
    message becomes a user message, joined to a user message after it. Without tools, and for a
    model that is not held to the schema, replies stay plain.

    A reply that the runtime gave for a call of memory_note becomes that call again, with the note
    as the notes block has it: shown as a reply, it teaches the model to say so without a call.
    Where the block does not have the note (rehearsed, refused, forgotten), that exchange is left
    out.
    """
    is_plain = not tools or not constrained
    written: list[Message] = []
    for message in _with_note_calls(messages) if tools else messages:
        piece = _in_words(message, is_plain=is_plain)
        last = written[-1] if written else None
        if last is not None and last.role == piece.role == "user":
            written[-1] = replace(last, text=f"{last.text}\n\n{piece.text}")
        else:
            written.append(piece)
    return tuple(written)


def _with_note_calls(messages: tuple[Message, ...]) -> list[Message]:
    system = messages[0].text if messages and messages[0].role == "system" else ""
    _, header, block = system.rpartition(NOTES_HEADER)
    notes = dict(_NOTE_LINE.findall(block)) if header else {}
    kept: list[Message] = []
    for message in messages:
        is_ours, number = is_note_answer(message.text)
        if message.role != "assistant" or message.calls or not is_ours:
            kept.append(message)
        elif str(number) in notes:
            call = ToolCall(id="", name=_NOTE_TOOL, arguments={"note": notes[str(number)]})
            kept.append(Message(role="assistant", text="", calls=(call,)))
        elif kept and kept[-1].role == "user":
            kept.pop()
    return kept


def _in_words(message: Message, *, is_plain: bool) -> Message:
    if message.role == "tool":
        # What a tool says may be anyone's text: it is told apart from the user's own words.
        text = f"[Result of {message.tool_name}, not the user's words] {message.text}"
        return Message(role="user", text=text)
    if message.role != "assistant":
        return message
    said = [message.text if is_plain else render_reply(message.text)] if message.text else []
    asked = [render_call(call) for call in message.calls]
    # Text before a call is no second answer: the format that is shown has one object each time.
    return Message(
        role="assistant", text="\n".join((said if is_plain or not asked else []) + asked)
    )
