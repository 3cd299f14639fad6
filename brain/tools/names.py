"""Which tool a name means: the exact name, or one of the accepted ways to misspell it."""

from collections.abc import Collection
from typing import Final

__all__ = ["resolve_name"]

_PREFIXES: Final = ("functions.", "functions:", "tools.")
"""What models put before a name because their training did."""


def resolve_name(name: str, known: Collection[str]) -> str | None:
    """Return the known name that `name` means, or None.

    Exact first; then without a prefix and in another case, where that leaves no doubt.
    """
    if name in known:
        return name
    wanted = name.strip().lower()
    for prefix in _PREFIXES:
        wanted = wanted.removeprefix(prefix)
    meant = [candidate for candidate in known if candidate.lower() == wanted]
    return meant[0] if len(meant) == 1 else None
