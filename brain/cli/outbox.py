"""`brain outbox`: replies that were not delivered and messages that were not answered."""

from collections.abc import Sequence

import click

from brain.cli.desks import with_desk
from brain.cli.line import TEXT, config_option, json_option
from brain.cli.table import columns
from brain.cli.talk import say, say_json, warn
from brain.clock import to_rfc3339
from brain.counts import counted
from brain.errors import UsageError
from brain.runtime import Waits
from brain.store import Accepted, Delivery

__all__ = ["outbox"]


@click.group()
@config_option
def outbox() -> None:
    """Look at what waits on webhook channels; try replies anew, or discard them."""


@outbox.command("list")
@json_option
@config_option
@click.pass_context
def list_waiting(ctx: click.Context, /, *, as_json: bool) -> None:
    """Show messages without an answer and replies that were not delivered, oldest first."""
    waits = with_desk(ctx, lambda desk: desk.outbox.view())
    rows = [*map(_message, waits.messages), *map(_reply, waits.replies)]
    if as_json:
        say_json(rows)
        return
    warn(_counted(waits))
    head = ("id", "channel", "conversation", "state", "tries", "last failure", "since")
    fields = ("id", "channel", "conversation", "state", "tries", "failure", "at")
    for line in columns(head, [[str(row[name]) for name in fields] for row in rows]):
        say(line)


@outbox.command()
@click.argument("ids", type=TEXT, nargs=-1)
@config_option
@click.pass_context
def retry(ctx: click.Context, /, *, ids: Sequence[str]) -> None:
    """Have replies tried now: those of these ids, or all that were given up."""
    count = with_desk(ctx, lambda desk: desk.outbox.retry(ids))
    say(f"{_replies(count)} due now; brain serve delivers")


@outbox.command()
@click.argument("ids", type=TEXT, nargs=-1)
@click.option("--channel", type=TEXT, default="", metavar="NAME", help="All that waits on it.")
@config_option
@click.pass_context
def discard(ctx: click.Context, /, *, ids: Sequence[str], channel: str) -> None:
    """Remove what waits, by its ids or all of a channel; it is neither answered nor delivered."""
    if not ids and not channel:
        raise UsageError("say what to discard", fix="give ids, or --channel NAME for all of it")
    count = with_desk(ctx, lambda desk: desk.outbox.discard(ids, channel))
    say(f"discarded {count}")


def _message(message: Accepted) -> dict[str, str | int]:
    return {
        "id": message.exchange_id,
        "channel": message.channel,
        "conversation": message.conversation,
        "state": "begun" if message.has_begun else "unanswered",
        "tries": 0,
        "failure": "",
        "at": to_rfc3339(message.at),
    }


def _reply(reply: Delivery) -> dict[str, str | int]:
    return {
        "id": reply.delivery_id,
        "channel": reply.channel,
        "conversation": reply.conversation,
        "state": "undelivered" if reply.given_up_at is None else "given_up",
        "tries": reply.tries,
        "failure": reply.failure,
        "at": to_rfc3339(reply.at),
    }


def _counted(waits: Waits) -> str:
    given_up = sum(each.given_up_at is not None for each in waits.replies)
    return (
        f"{len(waits.messages)} unanswered, {len(waits.replies) - given_up} undelivered, "
        f"{given_up} given up"
    )


def _replies(count: int) -> str:
    return counted(count, "reply is", "replies are")
