"""What a config means for the boxes that are in the store: over their cap, or out of reach.

Nothing is deleted for a config; its owner is told what it leaves behind.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from brain.config import Brain, Config, Report, problem_at
from brain.counts import counted
from brain.errors import Problem
from brain.records import Box, Scope
from brain.store import Snapshot, Store

__all__ = ["box_warnings", "read_box_warnings"]

Counted = Sequence[tuple[Box, int]]
"""Every box that holds a note, with its count."""


async def read_box_warnings(report: Report, store: Store) -> tuple[Problem, ...]:
    """Return the warnings of a valid config about the boxes of `store`. Raises StoreError."""
    return box_warnings(report, await store.read(_boxes))


def _boxes(snapshot: Snapshot) -> Counted:
    return snapshot.boxes()


def box_warnings(report: Report, boxes: Counted) -> tuple[Problem, ...]:
    """Return a warning for each brain with a box over its cap, and for boxes that nothing reaches."""
    if report.config is None:
        return ()
    return (
        *_crowded(report, report.config, boxes),
        *_left_behind(report, report.config, boxes),
    )


def _crowded(report: Report, config: Config, boxes: Counted) -> Iterator[Problem]:
    for index, brain in enumerate(config.brains):
        memory = brain.agent.memory if brain.agent else None
        if memory is None:
            continue
        over = [
            count
            for box, count in boxes
            if (box.brain, box.scope) == (brain.name, memory.scope) and count > memory.max_notes
        ]
        if over:
            full = counted(len(over), "box holds", "boxes hold")
            yield problem_at(
                report.draft.document,
                ("brains", index, "agent", "memory", "max_notes"),
                "box_over_cap",
                found=f"{memory.max_notes}, and {full} more (up to {counted(max(over), 'note')})",
                expected="room for what is there: nothing is deleted, and a box over its cap is full",
                fix="raise it, or make room with /notes drop N",
                is_warning=True,
            )


def _left_behind(report: Report, config: Config, boxes: Counted) -> Iterator[Problem]:
    """Yield what notes a renamed brain, a switched scope or a dropped block leaves out of reach."""
    notes: Counter[tuple[str, Scope]] = Counter()
    for box, count in boxes:
        notes[box.brain, box.scope] += count
    names = [brain.name for brain in config.brains]
    for (name, scope), count in sorted(notes.items()):
        held = f"{counted(count, 'note')} of brain '{name}' in the store"
        if name not in names:
            at, found = ("brains",), f"{held}, and no brain of that name"
            fix = f"name the brain {name!r} again"
            if heirs := [each for each in config.brains if each.agent and each.agent.memory]:
                fix += f", or take them over: {_move(config, name, scope, heirs[0])}"
        else:
            index = names.index(name)
            agent = config.brains[index].agent
            memory = agent.memory if agent else None
            if memory is not None and memory.scope == scope:
                continue
            at = ("brains", index, *(("agent",) if agent else ()))
            found = f"{held} with the scope {scope!r}, which this config does not use"
            fix = f'to reach them: "memory": {{"scope": "{scope}"}}'
            if memory is not None:
                fix += f", or take them over: {_move(config, name, scope, config.brains[index])}"
        yield problem_at(
            report.draft.document,
            at,
            "notes_left_behind",
            found=found,
            expected="every note within reach; nothing is deleted, and none of these rides in a prompt",
            fix=fix,
            is_warning=True,
        )


def _move(config: Config, name: str, scope: Scope, to: Brain) -> str:
    """Return the command that brings the notes into a box of `to`."""
    command = f"brain notes move --from {name} --scope {scope} --to {to.name}"
    is_for_a_talk = bool(to.agent and to.agent.memory and to.agent.memory.scope == "conversation")
    if scope == "brain" and is_for_a_talk:
        command += f" --channel {config.channels[0].name} --conversation main"
    return command
