"""Every effective setting with where it came from, for `brain config explain`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from brain.config.build import base_url_of, store_path
from brain.config.check import Report
from brain.config.defaults import View
from brain.config.places import to_path, visible
from brain.config.schema import schema_document
from brain.config.wording import NOT_SHOWN, is_secret
from brain.records import JSONValue

__all__ = ["Setting", "explain"]

Source = Literal["flag", "environment", "file", "default"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting in force. `value` and `default` are texts for people; secrets are not in them.

    `detail` names the environment variable or the flag where that is the source.
    """

    path: str
    value: str
    source: Source
    default: str
    detail: str = ""


def explain(
    report: Report, *, environ: Mapping[str, str], is_named: bool = False
) -> tuple[Setting, ...]:
    """Return the settings of a valid config in the order of the schema.

    `is_named` says that the file was given with `--config`. Raises ConfigError where the report
    has problems.
    """
    if report.config is None:
        raise report.error()
    first = Setting(
        path="config",
        value=report.file,
        source="flag" if is_named else "default",
        default="./brain.json, then brain.json in the user's config folder",
        detail="--config" if is_named else "",
    )
    return (first, *_settings(report, report.draft.root, schema_document(), environ))


def _settings(
    report: Report, view: View, schema: Mapping[str, Any], environ: Mapping[str, str]
) -> Iterator[Setting]:
    for name, below in schema["properties"].items():
        if name.startswith(("_", "$")) or "x-not-built" in below:
            continue
        member = view.get(name)
        computed = _computed(report, member, view, environ)
        if computed is not None:
            yield computed
        elif not member.is_there:
            yield _setting(report, member, below, value="absent")
        elif below["type"] == "object" and below["properties"].keys() - {"_comment"}:
            yield from _settings(report, member, below, environ)
        elif below["type"] == "array" and below["items"]["type"] == "object":
            yield from _listed(report, member, below, environ)
        else:
            yield _setting(report, member, below, value=_told(member))


def _listed(
    report: Report, member: View, below: Mapping[str, Any], environ: Mapping[str, str]
) -> Iterator[Setting]:
    if not member.value:
        yield _setting(report, member, below, value="[]")
    for item in member.items():
        yield from _settings(report, item, below["items"], environ)


def _computed(
    report: Report, member: View, around: View, environ: Mapping[str, str]
) -> Setting | None:
    """Return the setting of a field whose default or source lies outside the file."""
    match member.keys:
        case ("storage", "path"):
            block = around.value if isinstance(around.value, Mapping) else {}
            value = str(store_path(block, config_path=report.path, environ=environ))
            return _setting(report, member, _schema_of("storage", "path"), value=value)
        case ("brains", _, "models", _, "base_url") if isinstance(around.value, Mapping):
            value = base_url_of(around.value, environ=environ)
            below = _model_schema("base_url")
            if around.get("provider").text == "ollama" and environ.get("OLLAMA_HOST", "").strip():
                return Setting(
                    path=to_path(member.keys),
                    value=value,
                    source="environment",
                    default=_default(below),
                    detail="OLLAMA_HOST",
                )
            return _setting(report, member, below, value=value or "absent")
        case _:
            return None


def _schema_of(*names: str) -> Mapping[str, Any]:
    schema = schema_document()
    for name in names:
        schema = schema["properties"][name]
    return schema


def _model_schema(name: str) -> Mapping[str, Any]:
    brain = schema_document()["properties"]["brains"]["items"]
    field: Mapping[str, Any] = brain["properties"]["models"]["items"]["properties"][name]
    return field


def _setting(report: Report, member: View, below: Mapping[str, Any], *, value: str) -> Setting:
    return Setting(
        path=to_path(member.keys),
        value=value,
        source="file" if report.draft.is_written(member) else "default",
        default=_default(below),
    )


def _default(below: Mapping[str, Any]) -> str:
    return str(below.get("x-absent") or json.dumps(below["default"], ensure_ascii=False))


def _told(view: View) -> str:
    """Return the value as JSON; of an object in it, what may be a secret is left out."""
    is_name = bool(view.keys) and str(view.keys[-1]).endswith("_env")
    if is_secret(view.keys) and not is_name:
        return NOT_SHOWN
    return visible(json.dumps(_masked(view), ensure_ascii=False), limit=500)


def _masked(view: View) -> JSONValue:
    if view.is_object:
        return {
            name: NOT_SHOWN if is_secret(member.keys) else _masked(member)
            for name, member in view.members()
            if name != "_comment"
        }
    if isinstance(view.value, list):
        return [_masked(item) for item in view.items()]
    return view.value
