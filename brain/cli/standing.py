"""How the models of a brain stand, in lines for a person. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from brain.models import Standing

__all__ = ["first_lines", "passed_over", "proof_lines"]

_IN_PROCESS: Final = "embedded/"  # it reads all it is taught before its first word
_OF_BRAIN: Final = re.compile(r"\bbrain (?:pull(?: --embedded)?|models release \S+)")


def first_lines(brain: str, standings: Sequence[Standing], *, option: str = "") -> Iterator[str]:
    """Yield what was tried, in order, up to the model that answers; then which that is.

    `option` names the config to the commands that mend something, where they would use another.
    """
    for standing in standings:
        if _can_answer(standing):
            local = "proved local" if standing.proof and standing.proof.is_local else "not local"
            proved = f" ({local})" if standing.proof else ""
            yield f"{brain} answers with {standing.model}{proved}"
            if standing.model.startswith(_IN_PROCESS):
                yield "its very first answer can take half a minute; the next ones take seconds"
            return
        yield from _lines(standing, option)
    yield f"{brain} has no model to ask now; commands work, and each message asks again"


def passed_over(standings: Sequence[Standing]) -> tuple[str, ...]:
    """Return the models before the one that answers, in order: those that can't."""
    return tuple(each.model for each in takewhile(lambda each: not _can_answer(each), standings))


def _can_answer(standing: Standing) -> bool:
    return standing.state in ("ready", "unasked")


def proof_lines(standing: Standing, *, option: str = "") -> Iterator[str]:
    """Yield how a model stands, and each step of its proof below; `option` as for `first_lines`."""
    yield from _lines(standing, option)
    if standing.proof is None:
        return
    for step in standing.proof.steps:
        yield f"  {step.outcome:<6}  {step.name:<7}  {step.detail}"


def _lines(standing: Standing, option: str) -> Iterator[str]:
    detail = f": {standing.detail}" if standing.detail else ""
    yield f"{standing.model}: {standing.state}{detail}"
    if standing.fix:
        yield f"  fix: {_OF_BRAIN.sub(lambda match: match[0] + option, standing.fix)}"
