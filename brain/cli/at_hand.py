"""What a start would find in the store of a config: told by a check, before anything is opened."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from brain.config import Config, Report, Storage, problem_at
from brain.errors import Problem, StoreBusy, StoreError
from brain.records import Box
from brain.store import network_warning, peek_store

__all__ = ["new_store_lines", "store_problems"]

_MOST_STORES: Final = 3
"""How many other stores are named, the last used first."""


def store_problems(report: Report) -> tuple[Problem, ...]:
    """Return what is to be said of the store of a valid config. Nothing is made, upgraded or written.

    A problem for a store that a start would refuse; warnings for a disk on the network, for notes
    that are out of reach and for boxes over their cap.
    """
    storage = report.config.storage if report.config else None
    if storage is None:
        return ()
    found: list[Problem] = []
    if told := network_warning(storage.path):
        found.append(
            problem_at(
                report.draft.document,
                ("storage",),
                "network_store",
                found=told,
                expected="a disk of this machine",
                fix='name a file on one: "storage": {"path": …}',
                is_warning=True,
            )
        )
    try:
        counted = _boxes_of(storage) if storage.path.exists() else ()
    except StoreBusy:
        return tuple(found)  # a start waits for it
    except StoreError as error:
        unusable = problem_at(
            report.draft.document,
            ("storage",),
            "store_unusable",
            found=error.message,
            expected="a store that this brain can open",
            fix=error.fix,
        )
        return (*found, unusable)
    if not counted:
        return tuple(found)
    from brain.memory import box_warnings  # most checks have no box to look at

    return (*found, *box_warnings(report, counted))


def new_store_lines(config: Config) -> Iterator[str]:
    """Yield, where a start would make a new store, where others of this user are: notes may be there."""
    storage = config.storage
    if storage is None or storage.path.exists():
        return
    found = storage.path.parent.parent.glob(f"*/{storage.path.name}")
    others = sorted(found, key=_last_written, reverse=True)
    if others:
        yield (
            f"the store {storage.path} is new and empty; there are others, and what was kept in them "
            'stays there (to use one: "storage": {"path": …}):'
        )
        yield from (f"  {each}" for each in others[:_MOST_STORES])
    if len(others) > _MOST_STORES:
        yield f"  and {len(others) - _MOST_STORES} more beside them"


def _last_written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0  # it went meanwhile


def _boxes_of(storage: Storage) -> Sequence[tuple[Box, int]]:
    return peek_store(storage, lambda snapshot: snapshot.boxes()) or ()
