"""Which file is meant, and where things lie."""

from pathlib import Path

import pytest

from brain.config import find_config, is_known, remember
from brain.config.folders import data_folder
from brain.errors import ConfigError


def test_the_named_file_goes_first_then_here_then_the_users_own(tmp_path: Path) -> None:
    here, config = tmp_path / "here", tmp_path / "config"
    environ = {"XDG_CONFIG_HOME": str(config)}
    (config / "brain").mkdir(parents=True)
    here.mkdir()
    own = config / "brain" / "brain.json"
    own.touch()

    assert find_config(None, cwd=here, environ=environ) == own
    (here / "brain.json").touch()
    assert find_config(None, cwd=here, environ=environ) == here / "brain.json"
    named = tmp_path / "no-such.json"
    assert find_config(named, cwd=here, environ=environ) == named


def test_nothing_found_names_what_helps(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        find_config(None, cwd=tmp_path, environ={"XDG_CONFIG_HOME": str(tmp_path)})

    assert "--config" in caught.value.fix
    assert str(tmp_path / "brain.json") in caught.value.message


def test_a_config_is_known_once_it_was_remembered_and_only_at_its_place(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}
    first, second = tmp_path / "a" / "brain.json", tmp_path / "b" / "brain.json"

    assert not is_known(first, environ=environ)
    remember(first, environ=environ)
    remember(first, environ=environ)

    assert is_known(first, environ=environ)
    assert not is_known(second, environ=environ)
    state = tmp_path / "state" / "brain"
    assert len((state / "known-configs").read_text(encoding="utf-8").splitlines()) == 1
    assert state.stat().st_mode & 0o777 == 0o700


def test_a_state_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "state"
    blocked.touch()

    with pytest.raises(ConfigError, match="cannot note"):
        remember(tmp_path / "brain.json", environ={"XDG_STATE_HOME": str(blocked)})


def test_two_configs_never_share_a_data_folder(tmp_path: Path) -> None:
    environ = {"XDG_DATA_HOME": str(tmp_path)}
    one = data_folder(tmp_path / "a" / "brain.json", environ=environ)
    other = data_folder(tmp_path / "b" / "brain.json", environ=environ)

    assert one != other
    assert one.parent == other.parent == tmp_path / "brain"


def test_a_config_that_a_clone_brings_along_is_named_where_none_is_meant(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "brain.json").write_text("{}")
    with pytest.raises(ConfigError) as none_meant:
        find_config(None, cwd=tmp_path, environ={"XDG_CONFIG_HOME": str(tmp_path)})
    assert none_meant.value.fix.startswith("--config config/brain.json names the one here")
