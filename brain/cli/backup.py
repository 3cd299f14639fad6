"""`brain backup` and `brain restore`: the data folder as it was at one moment, and back again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from brain.cli.interrupts import run_to_end
from brain.cli.line import config_option, json_option
from brain.cli.place import config_in_force, storage_of
from brain.cli.talk import say, say_json
from brain.clock import SystemClock
from brain.counts import counted_each
from brain.store import back_up_store, restore_store

__all__ = ["backup", "restore"]

_TOLD: Final = ("events", "turns", "notes", "rehearsals")
"""The tables that a person knows by name; --json counts all of them."""

_FOLDER: Final = click.Path(path_type=Path)


@click.command()
@click.argument("folder", required=False, type=_FOLDER)
@json_option
@config_option
@click.pass_context
def backup(ctx: click.Context, /, *, folder: Path | None, as_json: bool) -> None:
    """Copy the whole data folder into the new folder FOLDER, also while brain runs.

    Without FOLDER: one beside the data folder, named for the moment. The copy is opened again,
    checked and counted. It holds every turn and note, and the operator's token.
    """
    storage = storage_of(config_in_force(ctx, static=True))
    made = run_to_end(back_up_store(storage, into=folder, now=SystemClock().now()))
    if as_json:
        say_json({"folder": str(made.folder), "files": list(made.files), "rows": dict(made.rows)})
        return
    say(f"{storage.path.parent} is copied to {made.folder}")
    say(f"{', '.join(made.files)}: opened again, checked, and counted: {_counted(made.rows)}")


@click.command()
@click.argument("folder", type=_FOLDER)
@json_option
@config_option
@click.pass_context
def restore(ctx: click.Context, /, *, folder: Path, as_json: bool) -> None:
    """Put the backup in FOLDER, or the archive of an upgrade, in the place of the data folder.

    Stop brain first. What was there is kept in a folder beside it, and said where.
    """
    storage = storage_of(config_in_force(ctx, static=True))
    done = run_to_end(restore_store(storage, archive=folder, now=SystemClock().now()))
    if as_json:
        say_json(
            {
                "files": list(done.files),
                "rows": dict(done.rows),
                "replaced": str(done.replaced) if done.replaced else None,
            }
        )
        return
    say(f"{storage.path.parent} holds {', '.join(done.files)} of {folder}: {_counted(done.rows)}")
    if done.replaced is not None:
        say(f"what was there is in {done.replaced}; remove it once you do not need it")


def _counted(rows: Mapping[str, int]) -> str:
    return counted_each({table: rows.get(table, 0) for table in _TOLD})
