"""Where words go: data to stdout, talk to stderr, and nothing that a terminal would obey."""

import json
import sys

from brain.cli.inert import inert
from brain.records import JSONValue

__all__ = ["prepare_streams", "say", "say_inert", "say_json", "warn"]


def prepare_streams() -> None:
    """Let no character that a stream can't carry end the program: it is written out instead."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # io.TextIOWrapper


def say(text: str = "") -> None:
    """Print a line of data."""
    print(inert(text), flush=True)


def say_inert(text: str, *, end: str = "\n") -> None:
    """Print data, or a piece of it, that was made inert already."""
    print(text, end=end, flush=True)


def say_json(value: JSONValue) -> None:
    """Print a value as JSON. Escapes stand for every control character in it."""
    print(json.dumps(value, ensure_ascii=False, indent=2), flush=True)


def warn(text: str) -> None:
    """Print a line of talk."""
    print(inert(text), file=sys.stderr, flush=True)
