"""When a file that changed may be judged: the decision, from what was seen of it. Pure.

| what was seen | judged when |
|---|---|
| it came by rename and parses | at once |
| it was written in place and parses | two reads 10 ms apart agree: an overwrite of the same length can parse half new, half old |
| it does not parse, is empty or is gone | two reads 100 ms apart agree |
| it is what was judged last | never again |

A rename of a file that was written a moment ago can't be told from one that is being written, since
times of files are coarse: such a file is judged as soon as nobody wrote it for 10 ms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Literal

__all__ = ["BROKEN_SECONDS", "IN_PLACE_SECONDS", "Look", "Wait", "settle"]

IN_PLACE_SECONDS: Final = 0.010
BROKEN_SECONDS: Final = 0.100

_ROUNDING: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at the file: what settling may know of it.

    `at_seconds` is of a clock that does not jump; `digest` tells contents apart. `is_replaced`:
    another file than the one judged last has its name. `quiet_seconds` is for how long nobody is
    known to have written it, 0 where that can't be told. `is_steady`: it did not change while it
    was read.
    """

    at_seconds: float
    digest: str
    parses: bool
    is_replaced: bool = False
    quiet_seconds: float = 0.0
    is_steady: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Look again after so many seconds."""

    seconds: float


def settle(judged: str, looks: Sequence[Look]) -> Literal["same", "judge"] | Wait:
    """Return what to do after the last of `looks`; `judged` is the digest of what was judged last."""
    last = looks[-1]
    if last.digest == judged:
        return "same"
    if not last.is_steady:
        return Wait(seconds=IN_PLACE_SECONDS)
    agreeing = takewhile(
        lambda look: look.is_steady and look.digest == last.digest, reversed(looks)
    )
    agreed_seconds = last.at_seconds - min(look.at_seconds for look in agreeing)
    left = (IN_PLACE_SECONDS if last.parses else BROKEN_SECONDS) - agreed_seconds
    if last.parses and last.is_replaced:
        left = min(left, IN_PLACE_SECONDS - last.quiet_seconds)
    return "judge" if left <= _ROUNDING else Wait(seconds=left)
