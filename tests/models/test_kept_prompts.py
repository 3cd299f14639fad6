"""What an embedded model has read of its config's prompt is there at the next start, and only that."""

import json
import os
import stat
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from brain.models import ChatRequest, Done
from brain.models.embedded import EmbeddedModel
from brain.models.engine_door import Door
from brain.models.kept_prompts import KeptPrompts, key_of
from brain.records import Message
from tests.models.test_embedded import answer_to, config, opened

OF_CONFIG = "You are a helper who knows the garden well. " * 40
NOTES = "\n\nStored notes:\n1. The key lies under the third pot"
TRULY_READ_AT_MOST = 60  # tokens that differ from what was kept: notes, the message, the template


def asked(text: str = "Hi", *, of_config: str = OF_CONFIG, notes: str = NOTES) -> ChatRequest:
    return ChatRequest(
        messages=(
            Message(role="system", text=of_config + notes),
            Message(role="user", text=text),
        ),
        config_runes=len(of_config),
    )


@asynccontextmanager
async def started(weights: Path, folder: Path) -> AsyncIterator[EmbeddedModel]:
    """A model of a process that has just been started: nothing is loaded, nothing was read."""
    async with opened(config(weights, num_predict=8), models_dir=folder) as model:
        yield model


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "prompts").glob("*.read"))


async def truly_read(model: EmbeddedModel, request: ChatRequest) -> int:
    """Ask, and return how many tokens of the prompt the model had to read for it."""
    engine = await model._loaded()
    await model._begin(engine, request)
    async with aclosing(engine.chunks(model._body(request))) as chunks:
        (usage,) = [chunk["usage"] async for chunk in chunks if chunk.get("usage")]
    return int(usage["prompt_tokens"] - usage["prompt_tokens_details"]["cached_tokens"])


@pytest.mark.model
async def test_the_next_start_reads_only_what_the_config_does_not_decide(
    small_model_path: Path, tmp_path: Path
) -> None:
    async with started(small_model_path, tmp_path) as first:
        assert isinstance((await answer_to(first, asked()))[-1], Done)
    (file,) = kept(tmp_path)

    async with started(small_model_path, tmp_path) as second:
        assert await truly_read(second, asked("And now?")) < TRULY_READ_AT_MOST
    assert kept(tmp_path) == [file]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.model
async def test_an_answer_is_the_same_whether_the_prompt_was_kept_or_read(
    small_model_path: Path, tmp_path: Path
) -> None:
    request = asked("What do you know?")
    answers = []
    for _ in range(2):
        async with started(small_model_path, tmp_path) as model:
            answers.append([str(delta) for delta in await answer_to(model, request)])
    assert answers[0] == answers[1]


@pytest.mark.model
@pytest.mark.proves("P6")
async def test_what_is_kept_is_the_same_whatever_notes_and_messages_there_are(
    small_model_path: Path, tmp_path: Path
) -> None:
    """Were a note or a message in the file, its bytes would differ."""
    files = []
    for name, request in (
        ("one", asked("Hi", notes="")),
        ("two", asked("My code is 4471", notes=NOTES * 3)),
    ):
        async with started(small_model_path, tmp_path / name) as model:
            await answer_to(model, request)
        files += kept(tmp_path / name)
    assert len(files) == 2
    assert files[0].name == files[1].name
    assert files[0].stat().st_size == files[1].stat().st_size


@pytest.mark.model
async def test_a_changed_config_is_read_anew_and_kept_beside_the_former(
    small_model_path: Path, tmp_path: Path
) -> None:
    other = "You are a cook. " * 100
    for of_config in (OF_CONFIG, other):
        async with started(small_model_path, tmp_path) as model:
            assert await truly_read(model, asked(of_config=of_config)) < TRULY_READ_AT_MOST
    assert len(kept(tmp_path)) == 2


@pytest.mark.model
@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "no digest"])
async def test_a_damaged_file_is_not_used_and_made_anew(
    small_model_path: Path, tmp_path: Path, damage: str
) -> None:
    async with started(small_model_path, tmp_path) as model:
        await answer_to(model, asked())
    (file,) = kept(tmp_path)
    whole = file.read_bytes()
    if damage == "no digest":
        file.with_suffix(".sha256").unlink()
    else:
        file.write_bytes({"cut": whole[:-100], "changed": b"x" + whole[1:], "empty": b""}[damage])

    async with started(small_model_path, tmp_path) as model:
        assert isinstance((await answer_to(model, asked()))[-1], Done)
    assert kept(tmp_path)[0].stat().st_size == len(whole)
    assert KeptPrompts(file.parent).find(file.stem) == file


@pytest.mark.model
async def test_a_folder_that_is_a_file_keeps_no_model_from_answering(
    small_model_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "prompts").write_text("in the way")
    async with started(small_model_path, tmp_path) as model:
        assert isinstance((await answer_to(model, asked()))[-1], Done)
    assert "kept_prompt_not_used" in "".join(capsys.readouterr())


@pytest.mark.model
async def test_the_door_is_gone_once_the_first_prompt_was_read(
    small_model_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doors: list[Door] = []

    class Watched(Door):
        def __init__(self) -> None:
            super().__init__()
            doors.append(self)

    monkeypatch.setattr("brain.models.engine.Door", Watched)
    async with started(small_model_path, tmp_path) as model:
        await model.warm()
        (door,) = doors
        assert stat.S_IMODE(door.folder.stat().st_mode) == 0o700
        await answer_to(model, asked())
        assert not door.folder.exists()
    async with started(small_model_path, tmp_path) as model:
        await model.warm()
        assert doors[1].folder.exists()
    assert not doors[1].folder.exists()


def test_of_many_kept_prompts_those_used_last_stay(tmp_path: Path) -> None:
    folder = KeptPrompts(tmp_path / "prompts")
    keys = [key_of("weights", str(number)) for number in range(6)]
    for number, key in enumerate(keys):
        source = tmp_path / "source"
        source.write_text(json.dumps(number))
        folder.keep(key, source)
        os.utime(tmp_path / "prompts" / f"{key}.read", (number, number))
        if number == 3:
            assert folder.find(keys[0]) is not None  # used now: later than all of them

    assert [folder.find(key) is not None for key in keys] == [True, False, False, True, True, True]
    assert len(list((tmp_path / "prompts").iterdir())) == 8


def test_what_a_killed_process_left_half_kept_goes_with_the_next_that_is_kept(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "prompts"
    kept_prompts = KeptPrompts(folder)
    for number in range(3):
        (tmp_path / "read").write_bytes(b"state")
        kept_prompts.keep(f"key{number}", tmp_path / "read")
    (folder / "old.new").write_bytes(b"half")
    (folder / "old.sha256").write_text("digest")
    (tmp_path / "read").write_bytes(b"state")
    kept_prompts.keep("key3", tmp_path / "read")

    assert {path.stem for path in folder.iterdir()} == {"key0", "key1", "key2", "key3"}
    assert all(kept_prompts.find(f"key{number}") for number in range(4))
