"""What may not be written, tested by its rights: a root that may write anywhere gives that up first."""

import sys
from collections.abc import Sequence
from typing import Final

__all__ = ["HAS_RIGHTS", "by_its_rights"]

HAS_RIGHTS: Final = sys.platform == "linux"
"""Elsewhere root can't be held to the rights of a file and stay able to read its own Python."""

_HELD_TO_RIGHTS: Final = """
import ctypes, os, sys
if os.geteuid() == 0:  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: to go past the rights of files
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (1, 2):
        if libc.prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP: what follows exec never has it
            raise OSError(ctypes.get_errno(), "a right of root can't be given up")
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def by_its_rights(*arguments: str) -> Sequence[str]:
    """Return the command that runs Python with these arguments, held to the rights of each file.

    Another user would do as well, but for one thing: where root's own Python lies nobody else may look.
    """
    return [sys.executable, "-c", _HELD_TO_RIGHTS, *arguments]
