"""`brain notes`: the operator's own hand on the box and its rehearsals, from the shell."""

import json
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, TypeVar

import click

from brain.channels import note_shape, rehearsal_shape
from brain.cli.finishing import finished
from brain.cli.interrupts import run_to_end
from brain.cli.line import TEXT, config_option, conversation_option, json_option
from brain.cli.moving import move
from brain.cli.person import user_name
from brain.cli.place import config_in_force
from brain.cli.table import columns
from brain.cli.talk import say, say_json, warn
from brain.clock import SystemClock
from brain.config import Config
from brain.counts import counted
from brain.errors import BrainError, NotFound, RefusedByPolicy
from brain.memory import BoxDiff, DiffLine, why_not_stored
from brain.records import Box, JSONValue, Rehearsal
from brain.runtime import BoxView, Desk, Place, open_desk
from brain.tools import OperatorCall

__all__ = ["notes"]

T = TypeVar("T")

_IN_SHELL: Final = {
    "/notes": "brain notes list",
    "/notes clear": "brain notes clear",
    "/notes drop": "brain notes drop",
    "/notes promote": "brain notes rehearsals promote",
    "/notes rehearsals": "brain notes rehearsals list",
}
_IN_TALK: Final = re.compile(r"(?<!\S)/notes\b(?: (?:clear|drop|promote|rehearsals)\b)?")


F = TypeVar("F", bound=Callable[..., Any])


def box_options(command: F) -> F:
    """Add what says whose box is meant; what is left out is the first that the config has."""
    for option in (
        click.option(
            "--brain",
            type=TEXT,
            default="",
            metavar="NAME",
            help="The brain whose notes are meant.",
        ),
        click.option(
            "--channel",
            type=TEXT,
            default="",
            metavar="NAME",
            help="For notes of a conversation.",
        ),
        conversation_option,
    ):
        command = option(command)
    return command


@click.group()
@config_option
def notes() -> None:
    """List, add and drop notes; judge rehearsals."""


notes.add_command(move)


def _whole(desk: Desk, place: Place) -> Awaitable[BoxView]:
    """Return the whole box: who runs this command has the store in their hands."""
    return desk.view(place, is_operator=True)


@notes.command("list")
@json_option
@box_options
@config_option
@click.pass_context
def list_notes(ctx: click.Context, /, *, as_json: bool, **box: str) -> None:
    """Show the box, oldest note first."""
    view = at_desk(ctx, box, _whole)
    if as_json:
        say_json(
            {
                "box": _box(view.box),
                "max_notes": view.max_notes,
                "notes": [note_shape(note) for note in view.notes],
                "rehearsals": len(view.rehearsals),
            }
        )
        return
    warn(f"{len(view.notes)} of {counted(view.max_notes, 'note')}")
    for note in view.notes:
        say(f"{note.number}. {' '.join(note.text.split())}")
    if view.rehearsals:
        warn(f"{len(view.rehearsals)} to judge: brain notes rehearsals list")


@notes.command()
@click.argument("text", type=TEXT, nargs=-1, required=True)
@box_options
@config_option
@click.pass_context
def add(ctx: click.Context, /, *, text: Sequence[str], **box: str) -> None:
    """Store a note of your own: the words after it are the note."""
    _tell(at_desk(ctx, box, lambda desk, place: desk.add(place, " ".join(text))))


@notes.command()
@click.argument("number", type=click.IntRange(min=1))
@box_options
@config_option
@click.pass_context
def drop(ctx: click.Context, /, *, number: int, **box: str) -> None:
    """Forget one note by its number. The transcript is not touched."""

    async def forget_it(desk: Desk, place: Place) -> str:
        return await finished(desk, await desk.forget_note(place, number))

    say(f"dropped note {number}; {at_desk(ctx, box, forget_it)}")


@notes.command()
@box_options
@config_option
@click.pass_context
def clear(ctx: click.Context, /, **box: str) -> None:
    """Forget what is in the box, its rehearsals with it. The transcript is not touched."""

    async def clear_box(desk: Desk, place: Place) -> str:
        scope = (await _whole(desk, place)).box.scope
        gone = await desk.forget_box(place)
        notes, rehearsals = (gone.counts.get(name, 0) for name in ("notes", "rehearsals"))
        counts = f"{counted(notes, 'note')} and {counted(rehearsals, 'rehearsal')}"
        return f"{counts} (scope {scope}); {await finished(desk, gone)}"

    say(f"cleared {at_desk(ctx, box, clear_box)}")


@notes.group()
@config_option
def rehearsals() -> None:
    """Judge what was only rehearsed."""


@rehearsals.command("list")
@json_option
@box_options
@config_option
@click.pass_context
def list_rehearsals(ctx: click.Context, /, *, as_json: bool, **box: str) -> None:
    """Show what would have happened, oldest first."""
    view = at_desk(ctx, box, _whole)
    if as_json:
        say_json([rehearsal_shape(each) for each in view.rehearsals])
        return
    _show_rehearsals(view)


@rehearsals.command()
@json_option
@box_options
@config_option
@click.pass_context
def diff(ctx: click.Context, /, *, as_json: bool, **box: str) -> None:
    """Show the box as it is, and as it would be were every rehearsal promoted."""
    found = at_desk(ctx, box, lambda desk, place: desk.diff(place))
    if as_json:
        say_json(_diff(found))
        return
    for line in diff_lines(found):
        say(line)


