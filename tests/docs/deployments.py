"""What docs/service holds, taken apart and done as a container, a unit or a proxy would do it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.program import ROOT
from tests.cli.terminals import WAIT_SECONDS, Reader, told

__all__ = [
    "SERVICE",
    "TOKEN",
    "Served",
    "instructions",
    "proxied",
    "served",
    "stages",
    "without_remarks",
]

SERVICE = ROOT / "docs" / "service"
TOKEN = "a-token-of-the-tests-that-nobody-else-has"
FROM_SOURCES = (sys.executable, "-m", "brain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A `brain serve` that runs with the container's config."""

    process: subprocess.Popen[bytes]
    stderr: Reader
    port: int
    config: Path


@contextmanager
def served(
    folder: Path,
    *,
    ollama: str,
    command: Sequence[str] = FROM_SOURCES,
    words: Sequence[str] = ("serve", "--config", "/config/brain.json"),
    **environ: str,
) -> Iterator[Served]:
    """Serve the container's config: what is another here is where things lie, and where they listen."""
    config = folder / "brain.json"
    config.write_text(json.dumps(moved(folder, ollama), indent=2), encoding="utf-8")
    words = [str(config) if word == "/config/brain.json" else word for word in words]
    sources = {"PYTHONPATH": str(ROOT)} if command is FROM_SOURCES else {}
    with subprocess.Popen(
        [*command, *words],
        cwd=folder,
        env={**bare(folder), **sources, **environ},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            stderr = told(process)
            stderr.until(b"serving at http://127.0.0.1:")
            port = int(stderr.until(b"\n"))
            yield Served(process=process, stderr=stderr, port=port, config=config)
            process.terminate()
            assert process.wait(WAIT_SECONDS) == 0
        finally:
            process.kill()


def moved(folder: Path, ollama: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((SERVICE / "brain.json").read_text(encoding="utf-8"))
    document["storage"]["path"] = str(folder / "data" / "store" / "brain.db")
    document["server"]["addr"] = "0.0.0.0:0"
    document["brains"][0]["models"][0]["base_url"] = ollama
    return document


def bare(folder: Path) -> dict[str, str]:
    """Return the environment of a container that knows nothing of this machine's user."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    home = folder / "data"
    return {**kept, "HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "BRAIN_TOKEN": TOKEN}


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """Return each instruction with its words, remarks left out and broken lines joined."""
    lines = [line for line in dockerfile.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    parts = [line.split(maxsplit=1) for line in joined.splitlines() if line.strip()]
    return [(name, words) for name, words in parts]


def stages(dockerfile: str) -> Mapping[str, list[tuple[str, str]]]:
    """Return the instructions of each stage by its name; the last one is called `image`."""
    found: dict[str, list[tuple[str, str]]] = {}
    current: list[tuple[str, str]] = []
    for name, words in instructions(dockerfile):
        if name == "FROM":
            _, mark, called = words.partition(" AS ")
            current = found.setdefault(called if mark else "image", [])
        else:
            current.append((name, words))
    return found


def without_remarks(text: str) -> str:
    """Return a config of a proxy without its remarks, so that it can be compared."""
    kept = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return "\n".join(line for line in kept if line.strip())


@contextmanager
def proxied(folder: Path, nginx: str, port: int) -> Iterator[str]:
    """Run nginx with the page's config before `port`; yields the path of its socket.

    It listens at a socket of the file system and without TLS; the rest is as it stands there.
    """
    path = folder / "proxy.sock"
    server = (SERVICE / "nginx.conf").read_text(encoding="utf-8")
    server = re.sub(r"^ *ssl_.*\n", "", server, flags=re.MULTILINE)
    server = server.replace("listen 443 ssl", f"listen unix:{path}").replace(
        "127.0.0.1:2112", f"127.0.0.1:{port}"
    )
    config = nginx_config(folder, server)
    command = [nginx, "-e", str(folder / "error.log"), "-c", str(config)]
    subprocess.run(command, check=True, capture_output=True, timeout=WAIT_SECONDS)
    try:
        yield str(path)
    finally:
        subprocess.run([*command, "-s", "stop"], check=True, timeout=WAIT_SECONDS)


def nginx_config(folder: Path, server: str) -> Path:
    """Write a whole config of nginx around a server block: everything it writes lies in `folder`."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "\n".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    config = folder / "nginx.conf"
    config.write_text(
        f"pid {folder / 'nginx.pid'};\nerror_log {folder / 'error.log'};\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}\n{server}\n}}\n",
        encoding="utf-8",
    )
    return config
