"""The files of the project, for the tests that look at it from outside."""

import ast
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One Python file of the package."""

    path: str
    text: str
    tree: ast.Module

    @property
    def module(self) -> str:
        parts = Path(self.path).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")


@cache
def package_sources() -> tuple[Source, ...]:
    return tuple(read(path) for path in sorted((ROOT / "brain").rglob("*.py")))


def read(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    return Source(path=path.relative_to(ROOT).as_posix(), text=text, tree=ast.parse(text))


@cache
def tracked_files() -> tuple[str, ...]:
    """Return what git tracks or would take up; in an unpacked source archive, what lies there."""
    asked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode == 0:
        names = [name for name in asked.stdout.split("\0") if name]
        return tuple(sorted(name for name in set(names) if (ROOT / name).is_file()))
    return tuple(
        sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file())
    )
