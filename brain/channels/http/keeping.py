"""What the server keeps in the data folder: the operator's token, and where it listens now."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from brain.config import Server, is_sendable, replace_file
from brain.errors import ChannelError

__all__ = [
    "ADDRESS_FILE",
    "TOKEN_FILE",
    "KeptToken",
    "keep_file",
    "keep_token",
    "named_address",
    "read_token",
]

TOKEN_FILE: Final = "server.token"  # noqa: S105 - the name of a file, no secret
ADDRESS_FILE: Final = "server.address"
_TOKEN_BYTES: Final = 32
_OWNER_ONLY: Final = 0o600
_NOT_STARTED: Final = "nothing was started"


class KeptToken:
    """The operator's token of the data folder, while the config names no variable with one.

    `value` is empty until a config has needed it: nothing is made that is of no use.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.value = ""

    def serve(self, server: Server, *, meanwhile: str = _NOT_STARTED) -> None:
        """Read the token, or make it, where this config needs it. Raises ChannelError."""
        if not server.token_env and not self.value:
            self.value = keep_token(self._folder, meanwhile=meanwhile)


def keep_token(folder: Path, *, meanwhile: str = _NOT_STARTED) -> str:
    """Return the operator's token, made where there is none. Raises ChannelError."""
    path = folder / TOKEN_FILE
    token = read_token(folder, meanwhile=meanwhile)
    if token:
        return token
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        keep_file(path, f"{token}\n".encode())
    except OSError as error:
        raise ChannelError(
            f"the operator's token can't be kept at {str(path)!r}: {error.strerror}; {meanwhile}",
            fix="make the folder writable, or name a variable with a token: server.token_env",
        ) from error
    return token


def read_token(folder: Path, *, meanwhile: str = _NOT_STARTED) -> str:
    """Return the token that was kept, or empty. Raises ChannelError for one that others can read."""
    path = folder / TOKEN_FILE
    try:
        mode = path.stat().st_mode
        token = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ChannelError(
            f"the operator's token at {str(path)!r} can't be read; {meanwhile}",
            fix="remove the file: the next start makes another token",
        ) from error
    if not is_sendable(token):
        raise ChannelError(
            f"the operator's token at {str(path)!r} holds what no HTTP header carries; {meanwhile}",
            fix="remove the file: the next start makes another token",
        )
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise ChannelError(
            f"the operator's token at {str(path)!r} can be read by others "
            f"(mode {stat.S_IMODE(mode):04o}, expected 0600); {meanwhile}",
            fix=f"remove the file, so that the next start makes another one; or: chmod 600 {path}",
        )
    return token


@contextmanager
def named_address(folder: Path, url: str) -> Iterator[None]:
    """Keep where the server listens for who opens the page, while the block lasts.

    Raises ChannelError where it can't be kept.
    """
    path = folder / ADDRESS_FILE
    try:
        keep_file(path, f"{url}\n".encode())
    except OSError as error:
        raise ChannelError(
            f"where the server listens can't be kept at {str(path)!r}: {error.strerror}; "
            f"{_NOT_STARTED}",
            fix="make the folder writable, or remove what stands in the way",
        ) from error
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def named_url(folder: Path) -> str:
    """Return where the server of this data folder listens, or empty where none says so."""
    try:
        return (folder / ADDRESS_FILE).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def keep_file(path: Path, content: bytes) -> None:
    """Put `content` at `path` whole or not at all, for its owner alone. Raises OSError."""
    replace_file(path, content, mode=_OWNER_ONLY)
