"""The product as it runs: a config on disk, its store, its transport, and the fast server."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from brain.clock import SystemClock
from brain.config import Config, load_config
from brain.records import Inbound, Reply
from brain.runtime import Runtime, open_runtime

__all__ = ["document", "loaded", "opened", "say", "written"]


def document(url: str, *, model: str) -> dict[str, Any]:
    """A private brain with `time` and `memory_note`, both allowed, and one local model."""
    served = {"provider": "ollama", "model_id": model, "locality": "local", "base_url": url}
    return {
        "schema_version": 1,
        "storage": {"path": "state/brain.db"},
        "session": {"recall_max": 10},
        "brains": [
            {
                "name": "assistant",
                "sensitivity": "private",
                "policy": {"kind": "priority"},
                "models": [served],
                "agent": {
                    "tools": ["time", "memory_note"],
                    "governance": [
                        {"tool": "time", "mode": "allow"},
                        {"tool": "memory_note", "mode": "allow"},
                    ],
                    "history_turns": 10,
                    "memory": {"scope": "conversation", "max_notes": 10, "max_note_runes": 200},
                },
            }
        ],
    }


def written(folder: Path, content: dict[str, Any]) -> Path:
    """Write a config file into `folder` and return its path."""
    path = folder / "brain.json"
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")
    return path


def loaded(folder: Path, content: dict[str, Any]) -> Config:
    """Write a config file into `folder` and read it as the product does."""
    return load_config(written(folder, content), environ={}).config


@asynccontextmanager
async def opened(folder: Path, url: str, *, model: str = "answers") -> AsyncIterator[Runtime]:
    """Run the product in `folder`, with its models proved."""
    config = loaded(folder, document(url, model=model))
    async with open_runtime(config, clock=SystemClock(), environ={}) as runtime:
        yield runtime


async def say(runtime: Runtime, talk: str, text: str, **more: Any) -> Reply:
    """Send one message through the front door; an exchange that fails ends the measurement."""
    inbound = Inbound(
        channel="console",
        conversation=talk,
        sender="owner",
        is_operator=True,
        text=text,
    )
    reply = await runtime.handle(inbound, **more)
    if reply.outcome in ("failed", "busy"):
        raise RuntimeError(f"{text!r} was not answered: {reply.text}")
    return reply
