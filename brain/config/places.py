"""Where a value stands in a config: as keys, as a path for people, as an RFC 6901 pointer."""

import re
from dataclasses import dataclass

__all__ = ["Keys", "Place", "to_path", "to_pointer"]

Keys = tuple[str | int, ...]

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")


@dataclass(frozen=True, slots=True)
class Place:
    """A line and a column, both counted from 1, columns in characters."""

    line: int
    column: int


def to_path(keys: Keys) -> str:
    """Return `brains[0].agent.memory`; the empty text for the whole document."""
    path = ""
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        elif _PLAIN_KEY.fullmatch(key):
            path += f".{key}" if path else key
        else:
            path += f"[{visible(key)!r}]"
    return path


def to_pointer(keys: Keys) -> str:
    """Return the RFC 6901 pointer; the empty text for the whole document."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def visible(text: str, *, limit: int = 60) -> str:
    """Return `text` cut to `limit` characters, everything that steers a terminal written out."""
    shown = "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}"
        for character in text[:limit]
    )
    return shown + ("…" if len(text) > limit else "")
