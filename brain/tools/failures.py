"""What a failed call looks like from outside: our words, never those of an exception of a library."""

from dataclasses import dataclass

from brain.errors import ArgumentsTooLong, BadArguments, ToolError, ToolTimedOut
from brain.tools import sentences

__all__ = ["Failure", "failure_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """`code` is for the event, `text` for the model, `why` for the person."""

    code: str
    text: str
    why: str


def failure_of(error: Exception, *, is_malformed: bool) -> Failure:
    """Return how `error` is told. A ToolError says it itself; of anything else nothing is told."""
    match error:
        case BadArguments():
            code = "malformed" if is_malformed else "bad_arguments"
            text = sentences.failed(error.message)
            is_too_long = isinstance(error, ArgumentsTooLong)
            why = error.message if is_too_long else sentences.WHY_MALFORMED
            return Failure(code=code, text=text, why=why)
        case ToolTimedOut():
            text = sentences.failed(error.message)
            return Failure(code="timed_out", text=text, why=error.message)
        case ToolError():
            text = sentences.failed(error.message)
            return Failure(code="tool_failed", text=text, why=error.message)
        case _:
            return Failure(code="tool_failed", text=sentences.FAILED, why=sentences.WHY_FAILED)
