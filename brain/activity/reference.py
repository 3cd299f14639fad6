"""The reference page and the schema of events, made from the same lists as the events. Pure."""

import json
from collections.abc import Mapping
from typing import Any, Final

from brain.activity.drafts import CHOICES, COUNT_WORD, LARGEST, PATTERNS, SENSITIVITIES
from brain.activity.events import EVENT_TYPES, FIELDS, VERSION

__all__ = ["FIELD_MEANINGS", "render_page", "render_schema"]

FIELD_MEANINGS: Final[Mapping[str, str]] = {
    "v": "Version of the shape of events.",
    "seq": "Place in the log: 1, 2, 3 and so on without a gap.",
    "id": "Random id of this event.",
    "at": "When it was stored: UTC, milliseconds.",
    "run": "Id of the process run that stored it.",
    "type": "What happened; the types are listed below.",
    "brain": "Name of the brain, as the config has it.",
    "channel": "Name of the channel, as the config has it.",
    "conversation": "Random id of the conversation; the row that resolves it is deleted on forget.",
    "actor": "Random id of the sender; the row that resolves it is deleted on forget.",
    "exchange": "Id of the exchange.",
    "tool": "Name of a configured tool, or `unknown` for a name that a model made up.",
    "mode": "The effect of the decision.",
    "outcome": "How it ended, in one word.",
    "rule": "The rule of the gate that gave the decision.",
    "origin": "Who asked for the call.",
    "facts": "What the decision was made from; 1 is true, 0 is false, absent is not known.",
    "model": "Provider and id of the model, as the config has them.",
    "proof": "Id of the proof of locality that held.",
    "tokens": "Tokens of the prompt and of the reply.",
    "latency_ms": "How long it took, in whole milliseconds.",
    "ref": "Id of the note or rehearsal that it is about; never a path or a text.",
    "counts": "Whole numbers by the word for what is counted.",
    "revision": "Revision of the config in force.",
    "revision_before": "Revision of the config before.",
    "paths": "Config paths, cut at the first unknown key.",
    "codes": "Codes of problems, or the name of a command.",
    "prev": "Hash of the event before; 64 zeros for the first.",
    "hash": "Hash of this event, chained to the one before.",
}
"""What each field holds, in one sentence."""

_ALWAYS: Final = ("v", "seq", "id", "at", "run", "type", "prev", "hash")
_PAGE_HEAD: Final = """# Events

What a row of the Activity feed holds. [Look at the Activity feed](../activity.md) says how to read
and verify it; `schemas/event.schema.json` says the same as this page to programs.

Every event has all of these fields, in this order. What does not apply is null. There is no field
for content: no text of a message or a note, no argument, no name that a model or a stranger made up.

| field | what it holds |
|---|---|
"""
_PAGE_CHAIN: Final = """
## The chain

`hash` is the SHA-256, in lower-case hexadecimal, of two things put together: the 64 characters of
`prev`, and a JSON array of the fields from `v` to `codes`, in the order above. The array is UTF-8,
without spaces; characters outside ASCII stand for themselves; what is absent is null; keys of
objects are sorted. All values are strings, whole numbers, null, or arrays and objects of those.

`brain activity --verify` walks the log from its first event. The chain shows an event that was
edited, deleted, inserted or moved, and the report names the lowest seq that can't be trusted. The
chain alone can't show that the newest events were cut off, that an old copy of the file was put
back, or that someone who can write the file wrote the whole log anew. Against those there is the
anchor: with `activity.anchor_path`, the newest seq and hash are appended to that file every 1000
events and at each stop. Keep it where whoever can write the database can't write. What came after
its last line is not covered by it. Nothing here shows that an event which was never written is
missing.

## Types

| type | what it means |
|---|---|
"""


def render_page() -> str:
    """Return the reference page as Markdown."""
    fields = "".join(f"| `{name}` | {FIELD_MEANINGS[name]} |\n" for name in FIELDS)
    types = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in EVENT_TYPES.items())
    return f"{_PAGE_HEAD}{fields}{_PAGE_CHAIN}{types}"


def render_schema() -> str:
    """Return the JSON Schema of one event: closed, with no room for free text."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An event of brain",
        "description": "One row of the Activity feed, as `brain activity --json` prints it.",
        "type": "object",
        "additionalProperties": False,
        "required": list(FIELDS),
        "properties": {name: _property(name) for name in FIELDS},
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _property(name: str) -> dict[str, Any]:
    described = {"description": FIELD_MEANINGS[name]} | _shape(name)
    if name in _ALWAYS:
        return described
    if "enum" in described:
        return described | {"enum": [*described["enum"], None]}
    return described | {"type": [described["type"], "null"]}


def _shape(name: str) -> dict[str, Any]:
    count = {"type": "integer", "minimum": 0, "maximum": LARGEST}
    fixed: dict[str, dict[str, Any]] = {
        "v": {"const": VERSION},
        "seq": count | {"minimum": 1},
        "id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "at": {
            "type": "string",
            "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$",
        },
        "run": {"type": "string", "pattern": PATTERNS["exchange"]},
        "type": {"enum": list(EVENT_TYPES)},
        "facts": _facts(),
        "latency_ms": count,
        "prev": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    }
    if name in fixed:
        return fixed[name]
    if name in CHOICES:
        return {"enum": list(CHOICES[name])}
    if name in ("tokens", "counts"):
        return {
            "type": "object",
            "propertyNames": {"pattern": COUNT_WORD},
            "additionalProperties": count,
        }
    text = {"type": "string", "pattern": PATTERNS[name]}
    return {"type": "array", "items": text} if name in ("paths", "codes") else text


def _facts() -> dict[str, Any]:
    yes_or_no = {"enum": [0, 1]}
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "local": {"description": "The model was proved local."} | yes_or_no,
            "sensitivity": {
                "description": "Sensitivity of the brain.",
                "enum": list(SENSITIVITIES),
            },
            "tainted": {"description": "Text from outside was in the prompt."} | yes_or_no,
            "sensitive": {"description": "The tool is marked sensitive."} | yes_or_no,
            "network": {"description": "The tool reaches the network."} | yes_or_no,
        },
    }
