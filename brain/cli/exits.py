"""Outcomes and their exit codes, and how a failure is told: one place for every command.

0 done · 1 failed · 2 usage or config · 3 refused by policy · 4 something needed is not reachable ·
130 interrupted
"""

from typing import Final

from brain.cli.talk import warn
from brain.errors import (
    BrainError,
    ConfigError,
    Interrupted,
    ModelError,
    RefusedByPolicy,
    UsageError,
)

__all__ = [
    "DONE",
    "FAILED",
    "INTERRUPTED",
    "NOT_REACHABLE",
    "REFUSED",
    "USAGE",
    "exit_code",
    "tell",
]

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
REFUSED: Final = 3
NOT_REACHABLE: Final = 4
INTERRUPTED: Final = 130


def exit_code(error: BrainError) -> int:
    match error:
        case ConfigError() | UsageError():
            return USAGE
        case RefusedByPolicy():
            return REFUSED
        case ModelError():
            return NOT_REACHABLE
        case Interrupted():
            return INTERRUPTED
        case _:
            return FAILED


def tell(error: BrainError) -> None:
    """Say on stderr what failed and what mends it."""
    if isinstance(error, ConfigError) and error.problems:
        from brain.config import render_problems

        warn(render_problems(error))
        return
    warn(f"error: {error.message}")
    if error.fix:
        warn(f"  fix: {error.fix}")
