"""The effects of an exchange as a column of its reply, and back."""

import json
from dataclasses import asdict
from typing import Final

from brain.records import Effect

__all__ = ["effects_from", "effects_text"]

_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def effects_text(effects: tuple[Effect, ...]) -> str:
    """Return the text that a row holds of effects, empty for none."""
    return _ENCODER.encode([asdict(effect) for effect in effects]) if effects else ""


def effects_from(text: str) -> tuple[Effect, ...]:
    """Return the effects that a row holds."""
    return tuple(Effect(**kept) for kept in json.loads(text)) if text else ()
