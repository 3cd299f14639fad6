"""Which tool a name means: the exact name, or one of the accepted ways to misspell it."""

from collections.abc import Collection
from typing import Final

__all__ = ["begins_name", "is_name", "resolve_name"]

_PREFIXES: Final = ("functions.", "functions:", "tools.", "default_api.")
"""What models put before a name because their training did."""


def resolve_name(name: str, known: Collection[str]) -> str | None:
    """Return the known name that `name` means, or None.

    Exact first; then without a prefix and in another case, where that leaves no doubt.
    """
    if name in known:
        return name
    wanted = _bare(name)
    meant = [candidate for candidate in known if candidate.lower() == wanted]
    return meant[0] if len(meant) == 1 else None


def is_name(name: str, known: Collection[str]) -> bool:
    """Tell whether `name`, or what it is an accepted way to misspell, is one of `known`."""
    return any(_bare(name) == _bare(one) for one in known)


def begins_name(text: str, known: Collection[str]) -> bool:
    """Tell whether `text` may still become the name of one of `known`."""
    bare = _bare(text)
    is_begun = any(_bare(one).startswith(bare) for one in known)
    return is_begun or any(prefix.startswith(text.lower()) for prefix in _PREFIXES)


def _bare(name: str) -> str:
    bare = name.strip().lower()
    for prefix in _PREFIXES:
        bare = bare.removeprefix(prefix)
    return bare
