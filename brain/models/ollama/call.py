"""What one call tells the transport past the client, which has no parameter for it."""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

from brain.records import JSONValue

__all__ = ["CALL", "Call"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Body fields to be set, and time-outs in seconds that stand for the client's own."""

    fields: Mapping[str, JSONValue] = field(default_factory=dict)
    head_seconds: float | None = None
    read_seconds: float | None = None


_PLAIN: Final = Call()
CALL: ContextVar[Call] = ContextVar("brain_ollama_call", default=_PLAIN)
