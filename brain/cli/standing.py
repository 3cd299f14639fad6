"""How the models of a brain stand, in lines for a person and as data. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from brain.models import Standing
from brain.records import JSONValue

__all__ = ["first_lines", "passed_over", "proof_lines", "standing_shape"]

_IN_PROCESS: Final = "embedded/"  # it reads all it is taught before its first word
_OF_BRAIN: Final = re.compile(r"\bbrain (?:pull(?: --embedded)?|models release \S+)")


def first_lines(brain: str, standings: Sequence[Standing], *, option: str = "") -> Iterator[str]:
    """Yield which model answers, and why none before it does; or, where none can, all that is wrong.

    `option` names the config to the commands that mend something, where they would use another.
    """
    before = tuple(takewhile(lambda each: not _can_answer(each), standings))
    has_answer = len(before) < len(standings)
    for standing in before:
        # What only isn't there is what the next model is for; a model that lied needs its owner.
        if not (has_answer and _is_only_absent(standing)):
            yield from _lines(standing, option)
    if not has_answer:
        yield f"{brain} has no model to ask now; commands work, and each message asks again"
        return
    yield _answering(brain, standings[len(before)], before)
    if standings[len(before)].model.startswith(_IN_PROCESS):
        yield "its very first answer can take half a minute; the next ones take seconds"


def _answering(brain: str, standing: Standing, before: Sequence[Standing]) -> str:
    local = "proved local" if standing.proof and standing.proof.is_local else "not local"
    proved = f" ({local})" if standing.proof else ""
    absent = [
        f"{each.model} can't be asked ({each.detail})" for each in before if _is_only_absent(each)
    ]
    since = f", since {' and '.join(absent)}" if absent else ""
    return f"{brain} answers with {standing.model}{proved}{since}"


def passed_over(standings: Sequence[Standing]) -> tuple[str, ...]:
    """Return the models before the one that answers, in order: those that can't."""
    return tuple(each.model for each in takewhile(lambda each: not _can_answer(each), standings))


def _can_answer(standing: Standing) -> bool:
    return standing.state in ("ready", "unasked")


def _is_only_absent(standing: Standing) -> bool:
    return standing.state == "out of service"


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


def standing_shape(brain: str, standing: Standing) -> JSONValue:
    """Return how a model of a brain stands, as data."""
    return {"brain": brain, **standing.data()}
