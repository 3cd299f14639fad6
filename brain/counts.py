"""A number with what it counts, the noun as the number has it."""

from collections.abc import Mapping
from typing import Final

__all__ = ["counted", "counted_each"]

_IRREGULAR: Final = {"boxes": "box", "replies": "reply"}


def counted(count: float, one: str, many: str = "") -> str:
    """Return `1 note` or `2 notes`; `many` where that is more than `one` and an s."""
    number = count if isinstance(count, int) else f"{count:g}"
    return f"{number} {one if count == 1 else many or f'{one}s'}"


def counted_each(counts: Mapping[str, int]) -> str:
    """Return `2 turns, 1 session` for counts by the name of many."""
    return ", ".join(
        counted(count, _IRREGULAR.get(many, many.removesuffix("s")), many)
        for many, count in ((name.replace("_", " "), count) for name, count in counts.items())
    )
