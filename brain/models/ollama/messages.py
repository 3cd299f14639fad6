"""From our words to the wire of Ollama and back. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from brain.ids import new_id
from brain.models.ports import CallDelta, Delta, TextDelta, ThinkingDelta
from brain.records import JSONValue, Message, ToolCall, ToolSpec

__all__ = ["read_call", "read_message", "write_messages", "write_tools"]

_ID_RUNES: Final = 128  # longer is no id


class _MalformedArguments(ValueError):
    """What is wrong with the arguments of a call, in words for the model."""


def write_messages(messages: Sequence[Message]) -> list[dict[str, JSONValue]]:
    """Return the messages as `/api/chat` takes them, with the ids of calls and their answers."""
    return [_write_message(message) for message in messages]


def _write_message(message: Message) -> dict[str, JSONValue]:
    written: dict[str, JSONValue] = {"role": message.role, "content": message.text}
    if message.calls:
        written["tool_calls"] = [
            {"id": call.id, "function": {"name": call.name, "arguments": dict(call.arguments)}}
            for call in message.calls
        ]
    if message.role == "tool":
        written["tool_name"] = message.tool_name
        written["tool_call_id"] = message.call_id
    return written


def write_tools(tools: Sequence[ToolSpec]) -> list[dict[str, JSONValue]]:
    """Return the tools as `/api/chat` takes them, their schemas whole."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        }
        for tool in tools
    ]


def read_message(
    content: str | None, thinking: str | None, calls: Sequence[Mapping[str, Any]]
) -> Iterator[Delta]:
    """Return the deltas of one chunk. `calls` are raw, as the server gave them."""
    if thinking:
        yield ThinkingDelta(text=_whole_runes(thinking))
    if content:
        yield TextDelta(text=_whole_runes(content))
    for call in calls:
        yield CallDelta(call=read_call(call.get("call")))


def read_call(raw: Any) -> ToolCall:
    """Read one native call. What is wrong with it is said in words that the model may read."""
    if not isinstance(raw, dict):
        return ToolCall(id=new_id(), name="", malformed="the call was not a JSON object")
    function = raw.get("function")
    if not isinstance(function, dict):
        return ToolCall(id=_id_of(raw), name="", malformed="the call named no function")
    name = function.get("name")
    if not isinstance(name, str) or not name.strip():
        return ToolCall(id=_id_of(raw), name="", malformed="the call named no function")
    name = _whole_runes(name.strip())
    try:
        arguments = _read_arguments(function.get("arguments"))
    except _MalformedArguments as error:
        return ToolCall(id=_id_of(raw), name=name, malformed=str(error))
    return ToolCall(id=_id_of(raw), name=name, arguments=arguments)


def _id_of(raw: Mapping[str, Any]) -> str:
    given = raw.get("id")
    is_id = isinstance(given, str) and 0 < len(given) <= _ID_RUNES and given.isprintable()
    return str(given) if is_id else new_id()


def _read_arguments(raw: Any) -> dict[str, JSONValue]:
    if raw is None:
        return {}
    if isinstance(raw, str):
        raw = _parse_arguments(raw)
    if not isinstance(raw, dict):
        raise _MalformedArguments("the arguments were not a JSON object; give one object")
    try:
        arguments: dict[str, JSONValue] = _clean(raw)
    except RecursionError as error:
        raise _MalformedArguments("the arguments were nested too deeply") from error
    return arguments


def _parse_arguments(text: str) -> Any:
    """Parse arguments that came as a string. Nothing is repaired."""
    if not text.strip():
        return {}
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise _MalformedArguments(
                "the arguments held more than one JSON value; make one call for each"
            ) from error
        raise _MalformedArguments(
            "the arguments were not valid JSON; give one JSON object"
        ) from error
    except (ValueError, RecursionError) as error:
        raise _MalformedArguments(
            "the arguments were not valid JSON; give one JSON object"
        ) from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _clean(value: Any) -> Any:
    match value:
        case str():
            return _whole_runes(value)
        case dict():
            return {_whole_runes(str(key)): _clean(entry) for key, entry in value.items()}
        case list():
            return [_clean(entry) for entry in value]
        case _:
            return value


def _whole_runes(text: str) -> str:
    """Return the text with a replacement character for each half of a surrogate pair."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
