"""The pages for people, and what the tests read out of them."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

_FENCE = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")


def pages() -> tuple[Path, ...]:
    """Return every page but the changelog, which also tells of what is gone."""
    top = [ROOT / name for name in ("README.md", "SECURITY.md")]
    return (*top, *sorted((ROOT / "docs").rglob("*.md")))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path, *kinds: str) -> Iterator[str]:
    """Yield the fenced blocks of these kinds."""
    for match in _FENCE.finditer(path.read_text(encoding="utf-8")):
        if match["kind"] in kinds:
            yield match["text"]


def code_in(path: Path) -> Iterator[str]:
    """Yield every span and every line of a block: what a reader may type."""
    text = path.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        yield from match["text"].splitlines()
    yield from _SPAN.findall(_FENCE.sub("", text))
