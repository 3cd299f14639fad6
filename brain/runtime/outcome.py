"""What became of a config that was offered to a running brain, for people and for the record. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from brain.activity import Draft
from brain.clock import to_rfc3339
from brain.config import Config, Report, needing_restart, problem_at, render_problems
from brain.records import JSONValue

__all__ = ["Outcome", "event_of", "once", "refuse_restart", "refused", "told"]

MOST_PATHS: Final = 64
"""How many paths one event names; its counts say how many there were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a config that was offered. `unchanged`: it was in force already.

    `revision` is the one in force afterwards. `paths` are those that changed, or that a problem is
    at. `report` holds the problems and warnings.
    """

    kind: Literal["applied", "rejected", "unchanged"]
    at: datetime
    revision: str
    revision_before: str
    paths: tuple[str, ...]
    report: Report

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the problems, or, where there are none, of the warnings."""
        told = self.report.problems or self.report.warnings
        return once(problem.code for problem in told)

    @property
    def text(self) -> str:
        """The outcome for people: a line, and below it every problem and warning in full."""
        told = self.report.problems + self.report.warnings
        if self.kind == "rejected":
            return render_problems(self.report)
        line = f"config as in force (revision {self.revision[:12]})"
        if self.kind == "applied":
            changed = ", ".join(self.paths) or "nothing but what stood at its default"
            line = f"config applied: {changed} (revision {self.revision[:12]})"
        return f"{line}\n{render_problems(self.report)}" if told else line


def refuse_restart(report: Report, in_force: Config) -> Report:
    """Return the report with a problem for each change that a running brain can't take over."""
    config = report.config
    keys = needing_restart(in_force, config) if config is not None else ()
    if not keys:
        return report
    problems = [
        problem_at(
            report.draft.document,
            each,
            "needs_restart",
            found="another value than the one in force",
            expected="what brain was started with: it holds for as long as brain runs",
            fix="put it back, or stop brain and start it again; nothing of this save is applied",
        )
        for each in keys
    ]
    return replace(report.with_problems(*problems), verdict="needs a restart")


def refused(report: Report, code: str, found: str, fix: str = "") -> Report:
    """Return the report of a valid config that could not be put in force."""
    problem = problem_at(
        report.draft.document,
        (),
        code,
        found=found,
        expected="a config that can be put in force",
        fix=fix or "save it again, or: brain reload",
    )
    return replace(report.with_problems(problem), verdict="was not applied")


def event_of(outcome: Outcome) -> Draft:
    """Return the event of a config that was applied or rejected."""
    is_applied = outcome.kind == "applied"
    return Draft(
        type=f"config_{outcome.kind}",
        origin="operator",
        revision=outcome.revision,
        revision_before=outcome.revision_before if is_applied else None,
        paths=outcome.paths[:MOST_PATHS],
        codes=outcome.codes or None,
        counts={"paths": len(outcome.paths)} if len(outcome.paths) > MOST_PATHS else None,
    )


def once(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words in order, each once."""
    return tuple(dict.fromkeys(words))


def told(outcome: Outcome) -> Mapping[str, JSONValue]:
    """Return the outcome as data for those who ask from outside."""
    return {
        "kind": outcome.kind,
        "at": to_rfc3339(outcome.at),
        "revision": outcome.revision,
        "revision_before": outcome.revision_before,
        "paths": list(outcome.paths),
        "codes": list(outcome.codes),
        "text": outcome.text,
    }
