"""Who sits at this terminal."""

import getpass

__all__ = ["user_name"]


def user_name() -> str:
    """Return the name of the user of this machine, `operator` where the system has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "operator"
