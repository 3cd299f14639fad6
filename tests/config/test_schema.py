"""The schema: complete, closed, and of one mind with the records it becomes."""

import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

import pytest
from jsonschema import Draft7Validator

from brain.config import (
    Activity,
    Agent,
    Brain,
    LogSettings,
    Memory,
    Model,
    Persona,
    Rehearsals,
    SessionRules,
    Storage,
    render_reference,
    schema_document,
    schema_text,
)
from brain.config.build import to_seconds
from brain.config.defaults import fill_defaults
from tests.config.expected import REFERENCE

SCHEMA = schema_document()


def objects(path: str, schema: Any) -> Iterator[tuple[str, Any]]:
    if schema.get("type") == "object":
        yield path, schema
        for name, below in schema["properties"].items():
            yield from objects(f"{path}.{name}", below)
        if isinstance(schema["additionalProperties"], dict):
            yield from objects(f"{path}.*", schema["additionalProperties"])
    elif schema.get("type") == "array":
        yield from objects(f"{path}[]", schema["items"])


def properties() -> Iterator[tuple[str, Any]]:
    for path, schema in objects("", SCHEMA):
        for name, below in schema["properties"].items():
            yield f"{path}.{name}", below


def test_it_is_a_draft_07_schema_with_an_id() -> None:
    Draft7Validator.check_schema(SCHEMA)

    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert SCHEMA["$id"]
    assert json.loads(schema_text()) == SCHEMA


def test_every_property_has_a_description_and_a_default_that_is_valid() -> None:
    for path, below in properties():
        assert below["description"].endswith("."), path
        assert "default" in below, path
        errors = [error.message for error in Draft7Validator(below).iter_errors(below["default"])]
        assert errors == [], path


OPEN = {".brains[].agent.long_term", ".brains[].agent.pages", ".brains[].models[].options"}


def test_every_object_is_closed_and_takes_a_remark() -> None:
    for path, schema in objects("", SCHEMA):
        assert "_comment" in schema["properties"], path
        is_closed = schema["additionalProperties"] is False
        is_typed = isinstance(schema["additionalProperties"], dict)
        assert is_closed or is_typed or path in OPEN, path


def test_every_pattern_is_anchored_and_explained() -> None:
    for path, below in properties():
        if "pattern" in below:
            assert re.fullmatch(r"\^.*\$", below["pattern"], re.DOTALL), path
            assert "x-expected" in below, path


@pytest.mark.parametrize(
    ("path", "record"),
    [
        ("storage", Storage),
        ("session", SessionRules),
        ("activity", Activity),
        ("log", LogSettings),
        ("brains[].persona", Persona),
        ("brains[].models[]", Model),
        ("brains[].agent", Agent),
        ("brains[].agent.memory", Memory),
        ("brains[].agent.memory.rehearsals", Rehearsals),
        ("brains[]", Brain),
    ],
)
def test_records_and_schema_have_the_same_defaults(path: str, record: Any) -> None:
    schema = dict(objects("", SCHEMA))[f".{path}"]
    filled = fill_defaults({}, schema)
    assert isinstance(filled, dict)
    defaults = {each.name: each.default for each in fields(record) if each.default is not MISSING}
    for name, default in filled.items():
        if name.endswith(("_timeout", "timeout")):
            assert defaults[f"{name}_seconds"] == to_seconds(default)
        elif isinstance(default, str | int) and name in defaults:
            assert defaults[name] == default, name


MADE_FROM_THE_REST = {"budget_tokens"}


def test_every_field_of_a_record_is_a_field_of_the_file() -> None:
    known = {path.rpartition(".")[2] for path, _ in properties()}
    for record in (Storage, SessionRules, Activity, LogSettings, Persona, Model, Agent, Memory):
        names = {each.name.removesuffix("_seconds") for each in fields(record)}
        assert names - MADE_FROM_THE_REST <= known, record


def test_the_reference_page_is_made_from_the_schema() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == render_reference(), (
        "write it anew with: python -m tests.config.regenerate"
    )
