"""`brain export` and `brain import`: what is kept, as lines of JSON, and back again."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from brain.cli.desks import with_desk
from brain.cli.line import TEXT, config_option, json_option
from brain.cli.questions import ask_yes
from brain.cli.talk import say, say_json, warn
from brain.counts import counted, counted_each
from brain.errors import UsageError
from brain.records import JSONValue
from brain.runtime import Desk
from brain.transfer import WHAT, Fate, Import, Selection, refused_error

__all__ = ["export", "import_"]

_STDOUT: Final = Path("-")

_FATES: Final[Mapping[Fate, str]] = {
    "new": "new",
    "there": "there already",
    "expired": "expired, left out",
    "refused": "refused",
}
"""What becomes of a row, in words."""


class _What(click.ParamType[tuple[str, ...]]):
    """A list of what an export can hold, set apart by commas."""

    name = "what"

    def convert(
        self,
        value: str | tuple[str, ...],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        named = {word.strip() for word in value.split(",")}
        if unknown := sorted(named - set(WHAT)):
            self.fail(f"there is no {unknown[0]!r}; there are: {', '.join(WHAT)}.", param, ctx)
        return tuple(word for word in WHAT if word in named)


_what_option = click.option(
    "--what", type=_What(), default=WHAT, metavar="LIST", help=f"Some of {','.join(WHAT)}."
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=_STDOUT)
@click.option(
    "--brain",
    "brains",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="Only what is of this brain; may be given more than once.",
)
@_what_option
@config_option
@click.pass_context
def export(
    ctx: click.Context, /, *, file: Path, brains: Sequence[str], what: tuple[str, ...]
) -> None:
    """Write what is kept to the new file FILE, or to stdout: one JSON object a line.

    All lines are of one moment, also while brain runs. Private rows are in it. The record of events
    is not: it belongs to this store alone (brain backup copies it).
    """
    selection = Selection(what=what, brains=tuple(sorted(set(brains))))
    target = sys.stdout.buffer if file == _STDOUT else file
    header = with_desk(ctx, lambda desk: desk.export(target, selection=selection))
    sys.stdout.flush()
    warn(f"exported {counted_each(header.counts)}")
    for brain in selection.brains:
        if not any(header.counts.values()):
            warn(f"nothing is of the brain {brain!r}")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--yes", "is_agreed", is_flag=True, help="Do it without a question.")
@click.option("--without-refused", is_flag=True, help="Leave out what is refused, take the rest.")
@_what_option
@json_option
@config_option
@click.pass_context
def import_(
    ctx: click.Context,
    /,
    *,
    file: Path,
    is_agreed: bool,
    without_refused: bool,
    what: tuple[str, ...],
    as_json: bool,
) -> None:
    """Take up a file that export wrote: what would happen is shown, then all of it is done or nothing.

    What is there already stays as it is, so that a file may be imported twice.
    """

    async def work(desk: Desk) -> tuple[Import, bool]:
        plan = await desk.plan_import(file, what=what)
        for line in plan_lines(plan):
            warn(line)
        if plan.total("refused") and not without_refused:
            raise refused_error(plan)
        if not plan.total("new"):
            return plan, False
        if not is_agreed:
            _agree(plan)
        done = await desk.import_file(file, what=what, without_refused=without_refused)
        return done, True

    done, is_changed = with_desk(ctx, work)
    if as_json:
        say_json(_data(done))
    elif is_changed:
        new = {name: counts.get("new", 0) for name, counts in done.counts.items()}
        say(f"imported {counted_each(new)}")
    else:
        say("nothing is new; nothing was changed")


def plan_lines(plan: Import) -> list[str]:
    """Return what a plan says, a line for each kind of row, and what is refused and why."""
    lines = [f"a file of {plan.header.at.date().isoformat()}:"]
    for name, counts in plan.counts.items():
        fates = [f"{counts[fate]} {word}" for fate, word in _FATES.items() if counts.get(fate)]
        if fates:
            lines.append(f"  {name}: {', '.join(fates)}")
    lines += [
        f"  refused: line {each.line}, {each.found}: {each.expected}" for each in plan.refusals
    ]
    untold = plan.total("refused") - len(plan.refusals)
    if untold:
        lines.append(f"  refused: {untold} more, for the same reasons or with those")
    return lines


def _agree(plan: Import) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "there is no terminal to ask at; nothing was changed", fix="if you mean it: --yes"
        )
    if not ask_yes(f"Take up {counted(plan.total('new'), 'row')}?", default=False):
        raise UsageError("nothing was changed", fix="--yes does it without a question")


def _data(done: Import) -> JSONValue:
    return {
        "counts": {
            name: {fate: counts.get(fate, 0) for fate in _FATES}
            for name, counts in done.counts.items()
        },
        "refusals": [
            {"line": each.line, "what": each.found, "why": each.expected} for each in done.refusals
        ],
    }
