"""Configs with a model that says what its script says, for talks with the real program."""

from typing import Any

ALLOW_SCRIPTED = {"BRAIN_ALLOW_SCRIPTED": "1"}


def talks(*replies: Any, mode: str = "allow", **root: Any) -> dict[str, Any]:
    """Return a config of one private brain with notes, whose model gives these replies in turn."""
    return {
        "storage": {"path": "state/brain.db"},
        "session": {"recall_max": 10},
        "brains": [
            {
                "name": "assistant",
                "sensitivity": "private",
                "policy": {"kind": "priority"},
                "models": [
                    {
                        "provider": "scripted",
                        "model_id": "test",
                        "locality": "local",
                        "options": {"replies": list(replies)},
                    }
                ],
                "agent": {
                    "tools": ["time", "memory_note"],
                    "governance": [
                        {"tool": "time", "mode": "allow"},
                        {"tool": "memory_note", "mode": mode},
                    ],
                    "memory": {"scope": "conversation", "max_notes": 2},
                },
            }
        ],
        **root,
    }


def saves(note: str) -> dict[str, Any]:
    """Return the reply of a model that asks to keep a note."""
    return {"calls": [{"name": "memory_note", "arguments": {"note": note}}]}
