"""`time`: what time it is."""

from brain.clock import Clock
from brain.config import ToolAttributes
from brain.records import ToolSpec
from brain.tools.ports import Arguments, ToolOutcome

__all__ = ["UtcTime"]


class UtcTime:
    """Answers with the present moment in UTC, as RFC 3339 with seconds."""

    spec = ToolSpec(
        name="time",
        description="Get the current date and time in UTC.",
        parameters={"type": "object", "properties": {}, "additionalProperties": False},
    )
    attributes = ToolAttributes()

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock

    def answer(self, _: Arguments) -> ToolOutcome:
        return ToolOutcome(text=self._now())

    def rehearse(self, _: Arguments) -> str:
        return f"would have answered {self._now()}"

    def _now(self) -> str:
        return self._clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
