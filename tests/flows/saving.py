"""Saving a config file as editors and deployments do, and a runtime that follows it."""

import asyncio
import hashlib
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from brain.runtime import Outcome, Runtime

LIMIT_SECONDS = 20


def text_of(document: Any) -> str:
    return document if isinstance(document, str) else json.dumps(document, indent=2)


def by_rename(path: Path, document: Any) -> None:
    """As most editors and every careful program do."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text_of(document), encoding="utf-8")
    beside.replace(path)


def in_place(path: Path, document: Any) -> None:
    """As a shell's `>` and simple editors do: cut to nothing, then written."""
    path.write_text(text_of(document), encoding="utf-8")


def over_itself(path: Path, document: Any) -> None:
    """Written over without being cut before, and cut after: what is longer stays for a moment."""
    content = text_of(document).encode()
    with path.open("r+b", buffering=0) as file:
        file.write(content)
        file.truncate(len(content))


def with_backup(path: Path, document: Any) -> None:
    """As vim does: the old file becomes the backup, and a new one is written under the name."""
    path.replace(path.with_name(f"{path.name}~"))
    path.write_text(text_of(document), encoding="utf-8")


def by_link(path: Path, document: Any) -> None:
    """As a deployment does: a folder of its own for each release, and a link that is swapped."""
    text = text_of(document)
    release = path.parent / "releases" / hashlib.sha256(text.encode()).hexdigest()[:12]
    release.mkdir(parents=True, exist_ok=True)
    (release / path.name).write_text(text, encoding="utf-8")
    link = path.with_name(f".{path.name}.link")
    link.symlink_to(release / path.name)
    link.replace(path)


def by_config_map(path: Path, document: Any) -> None:
    """As Kubernetes does with a ConfigMap that is mounted: `brain.json -> ..data/brain.json` stays,
    `..data` is swapped for a link to a new folder, and the old folder is removed."""
    data = path.with_name("..data")
    before = data.resolve() if data.is_symlink() else None
    folder = Path(tempfile.mkdtemp(prefix="..2026_03_02_", dir=path.parent))
    (folder / path.name).write_text(text_of(document), encoding="utf-8")
    _swap_link(data, folder.name)
    if not path.is_symlink() or path.readlink() != Path("..data") / path.name:
        _swap_link(path, Path("..data") / path.name)  # it was no mounted file before
    if before is not None:
        shutil.rmtree(before)


def _swap_link(path: Path, target: str | Path) -> None:
    link = path.with_name(f"{path.name}_tmp")
    link.symlink_to(target)
    link.replace(path)


class Outcomes:
    """Hears what became of each config that was offered."""

    def __init__(self) -> None:
        self.all: list[Outcome] = []
        self._changed = asyncio.Event()

    def hear(self, outcome: Outcome) -> None:
        self.all.append(outcome)
        self._changed.set()

    async def until(self, is_there: Callable[[Outcome], bool]) -> Outcome:
        """Return the first outcome for which `is_there` holds, when it has come."""
        async with asyncio.timeout(LIMIT_SECONDS):
            while True:
                found = next((each for each in self.all if is_there(each)), None)
                if found is not None:
                    return found
                self._changed.clear()
                await self._changed.wait()

    async def applied(self, revision: str = "") -> Outcome:
        return await self.until(
            lambda each: each.kind == "applied" and each.revision.startswith(revision)
        )

    async def rejected(self) -> Outcome:
        return await self.until(lambda each: each.kind == "rejected")


@asynccontextmanager
async def following(runtime: Runtime) -> AsyncIterator[Outcomes]:
    """Let the runtime follow its file while the block lasts."""
    outcomes = Outcomes()
    runtime.reload.tell_to(outcomes.hear)
    task = asyncio.create_task(runtime.reload.follow())
    try:
        yield outcomes
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
