"""How a problem speaks: what was found, what was meant, and what must never be shown."""

import difflib
import json
import re
from collections.abc import Iterable

from brain.config.places import Keys, visible
from brain.errors import Problem
from brain.records import JSONValue

__all__ = ["did_you_mean", "is_secret", "kind_of", "one_of", "problem_order", "quoted", "shown"]

_LONGEST_WORD = 100

NOT_SHOWN = "a value that is not shown"

_SECRET_ENDINGS = ("_env", "token", "key", "secret", "password", "authorization")
_USER_INFO = re.compile(r"//[^/@\s]*@")


def is_secret(keys: Keys) -> bool:
    """Say whether the value at `keys` may hold a secret, also one that was put there by mistake."""
    names = [key for key in keys if isinstance(key, str)]
    return bool(names) and names[-1].lower().endswith(_SECRET_ENDINGS)


def quoted(text: str) -> str:
    """Return a name in single quotes, short and safe for a terminal."""
    return f"'{visible(text)}'"


def shown(value: JSONValue, keys: Keys, *, text: str = "") -> str:
    """Return a found value for people. `text` is how a number stands in the file."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if is_secret(keys):
        return NOT_SHOWN
    if isinstance(value, str):
        return f'"{visible(_USER_INFO.sub("//…@", value))}"'
    return visible(text) if text else json.dumps(value)


def kind_of(value: JSONValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    kinds: dict[type, str] = {
        str: "string", int: "integer", float: "number", dict: "object", list: "list",
    }  # fmt: skip
    return kinds.get(type(value), "null")


def one_of(choices: Iterable[str]) -> str:
    """Return `one of a, b, c`, or the only choice, or that there is none yet."""
    names = sorted(visible(choice) for choice in choices if choice)
    if not names:
        return "a name that stands in this file"
    return f"one of {', '.join(names)}" if len(names) > 1 else names[0]


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return the question that mends a typing error, or the empty text."""
    by_lower = {choice.lower(): choice for choice in choices}
    if len(word) > _LONGEST_WORD:
        return ""
    near = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return f"did you mean {quoted(by_lower[near[0]])}?" if near else ""


def problem_order(problem: Problem) -> tuple[int, int, str]:
    """Sort key: the order of the file; what has no place comes last."""
    return (problem.line or 1_000_000_000, problem.column, problem.path)
