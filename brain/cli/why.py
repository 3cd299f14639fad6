"""`brain why`: the receipt of the last exchange of a talk, beside the running assistant."""

import click

from brain.cli.exits import DONE, FAILED
from brain.cli.interrupts import run_to_end
from brain.cli.line import config_option, json_option
from brain.cli.place import config_in_force
from brain.cli.talk import say, say_json, warn
from brain.clock import SystemClock
from brain.commands import Account, account_data, account_text, last_account
from brain.config import Config, Storage
from brain.errors import UsageError
from brain.store import Snapshot, open_store

__all__ = ["why"]


@click.command()
@click.option("--channel", default="", metavar="NAME", help="The talk's channel; else the first.")
@click.option("--conversation", default="main", metavar="NAME", show_default=True)
@json_option
@config_option
@click.pass_context
def why(ctx: click.Context, /, *, channel: str, conversation: str, as_json: bool) -> int:
    """Show what rode in the last prompt of a talk, and what was decided about each call.

    Ends with 1 where no exchange of it has ended yet.
    """
    config = config_in_force(ctx, static=True)
    storage = config.storage
    if storage is None:
        raise UsageError(
            "this config keeps nothing: it has no storage block", fix='add "storage": {} to it'
        )
    place = (_channel(config, channel), conversation)
    account = run_to_end(_read(storage, *place)) if storage.path.exists() else None
    if account is None:
        warn(f"no exchange has ended in conversation {conversation!r} on channel {place[0]!r} yet")
        return FAILED
    if as_json:
        say_json(account_data(account))
    else:
        say(account_text(account))
    return DONE


def _channel(config: Config, named: str) -> str:
    names = [each.name for each in config.channels]
    if named and named not in names:
        raise UsageError(f"there is no channel {named!r}; there are: {', '.join(names)}")
    return named or names[0]


async def _read(storage: Storage, channel: str, conversation: str) -> Account | None:
    def look(snapshot: Snapshot) -> Account | None:
        conversation_id = snapshot.conversation_id(channel, conversation)
        return None if conversation_id is None else last_account(snapshot, conversation_id)

    async with open_store(storage, clock=SystemClock()) as store:
        return await store.read(look)
