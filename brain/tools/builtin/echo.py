"""`echo`: gives back what it was given; for trying out a policy."""

from brain.config import ToolAttributes
from brain.records import ToolSpec
from brain.tools.ports import Arguments, ToolOutcome

__all__ = ["Echo"]


class Echo:
    """Answers with its text."""

    spec = ToolSpec(
        name="echo",
        description="Repeat a text exactly.",
        parameters={
            "type": "object",
            "properties": {"text": {"type": "string", "description": "The text to repeat."}},
            "required": ["text"],
            "additionalProperties": False,
        },
    )
    attributes = ToolAttributes()

    def answer(self, arguments: Arguments) -> ToolOutcome:
        return ToolOutcome(text=str(arguments["text"]))

    def rehearse(self, arguments: Arguments) -> str:
        return f"would have answered {self.answer(arguments).text}"
