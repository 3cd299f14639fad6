"""The scripted Ollama server as a process of its own, beside the real program."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.cli.program import ROOT

__all__ = ["ollama_server"]


@contextmanager
def ollama_server(*words: str) -> Iterator[str]:
    """Run the server with the options `words`; yields its URL."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.ollama_server", "--port", "0", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
