"""A config file takes another content whole, or stays as it was."""

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

__all__ = ["digest_of", "replace_file"]


def digest_of(content: bytes) -> str:
    """Return the SHA-256 by which one content of a file is told from another."""
    return hashlib.sha256(content).hexdigest()


def replace_file(path: Path, content: bytes, *, mode: int | None = None) -> None:
    """Put `content` in the place of what stands at `path`, with the rights that it had.

    With a `mode` those are its rights, and nothing need stand there yet. A link stays one: the file
    it leads to is replaced. Once this returns, the content outlasts a loss of power. Raises OSError;
    then nothing was changed.
    """
    target = path.resolve(strict=mode is None)
    if mode is None:
        mode = stat.S_IMODE(target.stat().st_mode)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(mode)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _settle_name(target.parent)


def _settle_name(folder: Path) -> None:
    """Have the renaming of a file in `folder` on the disk, where the system can do that."""
    with suppress(OSError):  # Windows opens no folder, some network folders settle none
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
