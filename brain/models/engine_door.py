"""The one door to what the embedded library does over HTTP alone: what it has read, to disk and back.

A socket file in a folder that only its owner may enter, behind a key that is nowhere written down.
It is open until the first prompt was read, and then gone for good.
"""

import json
import secrets
import shutil
import socket
import tempfile
import weakref
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

__all__ = ["DOOR_FAILURES", "Door"]

_FILE_NAME: Final = "read"
_OK: Final = 200
_SECONDS: Final = 30.0  # for a few megabytes

DOOR_FAILURES: Final = (OSError, HTTPException)
"""What its methods raise. None of it keeps a model from answering: it only reads for longer."""


class Door:
    """A private folder for the library's socket and files. Blocking; `shut` removes it all."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="brain-"))
        self.key = secrets.token_hex(16)
        self._remove = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    @property
    def socket_path(self) -> Path:
        return self.folder / "engine.sock"

    def save(self) -> Path:
        """Have what the library has read written here, and return that file."""
        self._ask("save")
        return self.folder / _FILE_NAME

    def restore(self, source: Path) -> None:
        """Have the library know what stands in `source`, as if it had read it."""
        link = self.folder / _FILE_NAME
        link.symlink_to(source)
        try:
            self._ask("restore")
        finally:
            link.unlink()

    def shut(self) -> None:
        self._remove()

    def _ask(self, action: str) -> None:
        connection = _SocketConnection(self.socket_path)
        try:
            connection.request(
                "POST",
                f"/slots/0?action={action}",
                json.dumps({"filename": _FILE_NAME}),
                {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
            )
            answer = connection.getresponse()
            if answer.status != _OK:
                raise OSError(f"the engine could not {action} a prompt: status {answer.status}")
            answer.read()
        finally:
            connection.close()


class _SocketConnection(HTTPConnection):
    """HTTP over a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_SECONDS)
        self.sock.connect(str(self._path))
