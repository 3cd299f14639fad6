"""The arguments of a call: made plain, bounded, and checked against the tool's JSON Schema."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from brain.errors import ArgumentsTooLong, BadArguments
from brain.records import JSONValue, ToolSpec

__all__ = ["MAX_ARGUMENT_BYTES", "MAX_DEPTH", "MAX_JUDGED_BYTES", "Schemas", "plain_arguments"]

MAX_ARGUMENT_BYTES: Final = 65_536
"""Of canonical JSON in UTF-8: far above any call that a tool here can use."""

MAX_JUDGED_BYTES: Final = 2_097_152
"""The same for a tool that stores nothing before it has judged a text by rules of its own, and says
better what is wrong with it: more than the longest message that a channel takes."""

MAX_DEPTH: Final = 64
"""Levels of nesting, as for every JSON that brain reads."""

_SHOWN_RUNES: Final = 40

_WORDED: Final = {
    "type": "must be of type",
    "minLength": "is too short, its least length is",
    "maxLength": "is too long, its greatest length is",
    "minItems": "has too few items, the least is",
    "maxItems": "has too many items, the most is",
    "minimum": "must not be under",
    "maximum": "must not be over",
    "exclusiveMinimum": "must be over",
    "exclusiveMaximum": "must be under",
}


def plain_arguments(
    arguments: Mapping[str, JSONValue], *, is_judged: bool = False
) -> tuple[dict[str, Any], str]:
    """Return the arguments as plain JSON values, and their canonical text.

    Two calls are the same call if their canonical texts are equal. `is_judged`: the tool judges
    them by rules of its own before anything is kept. Raises BadArguments for what is too deep or
    can't be written as JSON, ArgumentsTooLong for what is too large.
    """
    plain: dict[str, Any] = {str(key): _plain(value, depth=1) for key, value in arguments.items()}
    try:
        canonical = json.dumps(plain, ensure_ascii=False, sort_keys=True, allow_nan=False)
        size = len(canonical.encode())
    except UnicodeEncodeError:
        raise BadArguments("the arguments hold half a character (a lone surrogate)") from None
    except (ValueError, TypeError):
        raise BadArguments("the arguments hold a value that JSON can't write") from None
    limit = MAX_JUDGED_BYTES if is_judged else MAX_ARGUMENT_BYTES
    if size > limit:
        raise ArgumentsTooLong(f"the arguments are too long ({size} bytes, {limit} fit)")
    return plain, canonical


def _plain(value: JSONValue, *, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise BadArguments(f"the arguments are nested more than {MAX_DEPTH} levels deep")
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise BadArguments("the arguments hold a number that is not finite")
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item, depth=depth + 1) for key, item in value.items()}
    return [_plain(item, depth=depth + 1) for item in value]


class Schemas:
    """The compiled schema of each tool, made when it is first called."""

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}

    def check(self, spec: ToolSpec, arguments: Mapping[str, Any]) -> None:
        """Raise BadArguments, in our words, where `arguments` do not fit `spec.parameters`."""
        from jsonschema.exceptions import best_match

        error = best_match(self._validator(spec).iter_errors(arguments))
        if error is not None:
            raise BadArguments(_problem(error))

    def _validator(self, spec: ToolSpec) -> Any:
        if spec.name not in self._compiled:
            from jsonschema import Draft202012Validator
            from jsonschema.validators import validator_for
            from referencing import Registry

            schema, _ = plain_arguments(spec.parameters)
            validator = validator_for(schema, default=Draft202012Validator)
            # An empty registry: a $ref to elsewhere must not be fetched.
            self._compiled[spec.name] = validator(schema, registry=Registry())
        return self._compiled[spec.name]


def _problem(error: Any) -> str:
    """Say in a short sentence what is wrong, without the library's wording."""
    where = ".".join(str(step) for step in error.absolute_path) or "the arguments"
    match error.validator:
        case "required":
            missing = [name for name in error.validator_value if name not in error.instance]
            return f"{_listed(missing)} must be given"
        case "additionalProperties":
            known = error.schema.get("properties", {})
            extra = sorted(name for name in error.instance if name not in known)
            expected = f"the arguments are {_listed(sorted(known))}" if known else "it takes none"
            return f"{_listed(extra)} is not known, {expected}"
        case "enum":
            return f"{where} must be one of {_listed(error.validator_value)}"
        case keyword if keyword in _WORDED:
            return f"{where} {_WORDED[keyword]} {error.validator_value}"
        case _:
            return f"{where} does not fit what the tool takes"


def _listed(names: Sequence[object]) -> str:
    return ", ".join(_shown(str(name)) for name in names[:10])


def _shown(name: str) -> str:
    short = name if len(name) <= _SHOWN_RUNES else f"{name[:_SHOWN_RUNES]}…"
    return repr(short)
