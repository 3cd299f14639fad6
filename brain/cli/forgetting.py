"""`brain forget`: what is removed for good, and the receipt of it."""

import sys
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

import click

from brain.channels import forgetting_shape
from brain.cli.desks import with_desk
from brain.cli.exits import DONE, FAILED
from brain.cli.finishing import finish, receipt_lines
from brain.cli.line import NAME, TEXT, config_option, conversation_option, json_option
from brain.cli.notes import box_options
from brain.cli.questions import ask_yes
from brain.cli.talk import say, say_json, warn
from brain.counts import counted, counted_each
from brain.errors import NotFound, UsageError
from brain.memory import Forgotten, Gone, Target
from brain.records import JSONValue
from brain.runtime import Desk
from brain.store import Forgetting

__all__ = ["forget"]

F = TypeVar("F", bound=Callable[..., Any])

_LISTED: Final = 40


def _options(command: F) -> F:
    """Add what every kind takes."""
    for option in (
        click.option("--yes", "is_agreed", is_flag=True, help="Do it without a question."),
        click.option(
            "--dry-run", "is_dry", is_flag=True, help="List what would go, change nothing."
        ),
        json_option,
        config_option,
    ):
        command = option(command)
    return command


_transcript = click.option(
    "--with-transcript",
    "has_transcript",
    is_flag=True,
    help="The exchanges too in which the same words were said.",
)
_channel = click.option(
    "--channel", type=TEXT, default="", metavar="NAME", help="The talk's channel; else the first."
)


@click.group()
@config_option
def forget() -> None:
    """Remove for good, down to the bytes in brain's files, and say where else the words are.

    The rows are gone at once. Then the files are cleaned and searched; `brain forget receipt` shows
    what was found.
    """


@forget.command()
@click.argument("number", type=click.IntRange(min=1))
@_transcript
@box_options
@_options
@click.pass_context
def note(
    ctx: click.Context,
    /,
    *,
    number: int,
    has_transcript: bool,
    is_agreed: bool,
    is_dry: bool,
    as_json: bool,
    **box: str,
) -> int:
    """Forget one note by its number, and rehearsals of the same words."""

    def target(desk: Desk) -> Target:
        place = desk.place(**box)
        return desk.meant(place, kind="note", number=number, has_transcript=has_transcript)

    return _forget(ctx, target, is_agreed=is_agreed, is_dry=is_dry, as_json=as_json)


@forget.command()
@_transcript
@box_options
@_options
@click.pass_context
def box(
    ctx: click.Context,
    /,
    *,
    has_transcript: bool,
    is_agreed: bool,
    is_dry: bool,
    as_json: bool,
    **where: str,
) -> int:
    """Forget every note and rehearsal of a box."""

    def target(desk: Desk) -> Target:
        return desk.meant(desk.place(**where), kind="box", has_transcript=has_transcript)

    return _forget(ctx, target, is_agreed=is_agreed, is_dry=is_dry, as_json=as_json)


@forget.command()
@click.argument("number", type=click.IntRange(min=1))
@_channel
@conversation_option
@_options
@click.pass_context
def session(
    ctx: click.Context,
    /,
    *,
    number: int,
    channel: str,
    conversation: str,
    is_agreed: bool,
    is_dry: bool,
    as_json: bool,
) -> int:
    """Forget one session of a conversation, and what was recalled from it."""

    def target(desk: Desk) -> Target:
        return Target(
            kind="session",
            channel=desk.place(channel=channel).channel,
            conversation=conversation,
            session=number,
        )

    return _forget(ctx, target, is_agreed=is_agreed, is_dry=is_dry, as_json=as_json)


@forget.command()
@click.argument("name", type=NAME)
@_channel
@_options
@click.pass_context
def conversation(
    ctx: click.Context,
    /,
    *,
    name: str,
    channel: str,
    is_agreed: bool,
    is_dry: bool,
    as_json: bool,
) -> int:
    """Forget a conversation with its sessions, notes and rehearsals, and who it was."""

    def target(desk: Desk) -> Target:
        there = desk.place(channel=channel).channel
        return Target(kind="conversation", channel=there, conversation=name)

    return _forget(ctx, target, is_agreed=is_agreed, is_dry=is_dry, as_json=as_json)


@forget.command()
@click.argument("name", type=NAME)
@_channel
@_options
@click.pass_context
def sender(
    ctx: click.Context,
    /,
    *,
    name: str,
    channel: str,
    is_agreed: bool,
    is_dry: bool,
    as_json: bool,
) -> int:
    """Forget what somebody said on a channel, what was answered, and the notes of it."""

    def target(desk: Desk) -> Target:
        return Target(kind="sender", channel=desk.place(channel=channel).channel, sender=name)

    return _forget(ctx, target, is_agreed=is_agreed, is_dry=is_dry, as_json=as_json)