@rehearsals.command()
@click.argument("numbers", type=click.IntRange(min=1), nargs=-1, required=True)
@box_options
@config_option
@click.pass_context
def promote(ctx: click.Context, /, *, numbers: Sequence[int], **box: str) -> None:
    """Store what rehearsals held, each decided anew, in the order given."""

    async def promote_all(desk: Desk, place: Place) -> None:
        for number in numbers:
            _tell(await desk.promote(place, number))

    at_desk(ctx, box, promote_all)


@rehearsals.command("drop")
@click.argument("numbers", type=click.IntRange(min=1), nargs=-1, required=True)
@box_options
@config_option
@click.pass_context
def drop_rehearsals(ctx: click.Context, /, *, numbers: Sequence[int], **box: str) -> None:
    """Drop rehearsals: all of these numbers, or none."""
    at_desk(ctx, box, lambda desk, place: desk.discard(place, numbers))
    say(f"dropped {', '.join(f'rehearsal {number}' for number in numbers)}")


def diff_lines(found: BoxDiff) -> Iterator[str]:
    """Yield the box as it is beside the box as it would be, and below it what would be refused."""
    if not found.would_be and not found.refused:
        yield "the box is empty, and nothing was rehearsed that would be stored"
        return
    counts = tuple(f"{len(box)} of {found.max_notes}" for box in (found.as_it_is, found.would_be))
    rows = [
        (_numbered(now), _numbered(then))
        for now, then in zip_longest(found.as_it_is, found.would_be)
    ]
    yield from columns((f"as it is: {counts[0]}", f"as it would be: {counts[1]}"), rows)
    if found.refused:
        yield ""
        refused = [
            (str(each.number), each.text, why_not_stored(each.state)) for each in found.refused
        ]
        yield from columns(("rehearsal", "note", "refused because"), refused)


def _numbered(line: DiffLine | None) -> str:
    if line is None:
        return ""
    if line.state == "kept":
        return f"{line.number}. {line.text}"
    return f"+ {line.text} (rehearsal {line.number})"


def at_desk(
    ctx: click.Context, box: dict[str, str], work: Callable[[Desk, Place], Awaitable[T]]
) -> T:
    """Run `work` at the operator's desk, at the place that the options name."""
    config = config_in_force(ctx, static=True)
    return run_to_end(_at_desk(config, box, work))


async def _at_desk(
    config: Config, box: dict[str, str], work: Callable[[Desk, Place], Awaitable[T]]
) -> T:
    async with open_desk(
        config, clock=SystemClock(), environ=os.environ, sender=user_name()
    ) as desk:
        try:
            return await work(desk, desk.place(**box))
        except NotFound as error:
            raise NotFound(error.message, fix=in_shell(error.fix)) from error


def in_shell(words: str) -> str:
    """Return `words` with the commands of a talk as they are typed in a shell."""
    return _IN_TALK.sub(lambda found: _IN_SHELL[" ".join(found[0].split())], words)


def _tell(done: OperatorCall) -> None:
    """Print what came of it. Raises RefusedByPolicy or BrainError where nothing was stored."""
    if done.observation.outcome == "denied":
        raise RefusedByPolicy(
            f"the policy refused it (rule {done.rule!r}); nothing was stored",
            fix="brain config explain shows the grants; a deny binds the operator too",
        )
    if done.effect is None or done.effect.kind == "refused":
        raise BrainError(in_shell(done.effect.line) if done.effect else done.observation.text)
    say(in_shell(done.effect.line))


def _show_rehearsals(view: BoxView) -> None:
    if not view.rehearsals:
        warn("nothing was rehearsed")
        return
    rows = [
        (str(each.number), each.tool, _asked(each), _would(each), _day(each))
        for each in view.rehearsals
    ]
    for line in columns(("no", "tool", "what", "would be", "kept until"), rows):
        say(line)


def _would(rehearsal: Rehearsal) -> str:
    if rehearsal.held_for:
        return f"held: {rehearsal.held_for}"
    if rehearsal.tool != "memory_note":
        return rehearsal.would
    why_not = why_not_stored(rehearsal.would)
    return f"not stored: {why_not}" if why_not else "stored"


def _asked(rehearsal: Rehearsal) -> str:
    note = rehearsal.arguments.get("note")
    return note if isinstance(note, str) else json.dumps(rehearsal.arguments, ensure_ascii=False)


def _day(rehearsal: Rehearsal) -> str:
    return rehearsal.expires_at.date().isoformat()


def _box(box: Box) -> JSONValue:
    return {
        "brain": box.brain,
        "scope": box.scope,
        "channel": box.channel,
        "conversation": box.conversation,
    }


def _diff(found: BoxDiff) -> JSONValue:
    def lines(of: Sequence[DiffLine]) -> list[JSONValue]:
        return [{"state": each.state, "number": each.number, "text": each.text} for each in of]

    return {
        "max_notes": found.max_notes,
        "as_it_is": lines(found.as_it_is),
        "would_be": lines(found.would_be),
        "refused": lines(found.refused),
        "other_tools": found.other_tools,
    }
