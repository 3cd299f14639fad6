"""`calc`: arithmetic, exactly."""

from brain.config import ToolAttributes
from brain.records import ToolSpec
from brain.tools.builtin.arithmetic import MAX_EXPRESSION_BYTES, calculate
from brain.tools.ports import Arguments, ToolOutcome

__all__ = ["Calc"]


class Calc:
    """Answers with the value of an expression."""

    spec = ToolSpec(
        name="calc",
        description="Calculate an arithmetic expression.",
        parameters={
            "type": "object",
            "properties": {
                "expression": {
                    "type": "string",
                    "description": "Numbers with + - * / ** % and parentheses, e.g. (2 + 3) * 4",
                    "maxLength": MAX_EXPRESSION_BYTES,
                }
            },
            "required": ["expression"],
            "additionalProperties": False,
        },
    )
    attributes = ToolAttributes()

    def answer(self, arguments: Arguments) -> ToolOutcome:
        return ToolOutcome(text=calculate(str(arguments["expression"])))

    def rehearse(self, arguments: Arguments) -> str:
        return f"would have answered {self.answer(arguments).text}"
