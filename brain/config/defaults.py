"""A document with every default filled in, and a tolerant way to look at it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from brain.config.places import Keys
from brain.records import JSONValue

__all__ = ["View", "fill_defaults", "without_remarks"]


def fill_defaults(value: JSONValue, schema: Mapping[str, Any]) -> JSONValue:
    """Return `value` with the schema's defaults where a key is absent.

    A block or field that is absent by default (`x-absent`) stays so. A value of the wrong type is
    kept as it is, for the schema's problem tells of it; a number out of its range becomes None, so
    that no rule reckons with it.
    """
    if isinstance(value, Mapping) and schema["type"] == "object":
        filled: dict[str, JSONValue] = {}
        rest = schema["additionalProperties"]
        for name, inner in value.items():
            below = schema["properties"].get(name, rest)
            known = isinstance(below, dict) and "type" in below
            filled[name] = fill_defaults(inner, below) if known else inner
        for name, below in schema["properties"].items():
            is_ours = name not in filled and not name.startswith(("_", "$"))
            if is_ours and "x-absent" not in below and name not in schema.get("required", ()):
                filled[name] = fill_defaults(below["default"], below)
        return filled
    if isinstance(value, list) and schema["type"] == "array":
        return [fill_defaults(item, schema["items"]) for item in value]
    if isinstance(value, int) and schema["type"] == "integer" and "minimum" in schema:
        return value if schema["minimum"] <= value <= schema["maximum"] else None
    return value


def without_remarks(value: JSONValue) -> JSONValue:
    """Return `value` without what is written for people and editors only."""
    if isinstance(value, Mapping):
        return {
            name: without_remarks(inner)
            for name, inner in value.items()
            if name not in ("_comment", "$schema")
        }
    if isinstance(value, list):
        return [without_remarks(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class View:
    """A value of a document that may be misshapen: asking for what is not there gives nothing."""

    keys: Keys
    value: JSONValue

    def get(self, *names: str) -> "View":
        """Return the member at the end of `names`; its value is None where there is none."""
        view = self
        for name in names:
            inner = view.value.get(name) if isinstance(view.value, Mapping) else None
            view = View((*view.keys, name), inner)
        return view

    def items(self) -> Iterator["View"]:
        """Yield the items of a list; of anything else, nothing."""
        if isinstance(self.value, list):
            for index, item in enumerate(self.value):
                yield View((*self.keys, index), item)

    def members(self) -> Iterator[tuple[str, "View"]]:
        """Yield the members of an object; of anything else, nothing."""
        if isinstance(self.value, Mapping):
            for name, inner in self.value.items():
                yield name, View((*self.keys, name), inner)

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, Mapping)

    @property
    def is_there(self) -> bool:
        return self.value is not None

    @property
    def text(self) -> str:
        """The text, or the empty text where the value is none."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def number(self) -> int | None:
        value = self.value
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(item.text for item in self.items() if item.text)
