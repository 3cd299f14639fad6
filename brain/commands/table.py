"""Every reserved command: what `/help`, docs/commands.md and the answers themselves are made from."""

from typing import Final

from brain.commands.activity import ACTIVITY, WHY
from brain.commands.answer import Answer, Ask, Step
from brain.commands.forms import Command, Form
from brain.commands.help import HELP_FORMS, plan_help
from brain.commands.notes import NOTES
from brain.commands.recall import RECALL
from brain.commands.tools import TOOLS

__all__ = ["TABLE", "command_named", "table_markdown"]


def _plan_help(ask: Ask) -> Step:
    return plan_help(ask, TABLE)


def _not_built(name: str, what: str, why: str) -> Command:
    """Return a command that answers why it can do nothing yet."""
    text = f"/{name} is off: {why} not part of this version. Short facts are kept as /notes."
    return Command(
        name=name,
        forms=(Form(syntax=f"/{name}", who="anyone", summary=f"{what}; not in this version"),),
        plan=lambda _: Answer(text=text, outcome="not_built"),
        why_off=lambda _: text,
    )


TABLE: Final[tuple[Command, ...]] = (
    NOTES,
    RECALL,
    TOOLS,
    WHY,
    ACTIVITY,
    _not_built("memories", "long-term memories", "long-term memory (agent.long_term) is"),
    _not_built("pages", "pages that age", "pages (agent.pages) are"),
    Command(name="help", forms=HELP_FORMS, plan=_plan_help),
)


def command_named(name: str) -> Command:
    """Return the reserved command `name`; KeyError where there is none."""
    for command in TABLE:
        if command.name == name:
            return command
    raise KeyError(name)


def table_markdown() -> str:
    """Return the table of docs/commands.md; a test compares."""
    rows = ["| command | who | what |", "|---|---|---|"]
    rows += [
        f"| `{form.syntax}` | {form.who} | {form.summary} |"
        for command in TABLE
        for form in command.forms
    ]
    return "\n".join(rows)
