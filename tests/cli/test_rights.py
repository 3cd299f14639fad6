"""What this user may not write is named before anything is started, also for root."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED, talks
from tests.rights import HAS_RIGHTS

pytestmark = pytest.mark.skipif(not HAS_RIGHTS, reason="root is held to no rights here")


@pytest.fixture
def place(tmp_path: Path) -> Program:
    return Program(folder=tmp_path, environ=ALLOW_SCRIPTED)


def config(path: str, **more: Any) -> dict[str, Any]:
    channels = [{"type": "console"}, {"type": "http"}]
    root = {"storage": {"path": path}, "channels": channels, "server": {"addr": "127.0.0.1:0"}}
    return talks("Hello.", **root | more)


def close(folder: Path, *names: str, mode: int = 0o555) -> None:
    """Make `folder` with what is in it, and let nobody write there."""
    folder.mkdir()
    for name in names:
        (folder / name).touch()
        (folder / name).chmod(0o444)
    folder.chmod(mode)


@pytest.mark.parametrize("path", ["locked/brain.db", "locked/deep/brain.db"])
def test_a_folder_that_may_not_be_written_is_a_problem_of_the_config(
    place: Program, path: str
) -> None:
    close(place.folder / "locked")
    place.write("brain.json", config(path))

    checked = place.run_by_rights("check", "--json", "--config", "brain.json")
    started = [place.run_by_rights(verb, "--config", "brain.json") for verb in ("run", "serve")]

    (problem,) = json.loads(checked.stdout)["problems"]
    assert (problem["code"], problem["path"]) == ("data_folder", "storage.path")
    assert "which may not be written" in problem["found"]
    assert [done.returncode for done in (checked, *started)] == [2, 2, 2]
    for done in started:
        assert "which may not be written" in done.stderr
        assert "nothing was started" in done.stderr
        assert "Traceback" not in done.stderr
    assert list((place.folder / "locked").iterdir()) == []


def test_a_store_and_an_anchor_that_may_not_be_written_are_problems_too(place: Program) -> None:
    close(place.folder / "store", "brain.db", mode=0o755)
    close(place.folder / "anchor")
    place.write(
        "brain.json", config("store/brain.db", activity={"anchor_path": "anchor/anchor.txt"})
    )

    checked = place.run_by_rights("check", "--json", "--config", "brain.json")

    found = {each["code"]: each["found"] for each in json.loads(checked.stdout)["problems"]}
    assert sorted(found) == ["anchor_unusable", "data_folder"]
    assert all("which may not be written" in each for each in found.values()), found


def test_a_first_config_is_not_written_where_that_may_not_be_written(place: Program) -> None:
    place.folder.chmod(0o555)

    done = place.run_by_rights("init", "--config", "brain.json")

    place.folder.chmod(0o755)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert "brain.json" in done.stderr
    assert not (place.folder / "brain.json").exists()


def test_a_backup_is_not_written_where_that_may_not_be_written(place: Program) -> None:
    place.write("brain.json", config("state/brain.db"))
    close(place.folder / "locked")
    place.run_by_rights("run", "--config", "brain.json")

    done = place.run_by_rights("backup", "locked/copy", "--config", "brain.json")

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "locked" in done.stderr
    assert "fix: " in done.stderr


def test_where_all_may_be_written_the_same_config_is_good(place: Program) -> None:
    place.write("brain.json", config("open/brain.db"))

    done = place.run_by_rights("check", "--config", "brain.json")

    assert done.returncode == 0, done.stdout + done.stderr
