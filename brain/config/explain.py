"""Every effective setting with where it came from, for `brain config explain`."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from brain.config.build import base_url_of
from brain.config.check import Report
from brain.config.defaults import View
from brain.config.model import Config
from brain.config.places import Keys, to_path, visible
from brain.config.schema import schema_document
from brain.config.wording import NOT_SHOWN, is_secret
from brain.records import JSONValue

__all__ = ["Setting", "explain"]

_COMMENT = "_comment"

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    config: Config
    filled: Any  # the document with its defaults, which passed every check
    written: Collection[Keys]
    environ: Mapping[str, str]


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
    facts = _Facts(
        config=report.config,
        filled=report.draft.root.value,
        written=report.draft.document.places.keys(),
        environ=environ,
    )
    return (first, *_settings(facts, report.draft.root, schema_document()))


def _settings(facts: _Facts, view: View, schema: Mapping[str, Any]) -> Iterator[Setting]:
    for name, below in schema["properties"].items():
        if name.startswith(("_", "$")) or "x-not-built" in below:
            continue
        member = view.get(name)
        is_listing = below["type"] == "array" and below["items"]["type"] == "object"
        computed = _computed(facts, member)
        if (
            member.is_there
            and below["type"] == "object"
            and below["properties"].keys() - {_COMMENT}
        ):
            yield from _settings(facts, member, below)
        elif is_listing and member.value:
            for item in member.items():
                yield from _settings(facts, item, below["items"])
        else:
            value = _told(member) if member.is_there else "absent"
            yield _setting(
                facts,
                member,
                value if computed is None else computed,
                default="required" if name in schema.get("required", ()) else _default(below),
            )


def _computed(facts: _Facts, member: View) -> str | None:
    """Return the value of a field that the file may leave to the runtime or the environment."""
    config = facts.config
    match member.keys:
        case ("storage", "path") if config.storage:
            return str(config.storage.path)
        case ("routes",):
            return ", ".join(f"{route.channel} -> {route.brain}" for route in config.routes)
        case ("channels", int(index), "name"):
            return config.channels[index].name
        case ("brains", int(index), "agent", "memory", "budget_runes"):
            agent = config.brains[index].agent
            return str(agent.memory.budget_runes) if agent and agent.memory else None
        case ("brains", int(index), "models", int(number), "base_url"):
            model = facts.filled["brains"][index]["models"][number]
            return base_url_of(model, environ=facts.environ) or None
        case _:
            return None


def _setting(facts: _Facts, member: View, value: str, *, default: str) -> Setting:
    source: Source = "file" if member.keys in facts.written else "default"
    detail = ""
    match member.keys:
        case ("brains", int(index), "models", int(number), "base_url"):
            model = facts.filled["brains"][index]["models"][number]
            if model["provider"] == "ollama" and facts.environ.get("OLLAMA_HOST", "").strip():
                source, detail = "environment", "OLLAMA_HOST"
        case _:
            pass
    return Setting(
        path=to_path(member.keys), value=value, source=source, default=default, detail=detail
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
            if name != _COMMENT
        }
    if isinstance(view.value, list):
        return [_masked(item) for item in view.items()]
    return view.value
