"""The real program in a process of its own: `python -m brain`, with a home nobody else has."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.rights import by_its_rights

ROOT = Path(__file__).resolve().parent.parent.parent
LIMIT_SECONDS = 60

SMALL: dict[str, Any] = {
    "brains": [
        {
            "name": "assistant",
            "sensitivity": "public",
            "policy": {"kind": "priority"},
            "models": [{"provider": "ollama", "model_id": "llama3.2", "locality": "local"}],
        }
    ]
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Runs brain in `folder`, with its home below it."""

    folder: Path
    environ: Mapping[str, str] = field(default_factory=dict)

    def run(
        self, *words: str, typed: str | bytes = b"", **environ: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command line to its end. stdin is a pipe that holds `typed`."""
        return self._run([sys.executable, "-m", "brain", *words], typed, **environ)

    def run_by_rights(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run it held to the rights of each file, also where we are root."""
        return self._run(by_its_rights("-m", "brain", *words))

    def _run(
        self, command: Sequence[str], typed: str | bytes = b"", **environ: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment(**environ),
            input=typed.encode() if isinstance(typed, str) else typed,
            capture_output=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    def environment(self, **more: str) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("BRAIN_", "OLLAMA_", "XDG_", "COV_"))
            and not name.lower().endswith("_proxy")
        }
        home = self.folder / "home"
        return {
            **kept,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
            "PYTHONPATH": str(ROOT),
            "OLLAMA_HOST": "127.0.0.1:1",  # nothing answers there
            **self.environ,
            **more,
        }

    def write(self, name: str, value: Any) -> Path:
        """Write a config, as JSON unless it is a text already."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        path.write_text(text, encoding="utf-8")
        return path
