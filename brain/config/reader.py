"""A config file on disk becomes a document; what cannot be read becomes a problem."""

from errno import EINVAL, EISDIR
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from brain.config.parser import Document, parse_document
from brain.config.places import Place
from brain.errors import Problem

__all__ = ["read_document"]

MAX_BYTES = 1_048_576  # no config that people write comes near; the HTTP surface takes no more


def read_document(path: Path, *, shown_as: str) -> Document:
    """Read the file at `path`; whatever is wrong with it becomes a problem of the document."""
    try:
        content = _content_of(path)
    except FileNotFoundError:
        return _unreadable(
            shown_as, "no such file", "a config file", "--config FILE names one that is there"
        )
    except PermissionError:
        return _unreadable(shown_as, "a file that may not be read", "a file that you may read")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no possible file name"
        return _unreadable(shown_as, f"what cannot be read: {reason}", "a readable file")
    if len(content) > MAX_BYTES:
        return _refused(
            shown_as, "too_large", f"more than {MAX_BYTES} bytes", f"at most {MAX_BYTES} bytes"
        )
    return _decode(content, shown_as)


def _content_of(path: Path) -> bytes:
    """Return the bytes of a regular file, no more than it takes to know that it is too large.

    A folder, a pipe or a device is refused before it is opened: reading one may never end.
    """
    mode = path.stat().st_mode
    if S_ISDIR(mode):
        raise IsADirectoryError(EISDIR, "it is a folder")
    if not S_ISREG(mode):
        raise OSError(EINVAL, "it is no regular file")
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


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
