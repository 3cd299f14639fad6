"""Who sits at this terminal."""

import getpass

__all__ = ["user_name"]


def user_name() -> str:
    """Return the name of the user of this machine, `operator` where the system has none.

    Bytes of it that are no text become question marks.
    """
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "operator"
    return name.encode("utf-8", errors="replace").decode("utf-8")
