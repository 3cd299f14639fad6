"""What a person wrote at the prompt, rid of what was forgotten."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from brain.config import replace_file
from brain.errors import StoreUnusable
from brain.store import Matcher

__all__ = ["remove_history", "strip_history"]


def strip_history(path: Path, matcher: Matcher | None, *, has_commands: bool = False) -> int:
    """Remove each entry that holds something the matcher finds; return how many went.

    An entry that is a short text goes too, also where it stands behind a command. `has_commands`
    takes every line of a command: nothing says in which talk it was typed. Raises StoreUnusable.
    """
    with _translated(path):
        _remove_left_over(path)
        if not path.exists():
            return 0
        entries = list(_entries(path.read_bytes()))
        kept = [each for each in entries if not _goes(_text_of(each), matcher, has_commands)]
        if len(kept) < len(entries):
            replace_file(path, b"".join(kept), mode=0o600)
    return len(entries) - len(kept)


def remove_history(path: Path) -> None:
    """Remove the whole history. Raises StoreUnusable."""
    with _translated(path):
        _remove_left_over(path)
        path.unlink(missing_ok=True)


def _goes(text: bytes, matcher: Matcher | None, has_commands: bool) -> bool:  # noqa: FBT001 - one rule
    is_command = text.lstrip().startswith(b"/")
    if is_command and has_commands:
        return True
    if matcher is None:
        return False
    words = [match.start() for match in re.finditer(rb"\S+", text)] if is_command else [0]
    return bool(matcher.find(text)) or any(matcher.is_short_text(text[at:]) for at in words)


def _remove_left_over(path: Path) -> None:
    """Remove what a process that was killed here was writing."""
    for left_over in path.parent.glob(f".{path.name}-*"):
        left_over.unlink(missing_ok=True)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreUnusable(
            f"The history of the prompt {str(path)!r} can't be cleaned: {error.strerror}. What was "
            "removed from the database stays removed.",
            fix="make the data folder writable, or remove that file",
        ) from error


def _entries(content: bytes) -> Iterator[bytes]:
    """Yield the entries of a history as they lie in the file: a time, then lines behind a plus."""
    entry: list[bytes] = []
    for line in content.splitlines(keepends=True):
        if not line.startswith(b"+") and any(each.startswith(b"+") for each in entry):
            yield b"".join(entry)
            entry = []
        entry.append(line)
    if entry:
        yield b"".join(entry)


def _text_of(entry: bytes) -> bytes:
    return b"\n".join(line[1:] for line in entry.split(b"\n") if line.startswith(b"+"))
