"""Set up `.venv` from nothing but Python and the package index: `python .ci/setup.py run|test`.

Talks on stderr only and reads no stdin, so that what `make run` is given and prints belongs to the
program. Does nothing, in a few milliseconds, while the set-up matches `pyproject.toml`.
"""

import contextlib
import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit(
        "brain needs Python 3.11 or later; this is %d.%d (%s).\n"
        "  fix: install a later one and run: make PYTHON=python3.12 run"
        % (sys.version_info[0], sys.version_info[1], sys.executable)
    )

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
PYTHON = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

EXTRAS = ("embedded",)
GROUPS = {"run": (), "test": ("dev",)}
WHAT = {
    "run": "brain, its libraries and the engine for a model in the process: "
    "about 45 MB to load, 160 MB on disk",
    "test": "brain, its libraries, the engine for a model in the process, and what the tests and "
    "checks need: about 130 MB to load, 420 MB on disk",
}
THIS_PYTHON = "%d.%d" % sys.version_info[:2]
FIRST_PIP_WITH_GROUPS = (25, 1)


def main() -> int:
    kind = " ".join(sys.argv[1:])
    if kind not in WHAT:
        say("usage: python .ci/setup.py run|test")
        return 2
    if is_done(kind):
        return 0
    with one_at_a_time():
        if is_done(kind):
            return 0
        try:
            set_up(kind)
        except subprocess.CalledProcessError as error:
            say(
                f"set-up failed: `{' '.join(map(str, error.cmd))}` ended with {error.returncode}; "
                "its reason is above. Nothing was started.\n"
                "  fix: what is loaded comes from the package index that pip is configured for "
                "(`pip config list`); when that answers, run make again"
            )
            return 1
    return 0


def set_up(kind: str) -> None:
    say(f"setting up .venv with {WHAT[kind]} (once)")
    if not works(PYTHON):
        make_venv()
    packages = ["-e", f".[{','.join(EXTRAS)}]"]
    if GROUPS[kind]:
        if pip_version() < FIRST_PIP_WITH_GROUPS:
            pip("install", "--upgrade", "pip>=25.1")
        packages += [word for group in GROUPS[kind] for word in ("--group", group)]
    pip("install", *packages)
    stamp(kind).write_text(fingerprint(), encoding="utf-8")
    say("set-up done")


def make_venv() -> None:
    builder = venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt")
    try:
        builder.create(FOLDER)
    except subprocess.CalledProcessError:
        say(
            f"this Python ({sys.executable}) comes without `ensurepip`, so it can't make a venv.\n"
            "  fix: on Debian and Ubuntu `sudo apt install python3-venv`, or name another Python: "
            "make PYTHON=python3.12 run"
        )
        raise


def is_done(kind: str) -> bool:
    """A set-up for the tests holds all that running needs."""
    kinds = ("run", "test") if kind == "run" else ("test",)
    return any(reads(stamp(each)) == fingerprint() for each in kinds) and PYTHON.exists()


def stamp(kind: str) -> Path:
    return FOLDER / f"set-up-{kind}"


def fingerprint() -> str:
    """Changes with what is to be installed, with the place and with the Python that does it."""
    parts = (
        (ROOT / "pyproject.toml").read_bytes(),
        str(ROOT).encode(),
        THIS_PYTHON.encode(),
    )
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def reads(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def works(python: Path) -> bool:
    """A venv can be half made, or outlive the Python it was made from."""
    if not python.exists():
        return False
    answer = subprocess.run(
        [python, "-c", "import sys, pip; print('%d.%d' % sys.version_info[:2])"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.returncode == 0 and answer.stdout.strip() == THIS_PYTHON


def pip_version() -> tuple[int, ...]:
    answer = subprocess.run(
        [PYTHON, "-c", "import pip; print(pip.__version__)"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(int(part) for part in answer.stdout.split(".")[:2])


def pip(*words: str) -> None:
    """Run pip with its progress on stderr."""
    subprocess.run(
        [PYTHON, "-m", "pip", "--disable-pip-version-check", *words],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        check=True,
    )


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a second `make` in the same folder wait for the first one's set-up."""
    try:
        import fcntl
    except ImportError:  # Windows: two at once are not told apart
        yield
        return
    with (ROOT / "pyproject.toml").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
