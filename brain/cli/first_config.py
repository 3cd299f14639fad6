"""The text of a first config: strict JSON, with a remark at each choice. Pure."""

import json
from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["Choice", "first_config"]

_TEXT: Final = """\
{
  "_comment": "Every field: brain config schema. What is in force and why: brain config explain. A saved change is taken up at once by a brain that runs.",
  "storage": {
    "_comment": "Turns, notes and the record of what happened are kept in a data folder of this file's own; \\"path\\" names another file."
  },
  "session": {
    "_comment": "/new begins anew, and /recall quotes up to this many turns of the talk before.",
    "recall_max": 10
  },
  "brains": [
    {
      "name": "assistant",
      "_comment": "private: only models that are proved to run on this machine are ever asked. public: others may be.",
      "sensitivity": %(sensitivity)s,
      "policy": { "kind": "priority" },
      "models": [
        { "provider": %(provider)s, "model_id": %(model_id)s, "locality": %(locality)s }
      ],
      "agent": {
        "tools": ["time", "memory_note"],
        "governance": [
          { "tool": "time", "mode": "allow" },
          {
            "_comment": "shadow: notes are rehearsed and you judge them (/notes rehearsals). allow: they are stored. deny: neither.",
            "tool": "memory_note",
            "mode": "shadow"
          }
        ],
        "memory": {
          "_comment": "Notes of one conversation; a full box says so and throws nothing out.",
          "scope": "conversation",
          "max_notes": 10,
          "max_note_runes": 200
        }
      }
    }
  ]
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which model answers, where it runs, and whether only proved ones may."""

    provider: Literal["ollama", "embedded"]
    model_id: str
    is_local: bool = True
    is_private: bool = True


def first_config(choice: Choice) -> str:
    """Return the config that a choice makes."""
    return _TEXT % {
        "provider": json.dumps(choice.provider),
        "model_id": json.dumps(choice.model_id, ensure_ascii=False),
        "locality": json.dumps("local" if choice.is_local else "cloud"),
        "sensitivity": json.dumps("private" if choice.is_private else "public"),
    }
