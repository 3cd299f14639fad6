"""Whether a path lies on another machine's disk, where SQLite's locks can't be trusted."""

import re
from pathlib import Path, PurePosixPath
from typing import Final

__all__ = ["file_system_of", "network_warning"]

_NETWORK: Final = frozenset({
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.ceph", "fuse.davfs",
    "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "glusterfs", "gpfs", "lustre",
    "ncpfs", "nfs", "nfs4", "orangefs", "smb3", "smbfs", "virtiofs",
})  # fmt: skip

_MOUNT: Final = re.compile(r"(?:\S+ ){4}(?P<point>\S+) .*? - (?P<kind>\S+)")
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")
_MOUNTS: Final = Path("/proc/self/mountinfo")


def network_warning(path: Path) -> str:
    """Return a sentence if `path` lies on a network file system, empty if not or if unknown.

    Linux says which file system a path is on; elsewhere only a Windows share is recognised.
    """
    if str(path).startswith(("\\\\", "//")):
        kind = "a network share"
    else:
        try:
            mounts = _MOUNTS.read_text(encoding="utf-8", errors="replace")
        except OSError:  # not Linux, or /proc is hidden: then nothing can be said
            return ""
        kind = file_system_of(PurePosixPath(path), mounts)
        if kind not in _NETWORK:
            return ""
    return (
        f"storage.path {str(path)!r} lies on a network file system ({kind}). There a lock of one "
        "machine may not hold on another, and a database that two processes write can be damaged. "
        "Put it on a disk of this machine."
    )


def file_system_of(path: PurePosixPath, mounts: str) -> str:
    """Return the kind of the file system that holds `path`, as /proc/self/mountinfo names it. Pure."""
    best, kind = -1, ""
    for line in mounts.splitlines():
        found = _MOUNT.match(line)
        if found is None:
            continue
        point = PurePosixPath(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), found["point"]))
        if len(point.parts) >= best and path.is_relative_to(point):
            best, kind = len(point.parts), found["kind"]
    return kind
