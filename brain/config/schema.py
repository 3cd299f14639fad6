"""The shape of a config: the packaged JSON Schema, and its errors in words of our own."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.config.parser import Document
from brain.config.places import Keys, to_path, to_pointer
from brain.config.wording import did_you_mean, is_secret, kind_of, one_of, quoted, shown
from brain.counts import counted
from brain.errors import Problem
from brain.records import JSONValue

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

__all__ = ["expected_of", "problem_at", "schema_document", "schema_problems", "schema_text"]

_NAME = "brain.schema.json"
_MOST_HINTS = 50  # for one object: a hint costs, and a file with more is not mended by them
_CODES = {
    "additionalProperties": "unknown_key",
    "required": "missing_key",
    "type": "wrong_type",
    "enum": "unknown_value",
    "minimum": "out_of_range",
    "maximum": "out_of_range",
    "pattern": "wrong_form",
    "minLength": "too_short",
    "maxLength": "too_long",
    "minItems": "too_few",
    "maxItems": "too_many",
    "uniqueItems": "repeated_item",
}
_KINDS = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "an integer",
    "boolean": "true or false",
}


def schema_text() -> str:
    """Return the JSON Schema of a config file, as it is shipped."""
    packaged = resources.files("brain").joinpath("schemas", _NAME)
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    checkout = Path(__file__).resolve().parents[2] / "schemas" / _NAME
    return checkout.read_text(encoding="utf-8")


@cache
def schema_document() -> Mapping[str, Any]:
    """Return the JSON Schema (draft-07) of a config file. Shared: not to be changed."""
    document: dict[str, Any] = json.loads(schema_text())
    return document


def problem_at(
    document: Document,
    keys: Keys,
    code: str,
    *,
    found: str,
    expected: str,
    fix: str = "",
    of_key: bool = False,
    is_warning: bool = False,
) -> Problem:
    """Make the problem of the value at `keys`, or of its key, with its place in the file."""
    place = document.place(keys, of_key=of_key)
    return Problem(
        code=code,
        path=to_path(keys),
        pointer=to_pointer(keys),
        found=found,
        expected=expected,
        fix=fix,
        file=document.file,
        line=place.line,
        column=place.column,
        severity="warning" if is_warning else "problem",
    )


def schema_problems(document: Document) -> Iterator[Problem]:
    """Yield every way in which the document does not fit the schema."""
    error: Any
    for error in _validator().iter_errors(document.value):
        keys: Keys = tuple(error.absolute_path)
        if keys in document.doubtful or _is_told_as_wrong_type(error):
            continue
        match error.validator:
            case "additionalProperties":
                yield from _unknown_keys(document, keys, error)
            case "uniqueItems":
                yield from _repeated_items(document, keys, error)
            case "required":
                yield _missing_key(document, keys, error)
            case _:
                yield _misfit(document, keys, error)


def _is_told_as_wrong_type(error: Any) -> bool:
    kinds = {type(choice) for choice in error.validator_value} if error.validator == "enum" else ()
    return "type" in error.schema and bool(kinds) and type(error.instance) not in kinds


@cache
def _validator() -> "Validator":
    from jsonschema import validators

    extend: Any = validators.extend
    draft7: Any = validators.Draft7Validator
    strict = extend(
        draft7,
        validators={
            "pattern": _whole_pattern,
            "required": _required,
            "uniqueItems": _unique_items,
        },
        type_checker=draft7.TYPE_CHECKER.redefine("integer", _is_integer),
    )
    validator: Validator = strict(schema_document())
    return validator


def _is_integer(_checker: Any, instance: Any) -> bool:
    return isinstance(instance, int) and not isinstance(instance, bool)


def _whole_pattern(
    _validator: Any, pattern: str, instance: Any, _schema: Any
) -> Iterator["ValidationError"]:
    """Match the whole text: Python's `$` would let a line break through at the end."""
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and not _fits(pattern, instance):
        yield ValidationError("does not match")


def _fits(pattern: str, text: str) -> bool:
    return bool(re.fullmatch(pattern.removeprefix("^").removesuffix("$"), text))


def _unique_items(
    _validator: Any, _wanted: Any, instance: Any, _schema: Any
) -> Iterator["ValidationError"]:
    """Yield one error, whose message is the indexes of the items that repeat an earlier one."""
    from jsonschema.exceptions import ValidationError

    seen: set[str] = set()
    repeated: list[int] = []
    for index, item in enumerate(instance if isinstance(instance, list) else ()):
        canonical = json.dumps(item, sort_keys=True)
        if canonical in seen:
            repeated.append(index)
        seen.add(canonical)
    if repeated:
        yield ValidationError(json.dumps(repeated))