@forget.command()
@_options
@click.pass_context
def everything(ctx: click.Context, /, *, is_agreed: bool, is_dry: bool, as_json: bool) -> int:
    """Forget every conversation, note, rehearsal and sender. The record of events stays."""
    target = Target(kind="everything")
    return _forget(ctx, lambda _: target, is_agreed=is_agreed, is_dry=is_dry, as_json=as_json)


@forget.command()
@click.argument("forgetting_id", type=TEXT, default="", metavar="[ID]")
@json_option
@config_option
@click.pass_context
def receipt(ctx: click.Context, /, *, forgetting_id: str, as_json: bool) -> int:
    """Show what came of a forgetting, of the last one without an ID.

    Ends with 1 where the files are not searched yet, or something was found in them.
    """
    found = with_desk(ctx, lambda desk: desk.forgetting(forgetting_id))
    if found is None:
        raise NotFound(
            "there is no such forgetting" if forgetting_id else "nothing was forgotten yet"
        )
    return _show(found, as_json=as_json)


@forget.command()
@json_option
@config_option
@click.pass_context
def resume(ctx: click.Context, /, *, as_json: bool) -> int:
    """Clean the files now, where an earlier command or process did not come to the end of it."""

    async def work(desk: Desk) -> Forgetting | None:
        return await finish(desk, "")

    found = with_desk(ctx, work)
    if found is None:
        if as_json:
            say_json(None)
        warn("nothing was forgotten yet")
        return DONE
    return _show(found, as_json=as_json)


def _forget(
    ctx: click.Context,
    target: Callable[[Desk], Target],
    *,
    is_agreed: bool,
    is_dry: bool,
    as_json: bool,
) -> int:
    async def work(desk: Desk) -> tuple[Forgotten, Forgetting | None]:
        meant = target(desk)
        if is_dry or not is_agreed:
            plan = await desk.plan_forgetting(meant)
            if is_dry:
                return plan, None
            _agree(plan)
        gone = await desk.forget(meant)
        if not gone.forgetting_id:
            return gone, None
        warn(
            f"forgotten: {counted_each(gone.counts)}; the files are cleaned now (Ctrl-C leaves that for later)"
        )
        return gone, await finish(desk, gone.forgetting_id)

    gone, done = with_desk(ctx, work)
    if is_dry:
        _show_plan(gone, as_json=as_json)
        return DONE
    if done is None:
        warn("nothing is kept of it; nothing was forgotten")
        return DONE
    return _show(done, as_json=as_json, kept_notes=gone.kept_notes)


def _agree(plan: Forgotten) -> None:
    for line in _plan_lines(plan):
        warn(line)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "there is no terminal to ask at; nothing was forgotten", fix="if you mean it: --yes"
        )
    if not ask_yes("Forget this for good?", default=False):
        raise UsageError("nothing was forgotten", fix="--yes does it without a question")


def _show_plan(plan: Forgotten, *, as_json: bool) -> None:
    if as_json:
        say_json(
            {
                "kind": plan.kind,
                "counts": plan.counts,
                "kept_notes": plan.kept_notes,
                "gone": [_gone(each) for each in plan.gone],
            }
        )
        return
    for line in _plan_lines(plan):
        say(line)


def _plan_lines(plan: Forgotten) -> Iterator[str]:
    yield f"would go: {counted_each(plan.counts) or 'nothing'}"
    for each in plan.gone[:_LISTED]:
        yield f"  {_gone_line(each)}"
    if len(plan.gone) > _LISTED:
        yield f"  and {counted(len(plan.gone) - _LISTED, 'line')} more (--json lists all)"
    if plan.kept_notes:
        yield f"would stay: {counted(plan.kept_notes, 'note')} saved from it (brain forget note N)"


def _gone_line(gone: Gone) -> str:
    where = (
        f"{gone.channel} / {gone.conversation}" if gone.conversation else f"brain {gone.brain!r}"
    )
    if gone.what == "turns":
        return f"{counted(gone.count, 'turn')} of session {gone.number} of {where}"
    return f"{gone.what} {gone.number} of {where}: {' '.join(gone.text.split())}"


def _gone(gone: Gone) -> JSONValue:
    return {
        "what": gone.what,
        "count": gone.count,
        "brain": gone.brain,
        "channel": gone.channel,
        "conversation": gone.conversation,
        "number": gone.number,
        "text": gone.text,
    }


def _show(forgetting: Forgetting, *, as_json: bool, kept_notes: int = 0) -> int:
    if as_json:
        say_json({**forgetting_shape(forgetting), "kept_notes": kept_notes})
    else:
        for line in receipt_lines(forgetting, kept_notes=kept_notes):
            say(line)
    receipt = forgetting.receipt
    is_good = receipt is not None and receipt["outcome"] in ("clean", "elsewhere")
    return DONE if is_good else FAILED
