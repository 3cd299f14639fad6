"""`brain notes move`: notes that a config left behind, or that are to be public."""

from collections.abc import Sequence
from typing import Literal

import click

from brain.cli.desks import with_desk
from brain.cli.line import TEXT, config_option, json_option
from brain.cli.talk import say, say_json
from brain.errors import UsageError
from brain.memory import Moved

__all__ = ["move"]


@click.command()
@click.argument("numbers", type=click.IntRange(min=1), nargs=-1)
@click.option(
    "--from",
    "from_brain",
    type=TEXT,
    default="",
    metavar="BRAIN",
    help="Whose notes; also a name that the config has no more.",
)
@click.option(
    "--to",
    "to_brain",
    type=TEXT,
    default="",
    metavar="BRAIN",
    help="Where to: a brain of the config.",
)
@click.option(
    "--scope",
    type=click.Choice(("conversation", "brain")),
    help="Only notes that were kept under this scope.",
)
@click.option("--channel", type=TEXT, default="", metavar="NAME", help="Of which channel.")
@click.option(
    "--conversation",
    type=TEXT,
    default="",
    metavar="NAME",
    help="Of which talk; for notes of a whole brain: into which.",
)
@click.option(
    "--to-public",
    "is_to_public",
    is_flag=True,
    help="Let models that are not proved local read them from now on.",
)
@json_option
@config_option
@click.pass_context
def move(
    ctx: click.Context,
    /,
    *,
    numbers: Sequence[int],
    from_brain: str,
    to_brain: str,
    scope: Literal["conversation", "brain"] | None,
    channel: str,
    conversation: str,
    is_to_public: bool,
    as_json: bool,
) -> None:
    """Take notes over into another box, all of them or those of the numbers.

    Under the rules of the box they go to, and all or none. Private ones stay private unless
    --to-public is given. Rehearsals stay where they are.
    """
    if not (numbers or from_brain or scope or is_to_public):
        raise UsageError(
            "it is not said which notes are meant; nothing was moved",
            fix="--from BRAIN or --scope names their boxes, --to-public makes them public",
        )
    moved = with_desk(
        ctx,
        lambda desk: desk.move(
            from_brain=from_brain,
            to_brain=to_brain,
            scope=scope,
            channel=channel,
            conversation=conversation,
            numbers=tuple(numbers),
            is_to_public=is_to_public,
        ),
    )
    if as_json:
        say_json(
            [
                {
                    "note_id": each.after.note_id,
                    "brain": each.after.box.brain,
                    "scope": each.after.box.scope,
                    "channel": each.after.box.channel,
                    "conversation": each.after.box.conversation,
                    "number": each.after.number,
                    "number_before": each.before.number,
                    "sensitivity": each.after.sensitivity,
                }
                for each in moved
            ]
        )
        return
    for each in moved:
        say(_told(each))


def _told(moved: Moved) -> str:
    before, after = moved.before, moved.after
    now = "is"
    if before.box != after.box:
        now = f"is note {after.number} of {after.box.brain},"
    return f"note {before.number} of {before.box.brain} {now} {after.sensitivity}"
