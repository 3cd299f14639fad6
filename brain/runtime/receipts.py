"""What is kept of a forgetting once its job is done, and its event: counts and names of files, no words."""

from collections.abc import Mapping
from dataclasses import dataclass

from brain.activity import Draft
from brain.records import JSONValue
from brain.store import Forgetting, Found, Searched

__all__ = [
    "Copies",
    "Receipt",
    "forgotten_event",
    "nothing_on_disk",
    "receipt_of",
    "unsearched",
]

Receipt = Mapping[str, JSONValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    """What is not brain's to clean: files of copies of the data folder, other files in it.

    And what of both was too much to be searched.
    """

    searched: frozenset[str]
    strangers: frozenset[str]
    too_much: tuple[str, ...]


def receipt_of(job: str, found: Found, copies: Copies, rounds: int) -> Receipt:
    """Return what is kept of a search: what it looked at, and where the same bytes still are."""
    rows = dict(found.rows.get(job, {}))
    residue = found.residue.get(job, 0)
    database = found.files[0].path if found.files else ""
    holding = [each for each in found.files if each.found.get(job)]
    in_copies = [each.path for each in holding if each.path in copies.searched]
    in_strangers = [each.path for each in holding if each.path in copies.strangers]
    not_ours = copies.searched | copies.strangers
    others = [each for each in holding if each.path not in not_ours]
    left = [each.path for each in others if not found.is_database(each)]
    if residue:
        left.insert(0, database)

    def is_named(each: Searched) -> bool:  # of files that are not brain's there may be thousands
        return each.path not in copies.strangers or bool(each.found.get(job) or each.error)

    unread = [{"path": each.path, "why": each.error} for each in found.files if each.error]
    return {
        "outcome": _outcome(
            is_left=bool(left),
            is_unread=bool(unread),
            is_kept=bool(rows or in_copies or in_strangers or copies.too_much),
        ),
        "rounds": rounds,
        "files": [
            {"path": each.path, "bytes": each.size} for each in found.files if is_named(each)
        ],
        "other_files_searched": {
            "files": len(copies.strangers),
            "bytes": sum(each.size for each in found.files if each.path in copies.strangers),
        },
        "found": left,
        "unread": unread,
        "rows": rows,
        "copies": in_copies,
        "other_files": in_strangers,
        "copies_unsearched": list(copies.too_much),
    }


def _outcome(*, is_left: bool, is_unread: bool, is_kept: bool) -> str:
    if is_left:
        return "found"
    if is_unread:
        return "incomplete"
    return "elsewhere" if is_kept else "clean"


def unsearched(rounds: int) -> Receipt:
    return {
        "outcome": "unsearched",
        "rounds": rounds,
        "files": [],
        "found": [],
        "unread": [],
        "rows": {},
        "copies": [],
        "other_files": [],
        "copies_unsearched": [],
    }


def nothing_on_disk() -> Receipt:
    return {**unsearched(0), "outcome": "clean"}


def forgotten_event(forgetting: Forgetting, receipt: Receipt) -> Draft:
    def size(name: str) -> int:
        value = receipt[name]
        return len(value) if isinstance(value, list | dict) else 0

    return Draft(
        type="forgotten",
        outcome=str(receipt["outcome"]),
        origin="job",
        ref=forgetting.forgetting_id,
        counts={
            **forgetting.counts,
            "files_searched": size("files"),
            "files_found": size("found") + size("unread"),
            "copies": size("copies") + size("other_files"),
            "too_short": forgetting.too_short,
        },
    )
