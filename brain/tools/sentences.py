"""What is said of a call, in fixed words.

The model never learns a rule, a path or the words of an exception. What begins with WHY is for the
person: the reason at the end of the effects line.
"""

from collections.abc import Sequence
from typing import Final

__all__ = [
    "DENIED", "EMPTY", "FAILED", "OUTDATED", "OVER_BUDGET", "REHEARSED", "REPEATED",
    "UNKNOWN_TAINT", "WHY_FAILED", "WHY_MALFORMED", "WHY_NO_BOX", "WHY_OUTDATED",
    "WHY_OVER_BUDGET", "failed", "tainted_by", "unknown", "why_denied",
]  # fmt: skip

DENIED: Final = "Not permitted here. Tell the user so, and do not offer to do it another way."
REHEARSED: Final = (
    "This was a rehearsal: nothing was stored or sent, by design. Tell the user so, and do not "
    "offer to do it another way."
)
OUTDATED: Final = "Nothing was stored: something was forgotten while this answer was being made."
EMPTY: Final = "The tool ran and returned nothing."
FAILED: Final = "The call failed: the tool could not do it."
OVER_BUDGET: Final = "Not run: there were too many calls in one reply."
REPEATED: Final = "Not run: the same call was made twice before. Answer with what it returned."

WHY_FAILED: Final = "the tool failed"
WHY_MALFORMED: Final = "the call was malformed"
WHY_NO_BOX: Final = "this message belongs to no conversation"
WHY_OUTDATED: Final = "something was forgotten while this answer was being made"
WHY_OVER_BUDGET: Final = "there were too many calls in one reply"
UNKNOWN_TAINT: Final = "this talk read a text of unknown origin"


def failed(reason: str) -> str:
    return f"The call failed: {reason}."


def unknown(names: Sequence[str]) -> str:
    if not names:
        return "There is no such tool. There are no tools here."
    return f"There is no such tool. The tools are: {', '.join(names)}."


def why_denied(tool: str) -> str:
    return f"{tool} is not permitted here"


def tainted_by(tool: str) -> str:
    return f"this talk read what {tool} returned"
