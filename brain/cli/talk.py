"""Where words go: data to stdout, talk to stderr, and nothing that a terminal would obey."""

import errno
import json
import os
import sys
from typing import Final, TextIO

from brain.cli.inert import inert
from brain.records import JSONValue

__all__ = [
    "abandon",
    "is_lost_output",
    "prepare_streams",
    "say",
    "say_inert",
    "say_json",
    "say_json_line",
    "warn",
]

_STREAMS: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
_NO_MORE: Final = (
    errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EAGAIN,
)  # fmt: skip


def prepare_streams() -> None:
    """Make the three streams usable, whatever this process was started with.

    A stream that was closed becomes the null device, or the database would be opened in its place
    and be written into. A character that a stream can't carry is written out instead.
    """
    for descriptor, (name, mode) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            _put_null_device(descriptor)
            stream = open(descriptor, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - of the process
            setattr(sys, name, stream)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # io.TextIOWrapper


def is_lost_output(error: OSError) -> bool:
    """Tell whether this is a stream that takes no more, and not a file that has a name."""
    return error.filename is None and error.errno in _NO_MORE


def abandon(stream: TextIO) -> None:
    """Let what is left in a stream go nowhere: the flush at exit would complain about it."""
    _put_null_device(stream.fileno())


def _put_null_device(descriptor: int) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)


def say(text: str = "") -> None:
    """Print a line of data."""
    print(inert(text), flush=True)


def say_inert(text: str, *, end: str = "\n") -> None:
    """Print data, or a piece of it, that was made inert already."""
    print(text, end=end, flush=True)


def say_json(value: JSONValue) -> None:
    """Print a value as JSON. Escapes stand for every control character in it."""
    print(json.dumps(value, ensure_ascii=False, indent=2), flush=True)


def say_json_line(value: JSONValue) -> None:
    """Print a value as JSON on one line, for streams of them."""
    print(json.dumps(value, ensure_ascii=False, separators=(",", ":")), flush=True)


def warn(text: str) -> None:
    """Print a line of talk. Where stderr takes no more, it is lost: there is nowhere to say so."""
    try:
        print(inert(text), file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)
