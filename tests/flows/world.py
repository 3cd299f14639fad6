"""One assistant with everything real but its model: a config on disk, a store, the whole runtime."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from brain.config import Config, Model, load_config
from brain.models import ChatModel
from brain.models.scripted import ScriptedModel
from brain.records import Inbound, Reply
from brain.runtime import Runtime, open_runtime
from brain.store import EventFilter
from tests.clocks import FakeClock

Document = dict[str, Any]


def sample(**changes: Any) -> Document:
    """The config of the README: one private brain with `time` and a rehearsed `memory_note`."""
    document: Document = {
        "schema_version": 1,
        "storage": {"path": "state/brain.db"},
        "session": {"recall_max": 10},
        "brains": [
            {
                "name": "assistant",
                "sensitivity": "private",
                "policy": {"kind": "priority"},
                "models": [{"provider": "ollama", "model_id": "llama3.2", "locality": "local"}],
                "agent": {
                    "tools": ["time", "memory_note"],
                    "governance": [
                        {"tool": "time", "mode": "allow"},
                        {"tool": "memory_note", "mode": "shadow"},
                    ],
                    "memory": {"scope": "conversation", "max_notes": 10, "max_note_runes": 200},
                },
            }
        ],
    }
    document.update(changes)
    return document


def grant(document: Document, tool: str, mode: str, **more: Any) -> Document:
    """The document with the grants of `tool` replaced by one of `mode`."""
    changed: Document = json.loads(json.dumps(document))
    agent = changed["brains"][0]["agent"]
    agent["governance"] = [line for line in agent["governance"] if line["tool"] != tool]
    agent["governance"].append({"tool": tool, "mode": mode, **more})
    return changed


def written(
    folder: Path, document: Document, *, environ: Mapping[str, str] | None = None
) -> Config:
    """Write the document as a config file and read it as brain does."""
    path = folder / "brain.json"
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    return load_config(path, environ=environ or {}).config


class World:
    """A running assistant, the model double that plays its models, and its clock."""

    def __init__(self, runtime: Runtime, model: ScriptedModel, clock: FakeClock) -> None:
        self.runtime = runtime
        self.model = model
        self.clock = clock
        self.pieces: list[str] = []

    async def say(self, text: str, **fields: Any) -> Reply:
        """Send one message of the operator on the console's main conversation."""
        inbound = Inbound(
            **{
                "channel": "console",
                "conversation": "main",
                "sender": "owner",
                "is_operator": True,
                "text": text,
                **fields,
            }
        )
        return await self.runtime.handle(inbound, self.pieces.append)

    async def events(self, *names: str) -> list[tuple[Any, ...]]:
        """Return the named fields of every event, in order."""
        rows = await self.runtime.store.read(
            lambda snapshot: snapshot.events(EventFilter(), limit=10_000)
        )
        return [tuple(row[name] for name in names) for row in rows]

    def prompts(self) -> list[str]:
        """The system message of each request the model got."""
        return [request.messages[0].text for request in self.model.requests]


@asynccontextmanager
async def open_world(
    folder: Path,
    document: Document,
    replies: Sequence[Any] = (),
    *,
    clock: FakeClock | None = None,
    model: ScriptedModel | None = None,
    environ: Mapping[str, str] | None = None,
) -> AsyncIterator[World]:
    """Run the document's config with a scripted model in the place of each of its models."""
    clock = clock or FakeClock()
    config = written(folder, document, environ=environ)
    double = model or ScriptedModel(replies, clock=clock, name=config.brains[0].models[0].name)

    def play(_: Model) -> ChatModel:
        return double

    async with open_runtime(config, clock=clock, environ=environ or {}, open_model=play) as runtime:
        yield World(runtime, double, clock)
