"""A valid document becomes a Config: every default filled in, durations in seconds, paths absolute."""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from brain.config.address import DEFAULT_BASE_URL, AddressError, base_url_from_host
from brain.config.budget import (
    box_runes,
    fixed_room_tokens,
    fixed_shares,
    notes_budget_tokens,
)
from brain.config.defaults import without_remarks
from brain.config.folders import data_folder
from brain.config.model import (
    Activity,
    Agent,
    Brain,
    Channel,
    Config,
    Grant,
    LogSettings,
    Memory,
    Model,
    Persona,
    Rehearsals,
    Route,
    Server,
    ServerToken,
    SessionRules,
    Storage,
    Webhook,
    WebhookFields,
)
from brain.records import JSONValue

__all__ = ["build_config", "located", "revision_of", "store_path", "to_seconds"]

_STORE = "brain.db"
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"([0-9]+)(ms|s|m|h)")

Block = Mapping[str, Any]  # an object of a document that passed the schema


def revision_of(document: JSONValue) -> str:
    """Return the SHA-256 of the canonical document: sorted keys, no space, no remarks, UTF-8."""
    canonical = json.dumps(
        without_remarks(document), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def to_seconds(duration: str) -> float:
    """Return the seconds of a duration such as `120s`, `5m`, `300ms`, `1h`; ValueError otherwise."""
    parts = _DURATION.fullmatch(duration)
    if parts is None:
        raise ValueError(f"{duration!r} is no duration")
    count, unit = parts.groups()
    return int(count) / 1000 if unit == "ms" else int(count) * _UNITS[unit]


def located(text: str, *, config_path: Path) -> Path:
    """Return the absolute path of a path in the file: relative to the file, `~` expanded."""
    is_in_home = text == "~" or text.startswith("~/")
    path = os.path.expanduser(text) if is_in_home else text  # noqa: PTH111 - never raises
    return config_path.absolute().parent / path


def store_path(storage: Block, *, config_path: Path, environ: Mapping[str, str]) -> Path:
    """Return where the store of this config lies."""
    if "path" in storage:
        return located(storage["path"], config_path=config_path)
    return data_folder(config_path, environ=environ) / _STORE


def build_config(
    filled: Block, *, document: JSONValue, path: Path, environ: Mapping[str, str]
) -> Config:
    """Build the Config of a document that passed every check; `filled` has its defaults."""
    filled = _plain(filled)
    channels = tuple(_channel(block) for block in filled["channels"])
    brains = tuple(_brain(block, path, environ) for block in filled["brains"])
    routes = tuple(Route(**block) for block in filled.get("routes", ()))
    if not routes:
        routes = tuple(Route(channel=each.name, brain=brains[0].name) for each in channels)
    storage = _storage(filled, path, environ)
    folder = storage.path.parent if storage else data_folder(path, environ=environ)
    session = filled.get("session")
    return Config(
        path=path.absolute(),
        revision=revision_of(document),
        data_folder=folder,
        brains=brains,
        channels=channels,
        routes=routes,
        storage=storage,
        session=_session(session) if session is not None else None,
        server=_server(filled.get("server", {})),
        activity=_activity(filled.get("activity", {}), path),
        log=LogSettings(**filled["log"]),
        document=filled,
    )


def _plain(filled: Block) -> Block:
    plain = without_remarks(filled)
    if not isinstance(plain, Mapping):
        raise TypeError("a config is an object")
    return plain


def _storage(filled: Block, path: Path, environ: Mapping[str, str]) -> Storage | None:
    storage = filled.get("storage")
    if storage is None:
        return None
    where = store_path(storage, config_path=path, environ=environ)
    return Storage(path=where, synchronous=storage["synchronous"])


def _session(block: Block) -> SessionRules:
    return SessionRules(**{**block, "triggers": tuple(block["triggers"])})


def _server(block: Block) -> Server:
    lists = ("allowed_hosts", "conversation_headers")
    return Server(
        **{
            **block,
            **{name: tuple(block[name]) for name in lists if name in block},
            "tokens": tuple(ServerToken(**token) for token in block.get("tokens", ())),
        }
    )


def _activity(block: Block, path: Path) -> Activity:
    anchor = block.get("anchor_path")
    return Activity(
        retain_days=block.get("retain_days", Activity().retain_days),
        anchor_path=located(anchor, config_path=path) if anchor else None,
    )


def _channel(block: Block) -> Channel:
    return Channel(
        name=block.get("name", block["type"]),
        type=block["type"],
        operators=tuple(block["operators"]),
        trusted=tuple(block["trusted"]),
        webhook=_webhook(block["webhook"]) if "webhook" in block else None,
    )


def _webhook(block: Block) -> Webhook:
    return Webhook(**{**block, "mapping": WebhookFields(**block["mapping"])})


def _brain(block: Block, path: Path, environ: Mapping[str, str]) -> Brain:
    agent = block.get("agent")
    models = [_model(model, path, environ) for model in block["models"]]
    persona = Persona(**block["persona"])
    return Brain(
        name=block["name"],
        sensitivity=block["sensitivity"],
        models=_in_order(models, block["policy"]["order"]),
        persona=persona,
        agent=_agent(agent, persona, models) if agent is not None else None,
    )


def _in_order(models: list[Model], order: list[str]) -> tuple[Model, ...]:
    """Put the models that `order` names first, as it names them; the rest follow as listed."""

    def rank(model: Model) -> int:
        ranks = [
            index for index, entry in enumerate(order) if entry in (model.model_id, model.name)
        ]
        return min(ranks, default=len(order))

    return tuple(sorted(models, key=rank))


def _model(block: Block, path: Path, environ: Mapping[str, str]) -> Model:
    weights = block.get("model_path")
    return Model(
        provider=block["provider"],
        model_id=block["model_id"],
        locality=block["locality"],
        base_url=base_url_of(block, environ=environ),
        trusted_hosts=tuple(block["trusted_hosts"]),
        model_path=located(weights, config_path=path) if weights else None,
        api_key_env=block.get("api_key_env", ""),
        request_timeout_seconds=to_seconds(block["request_timeout"]),
        load_timeout_seconds=to_seconds(block["load_timeout"]),
        max_retries=block["max_retries"],
        keep_alive=block["keep_alive"],
        num_ctx=block["num_ctx"],
        num_predict=block["num_predict"],
        options=block["options"],
        think=block["think"],
    )


def base_url_of(block: Block, *, environ: Mapping[str, str]) -> str:
    """Return the address in force: OLLAMA_HOST, then the file, then the provider's own."""
    written = str(block.get("base_url", "")).rstrip("/")
    if block["provider"] != "ollama":
        return written
    host = environ.get("OLLAMA_HOST", "").strip()
    if host:
        try:
            return base_url_from_host(host)
        except AddressError:
            return written  # a guard has a problem for it
    return written or DEFAULT_BASE_URL


def _agent(block: Block, persona: Persona, models: Sequence[Model]) -> Agent:
    memory = block.get("memory")
    shares = fixed_shares(
        persona="".join(astuple(persona)),
        system_prompt=block["system_prompt"],
        tools=block["tools"],
    )
    rooms = [fixed_room_tokens(model.num_ctx, model.num_predict) for model in models]
    budget = notes_budget_tokens(shares, rooms)
    return Agent(
        tools=tuple(block["tools"]),
        governance=tuple(
            Grant(tool=grant["tool"], mode=grant["mode"], channels=tuple(grant.get("channels", ())))
            for grant in block["governance"]
        ),
        max_iterations=block["max_iterations"],
        exchange_timeout_seconds=to_seconds(block["exchange_timeout"]),
        history_turns=block["history_turns"],
        system_prompt=block["system_prompt"],
        tool_timeout_seconds=to_seconds(block["tool_timeout"]),
        tool_attrs=block["tool_attrs"],
        taint=block["taint"],
        memory=_memory(memory, budget) if memory is not None else None,
    )


def _memory(block: Block, budget_tokens: int) -> Memory:
    return Memory(
        scope=block["scope"],
        max_notes=block["max_notes"],
        max_note_runes=block["max_note_runes"],
        budget_runes=block.get(
            "budget_runes", box_runes(block["max_notes"], block["max_note_runes"])
        ),
        budget_tokens=budget_tokens,
        rehearsals=Rehearsals(**block["rehearsals"]),
    )
