"""Boxes that hold more notes than their cap, which was lowered: they are full, and told as such."""

from collections.abc import Iterator

from brain.config import Report, problem_at
from brain.errors import Problem
from brain.store import Store

__all__ = ["crowding_warnings"]


async def crowding_warnings(report: Report, store: Store) -> tuple[Problem, ...]:
    """Return one warning for each brain of which a box holds more notes than `max_notes`.

    Nothing is deleted for a lower cap. Raises StoreError.
    """
    counted = await store.read(lambda snapshot: snapshot.boxes())
    counts: dict[tuple[str, str], list[int]] = {}
    for box, count in counted:
        counts.setdefault((box.brain, box.scope), []).append(count)
    return tuple(_warnings(report, counts))


def _warnings(report: Report, counts: dict[tuple[str, str], list[int]]) -> Iterator[Problem]:
    for index, brain in enumerate(report.config.brains if report.config else ()):
        memory = brain.agent.memory if brain.agent else None
        if memory is None:
            continue
        over = [
            count
            for count in counts.get((brain.name, memory.scope), ())
            if count > memory.max_notes
        ]
        if over:
            boxes = "1 box holds" if len(over) == 1 else f"{len(over)} boxes hold"
            yield problem_at(
                report.draft.document,
                ("brains", index, "agent", "memory", "max_notes"),
                "box_over_cap",
                found=f"{memory.max_notes}, and {boxes} more ({max(over)} notes at most)",
                expected="room for what is there: nothing is deleted, and a box over its cap is full",
                fix="raise it, or make room with /notes drop N",
                is_warning=True,
            )
