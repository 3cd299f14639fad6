"""What changed between two configs, and which of it a running process can't take over. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from brain.config.model import Config
from brain.config.places import Keys, to_path
from brain.config.schema import schema_document
from brain.records import JSONValue

__all__ = ["RESTART_ONLY", "changed_keys", "known_path", "needing_restart"]

RESTART_ONLY: Final[Mapping[str, str]] = {
    "storage": "where the store lies, and how safely it is written",
    "server.addr": "where the server listens",
    "channels[].name, channels[].type": "which channels there are",
    "activity": "how long events are kept, and where their head is anchored",
    "log": "what goes to stderr",
}
"""What holds for as long as the process runs: the path and what it decides."""


def changed_keys(before: Config, after: Config) -> tuple[Keys, ...]:
    """Return where the two configs differ, defaults filled in, in the order of the schema.

    A list whose length changed is one place, and so is an object whose keys are free.
    """
    return tuple(_differences(before.document, after.document, schema_document(), ()))


def needing_restart(before: Config, after: Config) -> tuple[Keys, ...]:
    """Return where `after` differs in what holds for as long as the process runs."""
    return tuple(
        keys for keys in changed_keys(before, after) if _holds_for_ever(keys, before, after)
    )


def known_path(pointer: str) -> str:
    """Return the path of an RFC 6901 pointer, cut at the first key that is not from the schema.

    Other keys are words of whoever wrote the file: an event holds none of them.
    """
    keys: list[str | int] = []
    schema: Any = schema_document()
    for word in pointer.split("/")[1:]:
        name = word.replace("~1", "/").replace("~0", "~")
        if schema.get("type") == "array" and name.isdecimal():
            keys.append(int(name))
            schema = schema["items"]
        elif name in schema.get("properties", {}) and not name.startswith("$"):
            keys.append(name)
            schema = schema["properties"][name]
        else:
            break
    return to_path(tuple(keys))


def _differences(
    before: JSONValue, after: JSONValue, schema: Mapping[str, Any], keys: Keys
) -> Iterator[Keys]:
    if before == after and type(before) is type(after):
        return
    names = [name for name in schema.get("properties", {}) if not name.startswith(("_", "$"))]
    if isinstance(before, Mapping) and isinstance(after, Mapping) and names:
        for name in names:
            inner = schema["properties"][name]
            yield from _differences(before.get(name), after.get(name), inner, (*keys, name))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, new, schema["items"], (*keys, index))
    else:
        yield keys


def _holds_for_ever(keys: Keys, before: Config, after: Config) -> bool:
    match keys:
        case ("storage", *_):
            return before.storage != after.storage
        case ("activity", *_):
            return before.activity != after.activity
        case ("log", *_):
            return before.log != after.log
        case ("server", *rest) if not rest or rest == ["addr"]:
            return before.server.addr != after.server.addr
        case ("channels", *rest) if not rest or rest[-1] not in ("operators", "trusted"):
            return _entrances(before) != _entrances(after)
        case _:
            return False


def _entrances(config: Config) -> frozenset[tuple[str, str]]:
    return frozenset((channel.name, channel.type) for channel in config.channels)
