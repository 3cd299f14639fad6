"""Whether a text is left in any file, looked for in another way than brain does."""

import json
from collections.abc import Iterator
from pathlib import Path

PIECE = 16


def bytes_left(text: str, folder: Path) -> list[str]:
    """Return the files below `folder` that hold a piece of `text`, in any encoding it might be in."""
    wanted = {piece for form in encodings(text) for piece in pieces(form)}
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [str(path.relative_to(folder)) for path in files if _holds(path.read_bytes(), wanted)]


def _holds(content: bytes, wanted: set[bytes]) -> bool:
    return any(piece in content for piece in wanted)


def encodings(text: str) -> Iterator[bytes]:
    for form in (text, text.casefold(), json.dumps(text)[1:-1]):
        yield form.encode("utf-8")
        yield form.encode("utf-16-le")
        yield form.encode("utf-16-be")


def pieces(content: bytes) -> Iterator[bytes]:
    """Yield pieces that overlap by half, so that no cut hides all of them."""
    for start in range(0, max(1, len(content) - PIECE), PIECE // 2):
        yield content[start : start + PIECE]
