"""The official client's library, and httpx below it, imported with a quiet environment.

Importing the client builds a client of its own that nobody asks. That client reads the environment and
raises for a proxy it has no library for, for an OLLAMA_HOST it can't read, for a TLS store that is
gone: things that concern no client of ours, since none of them looks at the environment. And httpx imports a command line of its own where rich happens
to be installed, a fifth of a start of brain, and goes without where that can't be imported.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["httpx", "ollama"]

_UNSET: Final = ("OLLAMA_HOST", "OLLAMA_API_KEY", "SSL_CERT_FILE", "SSL_CERT_DIR", "no_proxy")
_SET: Final = {"NO_PROXY": "*"}
_COMMAND_LINE: Final = "httpx._main"


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


@contextmanager
def _without(module: str) -> Iterator[None]:
    """Let the import of `module` fail while the block lasts, unless it is there already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment] # None is how Python is told so
    try:
        yield
    finally:
        del sys.modules[module]


with _quiet_environment(), _without(_COMMAND_LINE):
    import httpx
    import ollama
