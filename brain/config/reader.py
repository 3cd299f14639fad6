"""A config file on disk becomes a document; what cannot be read becomes a problem."""

import os
from dataclasses import dataclass
from errno import EINVAL, EISDIR
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from brain.config.parser import Document, parse_document
from brain.config.places import Place
from brain.errors import Problem

__all__ = ["Content", "Sighting", "document_of", "see"]

MAX_BYTES = 1_048_576  # no config that people write comes near; the HTTP surface takes no more

Content = bytes | OSError
"""What stands at a path: its bytes, no more than it takes to know that they are too many, or why not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A file as it was at one moment.

    `identity` tells one file from another that took its name; None where none could be opened.
    `written_ns` and `changed_ns` are its mtime and ctime. `is_steady`: nobody wrote while it was
    read, as far as its times tell.
    """

    content: Content
    identity: tuple[int, int] | None = None
    written_ns: int = 0
    changed_ns: int = 0
    is_steady: bool = True


def see(path: Path) -> Sighting:
    """Return what stands at `path` now. Raises nothing."""
    try:
        return _read(path)
    except OSError as error:
        return Sighting(content=error)
    except ValueError:
        return Sighting(content=OSError(EINVAL, "no possible file name"))


def _read(path: Path) -> Sighting:
    """Read a regular file. A folder, a pipe or a device is refused before it is opened.

    Reading one of those may never end.
    """
    mode = path.stat().st_mode
    if S_ISDIR(mode):
        raise IsADirectoryError(EISDIR, "it is a folder")
    if not S_ISREG(mode):
        raise OSError(EINVAL, "it is no regular file")
    with path.open("rb") as file:
        before = os.fstat(file.fileno())
        content = file.read(MAX_BYTES + 1)
        after = os.fstat(file.fileno())
    return Sighting(
        content=content,
        identity=(after.st_dev, after.st_ino),
        written_ns=after.st_mtime_ns,
        changed_ns=after.st_ctime_ns,
        is_steady=(before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size),
    )


def document_of(content: Content, *, shown_as: str) -> Document:
    """Return the document that `content` is; whatever is wrong with it becomes a problem of it."""
    if isinstance(content, FileNotFoundError):
        return _unreadable(
            shown_as,
            "no such file",
            "a config file",
            "brain init --config FILE writes one; or name one that is there",
        )
    if isinstance(content, PermissionError):
        return _unreadable(shown_as, "a file that may not be read", "a file that you may read")
    if isinstance(content, OSError):
        found = f"what cannot be read: {content.strerror}"
        return _unreadable(shown_as, found, "a readable file")
    if len(content) > MAX_BYTES:
        return _refused(
            shown_as, "too_large", f"more than {MAX_BYTES} bytes", f"at most {MAX_BYTES} bytes"
        )
    return _decode(content, shown_as)


def _decode(content: bytes, shown_as: str) -> Document:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", errors="replace")
        place = Place(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
        return _refused(
            shown_as,
            "not_utf8",
            f"the byte 0x{content[error.start]:02x}, which is no UTF-8",
            "text in UTF-8",
            "save the file as UTF-8",
            place,
        )
    return parse_document(text.removeprefix("\ufeff"), shown_as=shown_as)


def _unreadable(shown_as: str, found: str, expected: str, fix: str = "") -> Document:
    return _refused(shown_as, "unreadable", found, expected, fix, Place(0, 0))


def _refused(
    shown_as: str, code: str, found: str, expected: str, fix: str = "", place: Place | None = None
) -> Document:
    place = place or Place(1, 1)
    problem = Problem(
        code=code, path="", pointer="", found=found, expected=expected, fix=fix,
        file=shown_as, line=place.line, column=place.column,
    )  # fmt: skip
    return Document(file=shown_as, problems=(problem,))
