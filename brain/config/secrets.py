"""The secrets that a config names by their variables: how one is read, and what no header carries.

Nothing else reads such a variable, so that what `check` accepts is what is compared and sent.
"""

from collections.abc import Mapping

__all__ = ["is_sendable", "secret_in"]


def secret_in(environ: Mapping[str, str], variable: str) -> str:
    """Return the secret that a variable holds; empty where it holds none, or none is named.

    White space around it is no part of it: a file that was read into a variable ends in a new line.
    """
    return environ.get(variable, "").strip() if variable else ""


def is_sendable(secret: str) -> bool:
    """Tell whether a header can carry it: visible ASCII and spaces, and nothing else."""
    return secret.isascii() and secret.isprintable()
