"""Random identifiers. None is derived from content, a name or a time."""

import secrets

__all__ = ["new_id"]


def new_id() -> str:
    """Return 16 random bytes as 32 lower-case hexadecimal digits."""
    return secrets.token_hex(16)
