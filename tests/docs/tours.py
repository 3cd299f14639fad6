"""What a page shows being done, read as steps: commands, messages, saves, and what is answered.

Blocks of kind `console` hold commands (`$ `), messages typed into the open talk (`> `) and, below
each, what is shown; one that begins with `…` goes on with the command before it, which is still
running. A `json` block of one grant is a change of the config that is saved. Each
section of a page begins anew.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = ["Step", "grant_saved", "tours"]

_SECTION = re.compile(r"^## ", re.MULTILINE)
_BLOCK = re.compile(r"^ *```(console|json)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)

_Kind = Literal["command", "message", "goes on", "save"]
_KINDS: Final[dict[str, _Kind]] = {"$": "command", ">": "message", "…": "goes on"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that a reader does, and the lines that are shown then."""

    kind: _Kind
    text: str
    shown: tuple[str, ...] = ()


def tours(page: str) -> Iterator[list[Step]]:
    """Yield the steps of each section that has commands."""
    for section in _SECTION.split(page):
        steps = [step for kind, text in _BLOCK.findall(section) for step in _steps(kind, text)]
        if any(step.kind == "command" for step in steps):
            yield steps


def grant_saved(config: str, grant: Any) -> str:
    """Return the text of a config in which the last grant of a tool has another mode."""
    place = re.compile(rf'("tool": "{grant["tool"]}",\s*"mode": )"\w+"')
    changed, count = place.subn(rf'\1"{grant["mode"]}"', config)
    assert count == 1, config
    return changed


def _steps(kind: str, text: str) -> Iterator[Step]:
    if kind == "json":
        if "mode" in (grant := json.loads(text)):
            yield Step(kind="save", text=json.dumps(grant))
        return
    lines = [line.strip() for line in text.splitlines()]
    starts = [at for at, line in enumerate(lines) if line.startswith(tuple(_KINDS))]
    assert starts[:1] == [0], f"a block begins with what is typed:\n{text}"
    for at, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield Step(
            kind=_KINDS[lines[at][0]],
            text=lines[at][2:],
            shown=tuple(line for line in lines[at + 1 : end] if line),
        )
