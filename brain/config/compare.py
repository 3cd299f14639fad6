"""What changed between two configs, and which of it a running process can't take over. Pure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from brain.config.model import Config
from brain.config.places import Keys, to_path
from brain.config.schema import schema_document
from brain.records import JSONValue

__all__ = ["IN_PLACE", "RESTART_ONLY", "changed_keys", "known_path", "needing_restart"]

RESTART_ONLY: Final[Mapping[str, str]] = {
    "storage": "where the store lies, and how safely it is written",
    "server.enabled, server.addr": "whether there is a server, and where it listens",
    "channels[].name, channels[].type": "which channels there are",
    "activity": "how long events are kept, and where their head is anchored",
    "log": "what goes to stderr",
}
"""What holds for as long as the process runs: the paths and what they decide."""

IN_PLACE: Final = (
    "$schema",
    "_comment",
    "schema_version",
    "brains",
    "channels[].operators",
    "channels[].trusted",
    "channels[].webhook",
    "channels[]._comment",
    "routes",
    "session",
    "server.token_env",
    "server.tokens",
    "server.allowed_hosts",
    "server.openai_effects",
    "server.conversation_headers",
    "server._comment",
)
"""What a running process takes over, or takes for said to people. Every key is here or above."""


def changed_keys(before: Config, after: Config) -> tuple[Keys, ...]:
    """Return where the two configs differ, defaults filled in, in the order of the schema.

    A list whose length changed is one place, and so is an object whose keys are free.
    """
    return tuple(_differences(before.document, after.document, schema_document(), ()))


def needing_restart(before: Config, after: Config) -> tuple[Keys, ...]:
    """Return where `after` differs in what holds for as long as the process runs."""
    return tuple(
        dict.fromkeys(
            _named(keys, path)
            for keys in changed_keys(before, after)
            for path, value in _HELD.items()
            if _touches(keys, path) and value(before) != value(after)
        )
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


def _touches(keys: Keys, path: str) -> bool:
    """Tell whether what stands at `keys` holds what stands at `path`, or is in it."""
    names = path.replace("[]", "").split(".")
    return all(key == name for key, name in zip(_names(keys), names, strict=False))


def _named(keys: Keys, path: str) -> Keys:
    """Return the key itself where the whole object around it came or went."""
    is_around = "[]" not in path and len(path.split(".")) > len(keys)
    return tuple(path.split(".")) if is_around else keys


def _names(keys: Keys) -> list[str]:
    return [key for key in keys if isinstance(key, str)]


def _entrances(config: Config) -> frozenset[tuple[str, str]]:
    return frozenset((channel.name, channel.type) for channel in config.channels)


_HELD: Final[Mapping[str, Callable[[Config], object]]] = {
    "storage": lambda config: config.storage,
    "server.enabled": lambda config: config.server.enabled,
    "server.addr": lambda config: config.server.addr,
    "channels[].name": _entrances,
    "channels[].type": _entrances,
    "activity": lambda config: config.activity,
    "log": lambda config: config.log,
}
"""What a config says at each path of RESTART_ONLY: the order of channels, say, is not part of it."""