def _required(
    _validator: Any, names: list[str], instance: Any, _schema: Any
) -> Iterator["ValidationError"]:
    """Yield one error a missing key, with the key alone as its message."""
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, dict):
        yield from (ValidationError(name) for name in names if name not in instance)


def _unknown_keys(document: Document, keys: Keys, error: Any) -> Iterator[Problem]:
    known = {name for name in error.schema["properties"] if not name.startswith(("_", "$"))}
    free = known - set(error.instance)
    unknown = [name for name in error.instance if name not in error.schema["properties"]]
    for count, name in enumerate(unknown):
        is_few = count < _MOST_HINTS
        yield problem_at(
            document,
            (*keys, name),
            "unknown_key",
            found=f"unknown key {quoted(name)}",
            expected=one_of(known),
            fix=(did_you_mean(name, free) or did_you_mean(name, known)) if is_few else "",
            of_key=True,
        )


def _missing_key(document: Document, keys: Keys, error: Any) -> Problem:
    missing = error.message
    schema = error.schema["properties"][missing]
    return problem_at(
        document,
        keys,
        "missing_key",
        found=f"no key '{missing}'",
        expected=f"'{missing}': {expected_of(schema)}. {schema['description']}",
    )


def _repeated_items(document: Document, keys: Keys, error: Any) -> Iterator[Problem]:
    for index in json.loads(error.message):
        yield problem_at(
            document,
            (*keys, index),
            "repeated_item",
            found=f"{shown(error.instance[index], (*keys, index))} a second time",
            expected="each item once",
            fix="remove it",
        )


def _misfit(document: Document, keys: Keys, error: Any) -> Problem:
    value = error.instance
    found = shown(value, keys, text=document.texts.get(keys, ""))
    fix = ""
    match error.validator:
        case "type":
            found, fix = _wrong_type(value, found, str(error.validator_value))
        case "enum" if isinstance(value, str):
            fix = did_you_mean(value, error.validator_value)
        case "pattern" if _fits(error.validator_value, value.lower()) and not is_secret(keys):
            fix = f'write "{value.lower()}"'
        case "maxLength" | "minLength":
            found = f"a text of {counted(len(value), 'character')}" if value else "an empty text"
        case "maxItems" | "minItems":
            found = f"a list of {len(value)}" if value else "an empty list"
        case _:
            pass
    return problem_at(
        document,
        keys,
        _CODES[str(error.validator)],
        found=found,
        expected=expected_of(error.schema),
        fix=fix,
    )


def _wrong_type(value: JSONValue, found: str, wanted: str) -> tuple[str, str]:
    kind = kind_of(value)
    if kind not in ("object", "list", "null"):
        found = f"{found} ({kind})"
    fix = ""
    match (kind, wanted):
        case ("string", "integer") if re.fullmatch(r"-?[0-9]+", str(value)):
            fix = "remove the quotes"
        case ("string", "boolean") if str(value).lower() in ("true", "false"):
            fix = f"write {str(value).lower()}, without quotes"
        case ("number", "integer") if isinstance(value, float) and value.is_integer():
            fix = f"write {int(value)}"
        case ("integer" | "number" | "boolean", "string"):
            fix = "put it in double quotes"
        case ("string" | "integer" | "object", "array"):
            fix = "put it in [ ]"
        case ("null", _):
            fix = "remove the key to get the default"
        case _:
            pass
    return found, fix


def expected_of(schema: Mapping[str, Any]) -> str:
    """Return what a schema takes, in a few words."""
    if "x-expected" in schema:
        return str(schema["x-expected"])
    if "enum" in schema:
        return one_of(str(choice) for choice in schema["enum"])
    return _KINDS[schema["type"]] + _bounds(schema)


def _bounds(schema: Mapping[str, Any]) -> str:
    match schema:
        case {"minimum": least, "maximum": most}:
            return f" from {least} to {most}"
        case {"maxLength": most}:
            return f" of {schema.get('minLength', 0)} to {counted(most, 'character')}"
        case {"minLength": _}:
            return " that is not empty"
        case {"maxItems": most}:
            return f" of at most {most}"
        case {"minItems": least}:
            return f" of at least {least}"
        case _:
            return ""
