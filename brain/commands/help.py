"""`/help` and the answer to a word that is no command."""

import difflib
from collections.abc import Sequence
from typing import Final

from brain.commands.answer import Answer, Ask, Step, shown
from brain.commands.forms import Command, Form, usage
from brain.commands.parse import words_of

__all__ = ["HELP_FORMS", "HOW_TO_NAME_ONE", "answer_unknown", "plan_help"]

HOW_TO_NAME_ONE: Final = "Its client has to send one of the headers in server.conversation_headers."

HELP_FORMS: Final = (Form(syntax="/help", who="anyone", summary="what is available here"),)


def plan_help(ask: Ask, commands: Sequence[Command]) -> Step:
    if words_of(ask.rest):
        return usage(HELP_FORMS)
    on = [command for command in commands if not command.why_off(ask)]
    available = [command for command in on if not (ask.is_apart and command.is_about_talk(ask))]
    triggers = ask.triggers
    lines = ["Available here:"]
    if triggers and not ask.is_apart:
        lines.append(f"- {', '.join(triggers)} [TEXT]: begin a new session, with TEXT if given")
    lines += [
        f"- {form.syntax}: {form.summary}"
        for command in available
        for form in command.forms
        if form.who == "anyone" or ask.context.is_operator
    ]
    if ask.is_apart:
        names = [f"/{command.name}" for command in on if command not in available]
        lines.append(f"In a conversation also: {', '.join([*triggers, *names])}. {HOW_TO_NAME_ONE}")
    off = [f"/{command.name}" for command in commands if command not in on]
    if not triggers:
        off.insert(0, "/new")
    if off:
        lines.append(f"Not turned on: {', '.join(off)}. Each says what would turn it on.")
    if ask.context.channel.type == "console":
        lines.append("Any other /word goes to the model if a space stands before it.")
    return Answer(text="\n".join(lines))


def answer_unknown(ask: Ask, word: str, commands: Sequence[Command]) -> Answer:
    """Name the nearest command; nothing went to the model."""
    names = [f"/{command.name}" for command in commands]
    nearest = difflib.get_close_matches(f"/{word}", [*names, *ask.triggers], n=1)
    meant = f"Did you mean {nearest[0]}?" if nearest else "/help lists the commands."
    return Answer(
        text=f"There is no command /{shown(word, at_most=40)}. {meant} "
        "To send the line to the model, put a space before it.",
        outcome="unknown",
    )
