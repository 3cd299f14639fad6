"""A process that puts a config and is killed: `python -m tests.crash.dying_put FOLDER POINT`.

POINT is `before`, when the file is about to be written, `written`, when it is and the record of it is
not committed yet, or `recorded`, when it is and nothing else was done.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from brain.config import digest_of
from brain.runtime import putting
from tests.crash.dying_calls import die
from tests.flows.world import grant, open_world, sample


def dies_before(do: Callable[..., Any]) -> Callable[..., None]:
    def dying(*_: Any) -> None:
        die()

    return dying


def dies_after(do: Callable[..., Any]) -> Callable[..., None]:
    def dying(*given: Any) -> None:
        do(*given)
        die()

    return dying


async def main(folder: Path, point: str) -> None:
    async with open_world(folder, sample()) as world:
        reload = world.runtime.reload
        match point:
            case "before":
                putting.replace_file = dies_before(putting.replace_file)
            case "written":
                putting.replace_file = dies_after(putting.replace_file)
            case "recorded":
                reload._put_in_force = dies_before(reload._put_in_force)  # type: ignore[method-assign]
        now = (folder / "brain.json").read_bytes()
        document = grant(sample(), "memory_note", "allow")
        await reload.put(json.dumps(document).encode(), expected=digest_of(now))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
