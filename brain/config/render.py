"""A report as text for people, or as JSON for programs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from brain.config.check import Report
from brain.errors import ConfigError, Problem

__all__ = ["render_problems"]


def render_problems(report: Report | ConfigError, *, as_json: bool = False) -> str:
    """Return the report (or the error it was raised as) without a line break at its end."""
    if isinstance(report, Report):
        headline, problems, warnings = report.headline, report.problems, report.warnings
        last = f"check again with: {report.again}" if problems else ""
    else:
        headline, problems, warnings, last = report.message, report.problems, (), report.fix
    if as_json:
        return _as_json(headline, problems, warnings, is_valid=isinstance(report, Report))
    is_error = bool(problems) or isinstance(report, ConfigError)
    lines = [f"error: {headline}" if is_error else headline]
    for problem in (*problems, *warnings):
        lines += ["", *_block(problem)]
    if last:
        lines += ["", last]
    return "\n".join(lines)


def _block(problem: Problem) -> Iterator[str]:
    place = f"{problem.file}:{problem.line}:{problem.column}" if problem.line else problem.file
    mark = "warning: " if problem.severity == "warning" else ""
    yield f"  {mark}{place}  {problem.path or '(the whole file)'}"
    yield f"    found     {problem.found}"
    yield f"    expected  {problem.expected}"
    if problem.fix:
        yield f"    fix       {problem.fix}"


def _as_json(
    headline: str, problems: Sequence[Problem], warnings: Sequence[Problem], *, is_valid: bool
) -> str:
    return json.dumps(
        {
            "valid": is_valid and not problems,
            "message": headline,
            "problems": [asdict(problem) for problem in problems],
            "warnings": [asdict(warning) for warning in warnings],
        },
        indent=2,
    )
