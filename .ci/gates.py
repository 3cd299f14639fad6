"""Run every gate and then the tests: `.venv/bin/python .ci/gates.py [words for pytest]`.

The tests run last and whatever the gates before them said, so that one run tells everything;
the exit code is 1 if anything failed.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("brain", "tests", ".ci")

GATES = {
    "format": ("ruff", "format", "--check", *SOURCES),
    "rules": ("ruff", "check", *SOURCES),
    "imports": ("lint-imports",),
    "types": ("mypy",),
}
MOST_WORKERS = 4
PYTEST = (
    "pytest",
    "--numprocesses=auto",
    f"--maxprocesses={MOST_WORKERS}",
    "--dist=loadfile",  # what a file shares (a loaded model, a server) is set up once
    "--cov",
    "--cov-report=term:skip-covered",
)


def main() -> int:
    failed = [name for name, command in GATES.items() if not passes(name, command)]
    if failed:
        print(f"failed before the tests: {', '.join(failed)}", flush=True)
    print("== tests", flush=True)
    tests = run((*PYTEST, *sys.argv[1:]))
    return tests if tests != 0 else int(bool(failed))


def passes(name: str, command: tuple[str, ...]) -> bool:
    print(f"== {name}: {' '.join(command)}", flush=True)
    return run(command) == 0


def run(command: tuple[str, ...]) -> int:
    """Run a tool of this venv, so that no PATH can put another one in its place."""
    tool = Path(sys.executable).parent / command[0]
    environ = {**os.environ, "BRAIN_MODELS_DIR": str(ROOT / ".cache" / "models")}
    done = subprocess.run(
        [tool, *command[1:]], cwd=ROOT, stdin=subprocess.DEVNULL, env=environ, check=False
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
