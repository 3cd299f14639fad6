"""The official client's library, imported with a quiet environment.

Importing it builds a client of its own that nobody asks. That client reads the environment and
raises for a proxy it has no library for, for an OLLAMA_HOST it can't read, for a TLS store that is
gone: things that concern no client of ours, since none of them looks at the environment.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["ollama"]

_UNSET: Final = ("OLLAMA_HOST", "OLLAMA_API_KEY", "SSL_CERT_FILE", "SSL_CERT_DIR", "no_proxy")
_SET: Final = {"NO_PROXY": "*"}


@contextmanager
def _quiet_environment() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in (*_UNSET, *_SET)}
    for name in _UNSET:
        os.environ.pop(name, None)
    os.environ.update(_SET)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


with _quiet_environment():
    import ollama
