"""A command as people see it: its forms, who may use them, and what would turn it on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from brain.commands.answer import Answer, Ask, Plan

__all__ = ["Command", "Form", "always", "always_on", "never", "usage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to type a command."""

    syntax: str
    who: Literal["anyone", "operator"]
    summary: str


def always_on(_: Ask) -> str:
    return ""


def always(_: Ask) -> bool:
    return True


def never(_: Ask) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One reserved command. `why_off` says what would turn it on, or "" where it is on.

    `is_about_talk` tells whether it has nothing to say where there is no conversation.
    """

    name: str
    forms: tuple[Form, ...]
    plan: Plan
    why_off: Callable[[Ask], str] = always_on
    is_about_talk: Callable[[Ask], bool] = never


def usage(forms: Sequence[Form]) -> Answer:
    """Answer what the grammar of a command does not know; nothing was done."""
    lines = [f"- {form.syntax}: {form.summary}" for form in forms]
    return Answer(text="\n".join(["Usage:", *lines]), outcome="usage")
