"""The published schema of an export, made from the same table as the check. Pure."""

import json
from typing import Any

from brain.transfer.shapes import KINDS, Fields, Shape

__all__ = ["render_export_schema"]


def render_export_schema() -> str:
    """Return the JSON Schema of one line of an export: closed, one branch for each kind."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of an export of brain",
        "description": "`brain export` writes JSON Lines: this describes one line. The first is of "
        "the kind export, and counts those that follow.",
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in KINDS],
        "$defs": {kind: _object(fields) for kind, fields in KINDS.items()},
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _object(fields: Fields) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(fields),
        "properties": {
            name: {"description": meaning}
            | (dict(shape.schema) if isinstance(shape, Shape) else _object(shape))
            for name, (meaning, shape) in fields.items()
        },
    }
