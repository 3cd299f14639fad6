"""Where config, data and state lie on this machine, and which config file is meant."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from brain.errors import ConfigError

__all__ = ["control_place", "data_folder", "find_config", "is_default", "is_known", "remember"]

_APP = "brain"
_FILE = "brain.json"
_BROUGHT_ALONG = "config/brain.json"  # in a clone of brain
_KNOWN = "known-configs"


def find_config(explicit: Path | None, *, cwd: Path, environ: Mapping[str, str]) -> Path:
    """Return the config file that is meant: the one named, `./brain.json`, the user's own.

    Raises ConfigError where none is named and none is there. A file that is named is returned
    whether or not it exists: reading it tells.
    """
    if explicit is not None:
        return explicit
    here = cwd / _FILE
    if _is_there(here):
        return here
    own = _config_folder(environ) / _FILE
    if _is_there(own):
        return own
    raise ConfigError(
        f"no config file: looked for {here} and {own}",
        fix=_named_or_new(cwd),
    )


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()  # a link to nowhere is told, not passed over


def is_default(path: Path, *, cwd: Path, environ: Mapping[str, str]) -> bool:
    """Say whether `path` is the file that would be used without `--config`."""
    try:
        return find_config(None, cwd=cwd, environ=environ) == path.absolute()
    except ConfigError:
        return path.absolute() == cwd / _FILE


def is_known(path: Path, *, environ: Mapping[str, str]) -> bool:
    """Say whether this config file was used before, by this user, at this place.

    A `./brain.json` that never was is asked about: a cloned folder must not decide what runs.
    """
    try:
        known = _known_file(environ).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return False
    return _identity(path) in known


def remember(path: Path, *, environ: Mapping[str, str]) -> None:
    """Note that this config file is used. Raises ConfigError where the state cannot be written."""
    if is_known(path, environ=environ):
        return
    known = _known_file(environ)
    try:
        known.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with known.open("a", encoding="utf-8") as file:
            file.write(_identity(path) + "\n")
    except OSError as error:
        raise ConfigError(
            f"cannot note in {known} that this config is used: {error.strerror}",
            fix=f"make {known.parent} writable, or name the file with --config",
        ) from error


def data_folder(config_path: Path, *, environ: Mapping[str, str]) -> Path:
    """Return the folder that belongs to the config at this path and to no other."""
    return _data_root(environ) / _identity(config_path)[:12]


def control_place(config_path: Path, *, environ: Mapping[str, str]) -> tuple[Path, str]:
    """Return the folder of the sockets of running brains, and how the names of this config's begin.

    It does not depend on what the file holds: it is asked for when the file is broken. Raises
    ConfigError for a user without a home folder.
    """
    return _state_folder(environ) / "control", f"{_identity(config_path)[:12]}-"


def _identity(path: Path) -> str:
    """Return what tells the config at this place from others.

    Links in its folder's way are followed, a link in its own place is not: a deployment that swaps
    what the link leads to (a ConfigMap of Kubernetes) still has the same config.
    """
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - `..` is taken as written
    place = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - a loop is no error
    return hashlib.sha256(place.encode("utf-8", errors="surrogateescape")).hexdigest()


def _known_file(environ: Mapping[str, str]) -> Path:
    return _state_folder(environ) / _KNOWN


def _config_folder(environ: Mapping[str, str]) -> Path:
    return _folder(environ, "XDG_CONFIG_HOME", "user_config_path")


def _data_root(environ: Mapping[str, str]) -> Path:
    return _folder(environ, "XDG_DATA_HOME", "user_data_path")


def _state_folder(environ: Mapping[str, str]) -> Path:
    return _folder(environ, "XDG_STATE_HOME", "user_state_path")


def _folder(environ: Mapping[str, str], variable: str, of_platform: str) -> Path:
    """Return brain's folder under the one that the variable names, else under the platform's.

    By the XDG specification a path that is not absolute is no value. Raises ConfigError for a user
    without a home folder.
    """
    named = Path(environ.get(variable, ""))
    if named.is_absolute():
        return named / _APP

    import platformdirs

    try:
        folder = Path(getattr(platformdirs, of_platform)(_APP, appauthor=False))
    except RuntimeError:
        folder = Path()  # what newer releases do; older ones leave the ~ as it is
    if not folder.is_absolute():
        raise ConfigError(
            "this user has no home folder", fix=f"set HOME, or {variable} to a whole path"
        )
    return folder


def _named_or_new(cwd: Path) -> str:
    """Return what to do without a config: a clone of brain brings one along."""
    if (cwd / _BROUGHT_ALONG).is_file():
        return f"--config {_BROUGHT_ALONG} names the one here; brain init writes one of your own"
    return "brain init writes one; --config FILE names another"
