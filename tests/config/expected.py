"""The bad configs of tests/configs/bad and the text that each is told with."""

from pathlib import Path

from brain import __version__
from brain.config import Report, check_config, render_problems

REPO = Path(__file__).resolve().parents[2]
REFERENCE = REPO / "docs" / "reference" / "config.md"
BAD = REPO / "tests" / "configs" / "bad"

ENVIRON = {"XDG_CONFIG_HOME": "/nonexistent/config", "XDG_DATA_HOME": str(REPO / "tests")}


def expected_file(path: Path) -> Path:
    return path.with_suffix(".txt")


def checked(path: Path) -> Report:
    return check_config(path, environ=ENVIRON, static=False)


def rendered(path: Path) -> str:
    """Return the whole text, without the place of this checkout and the version."""
    return (
        render_problems(checked(path))
        .replace(str(REPO), "<repo>")
        .replace(__version__, "<version>")
        + "\n"
    )
