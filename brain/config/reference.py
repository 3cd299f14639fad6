"""The reference page of every field, made from the schema that the validator uses."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from brain.config.codes import PROBLEM_CODES
from brain.config.schema import expected_of, schema_document

__all__ = ["render_reference"]

_INTRODUCTION = """\
# The config file

<!-- Made from schemas/brain.schema.json; write it anew with: python -m tests.config.regenerate -->

One JSON document. `brain check` tells every problem of it at once; `brain config explain` shows each
setting in force and where it came from. Required fields are marked with `!`. Relative paths are
relative to the config file, `~` is the home folder. A `_comment` may stand in any object. Fields that
end in `_env` hold the NAME of an environment variable, never the secret itself.

An integer is written as an integer (`10`, not `10.0`). A key that stands twice in an object, NaN,
Infinity, and anything after the document are refused.
"""


def render_reference() -> str:
    """Return the page in Markdown, with a line break at its end."""
    lines = [_INTRODUCTION, *_sections("", schema_document()), "## Problem codes", ""]
    lines += ["| code | meaning |", "|---|---|"]
    lines += [f"| `{code}` | {meaning} |" for code, meaning in PROBLEM_CODES.items()]
    return "\n".join(lines) + "\n"


def _sections(path: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {f'`{path}`' if path else 'The whole file'}"
    yield ""
    yield f"{schema['description']}{_presence(schema)}"
    yield ""
    yield "| field | default | what may stand there | |"
    yield "|---|---|---|---|"
    blocks: list[tuple[str, Mapping[str, Any]]] = []
    for name, below in schema["properties"].items():
        if name.startswith(("_", "$")):
            continue
        is_required = name in schema.get("required", ())
        yield _row(f"{name}!" if is_required else name, below, is_required=is_required)
        inner = f"{path}.{name}" if path else name
        blocks += _blocks(inner, below)
    yield ""
    for inner, below in blocks:
        yield from _sections(inner, below)


def _blocks(path: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects in a field that have fields of their own."""
    match schema:
        case {"type": "array", "items": {"type": "object"} as items}:
            yield f"{path}[]", items
        case {"type": "object", "additionalProperties": {"type": "object"} as each}:
            yield f"{path}.<tool>", each
        case {"type": "object", "properties": fields} if fields.keys() - {"_comment"}:
            yield path, schema
        case _:
            pass


def _presence(schema: Mapping[str, Any]) -> str:
    absent = f" Absent: {schema['x-absent']}." if "x-absent" in schema else ""
    return absent + _built(schema)


def _built(schema: Mapping[str, Any]) -> str:
    if schema.get("x-not-built"):
        return " **Not built yet.**"
    return " **Without effect yet.**" if schema.get("x-without-effect") else ""


def _row(name: str, schema: Mapping[str, Any], *, is_required: bool) -> str:
    later = [f"`{value}`" for value in schema.get("x-not-built-values", ())]
    note = f" Not built yet: {', '.join(later)}." if later else ""
    note += _built(schema)
    cells = (f"`{name}`", _default(schema, is_required=is_required), expected_of(schema))
    told = " | ".join(_cell(cell) for cell in (*cells, schema["description"] + note))
    return f"| {told} |"


def _default(schema: Mapping[str, Any], *, is_required: bool) -> str:
    if is_required:
        return "required"
    if "x-absent" in schema:
        return str(schema["x-absent"])
    return f"`{json.dumps(schema['default'], ensure_ascii=False)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
