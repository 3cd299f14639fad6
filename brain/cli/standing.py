"""How the models of a brain stand, in lines for a person. Pure."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from brain.models import Standing

__all__ = ["first_lines", "passed_over", "proof_lines"]


def first_lines(brain: str, standings: Sequence[Standing]) -> Iterator[str]:
    """Yield what was tried, in order, up to the model that answers; then which that is."""
    for standing in standings:
        if _can_answer(standing):
            local = "proved local" if standing.proof and standing.proof.is_local else "not local"
            proved = f" ({local})" if standing.proof else ""
            yield f"{brain} answers with {standing.model}{proved}"
            return
        yield _line(standing)
    yield f"{brain} has no model to ask now; commands work, and each message asks again"


def passed_over(standings: Sequence[Standing]) -> tuple[str, ...]:
    """Return the models before the one that answers, in order: those that can't."""
    return tuple(each.model for each in takewhile(lambda each: not _can_answer(each), standings))


def _can_answer(standing: Standing) -> bool:
    return standing.state in ("ready", "unasked")


def proof_lines(standing: Standing) -> Iterator[str]:
    """Yield how a model stands, and each step of its proof below."""
    yield _line(standing)
    if standing.proof is None:
        return
    for step in standing.proof.steps:
        yield f"  {step.outcome:<6}  {step.name:<7}  {step.detail}"


def _line(standing: Standing) -> str:
    told = f"{standing.model}: {standing.state}"
    if standing.detail:
        told += f": {standing.detail}"
    return f"{told}; {standing.fix}" if standing.fix else told
