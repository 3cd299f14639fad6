"""Cleaning the files behind what was forgotten, before a command ends; and the receipt in words."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from brain.channels import NOT_PROMISED
from brain.cli.talk import warn
from brain.clock import to_rfc3339
from brain.counts import counted, counted_each
from brain.errors import StoreError
from brain.memory import Forgotten
from brain.runtime import Desk
from brain.store import Forgetting

__all__ = ["finish", "finished", "receipt_lines"]

PATIENCE_SECONDS: Final = 60.0
"""How long a command waits for a reader that keeps the log: readers of brain have half of it."""

_IN_SHORT: Final[Mapping[str, str]] = {
    "clean": "no copy is left in brain's files (brain forget receipt)",
    "elsewhere": "brain's files are clean; the same words are elsewhere (brain forget receipt)",
    "found": "BYTES ARE LEFT in brain's files (brain forget receipt says where)",
    "incomplete": "not every file could be searched (brain forget receipt says which)",
    "unsearched": "the files were cleaned and not searched (brain forget receipt says why)",
}

_TABLES: Final[Mapping[str, str]] = {
    "turns": "the transcript",
    "notes": "notes",
    "rehearsals": "rehearsals",
    "conversations": "names of conversations",
    "actors": "names of senders",
    "boxes": "names of boxes",
    "events": "names in the record",
    "sqlite_master": "names of brain's own tables",
}


async def finish(desk: Desk, forgetting_id: str) -> Forgetting | None:
    """Clean the files behind all that was forgotten; return how that one stands then, or the last."""
    try:
        if not await desk.finish_forgetting(tell=warn, patience_seconds=PATIENCE_SECONDS):
            warn(
                "another brain process still cleans the files; brain forget receipt shows when it is done"
            )
    except StoreError as error:
        warn(f"not finished: {error.message}")
        if error.fix:
            warn(f"  fix: {error.fix}")
    return await desk.forgetting(forgetting_id)


async def finished(desk: Desk, gone: Forgotten) -> str:
    """Clean the files, and return what came of it in a few words."""
    if not gone.forgetting_id:
        return "nothing was there"
    done = await finish(desk, gone.forgetting_id)
    if done is None or done.receipt is None:
        return "the files are not cleaned yet (brain forget receipt)"
    return _IN_SHORT[str(done.receipt["outcome"])]


def receipt_lines(forgetting: Forgetting, *, kept_notes: int = 0) -> Iterator[str]:
    """Yield what came of a forgetting, in words."""
    yield f"forgetting {forgetting.forgetting_id} ({forgetting.kind}, {to_rfc3339(forgetting.at)})"
    yield f"  removed     {counted_each(forgetting.counts) or 'nothing was there'}"
    receipt = forgetting.receipt
    if receipt is None:
        yield "  files       not cleaned yet; a brain that runs does it, or brain forget resume"
        return
    yield from _searched_lines(receipt)
    for line in _elsewhere(forgetting, receipt, kept_notes):
        yield f"  still there {line}"
    if forgetting.too_short:
        texts = counted(forgetting.too_short, "text")
        yield (
            f"  not told    {texts} of fewer than 12 bytes: removed, also from "
            "the history of the prompt, and too short to be told from chance in a search"
        )
    for line in NOT_PROMISED:
        yield f"  no promise  {line}"


def _searched_lines(receipt: Mapping[str, Any]) -> Iterator[str]:
    files = receipt["files"]
    size = sum(each["bytes"] for each in files)
    match receipt["outcome"]:
        case "unsearched":
            yield (
                "  files       the database was written anew and its log emptied; no file was "
                "searched, because the key of the fingerprints was gone"
            )
            return
        case "found":
            yield f"  FOUND       bytes are left in {', '.join(receipt['found'])}"
            yield "  fix         remove those files once nobody uses them; of the database itself: brain"
            yield "              export, and import into a new one. They are not searched again: what"
            yield "              they were searched by is gone"
        case "incomplete":
            yield "  files       not every file could be read"
            yield "  fix         look into those files yourself: they are not searched again, since what"
            yield "              they would be searched by is gone"
        case _:
            yield f"  files       cleaned; {counted(len(files), 'file')} ({counted(size, 'byte')}) searched, no copy is left"
    for each in receipt["unread"]:
        yield f"  unread      {each['path']}: {each['why']}"
    for each in files:
        yield f"  searched    {each['path']}"
    if others := receipt.get("other_files_searched", {}).get("files", 0):
        files = "more in the data folder that {} not brain's"
        yield f"  searched    {counted(others, files.format('is'), files.format('are'))}"


def _elsewhere(
    forgetting: Forgetting, receipt: Mapping[str, Any], kept_notes: int
) -> Iterator[str]:
    """Yield where the same words are by intent."""
    for table, count in receipt["rows"].items():
        rows = counted(count, "row")
        yield f"{_TABLES.get(table, table)}: {rows} with some of the same words, not forgotten"
    if kept_notes:
        yield f"{counted(kept_notes, 'note')} saved from it: brain forget note N"
    if forgetting.kind in ("note", "box") and not forgetting.has_transcript:
        yield "the transcript holds what was said, unless --with-transcript takes it"
    for folder in receipt["copies_unsearched"]:
        yield f"perhaps, too much to be searched: {folder} (remove what you do not need)"
    for path in receipt["copies"]:
        yield f"a copy of the data folder: {path} (remove it if you do not need it)"
    for path in receipt.get("other_files", ()):
        yield f"a file that is not brain's: {path} (remove it if you do not need it)"
