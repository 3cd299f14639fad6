"""A process that exports or imports and kills itself on the way.

    python -m tests.transfer.dying FOLDER import FILE NUMBER
    python -m tests.transfer.dying FOLDER export FILE NUMBER

`import`: at its NUMBERth commit, when the transaction is complete and not committed. `export`: when it
has written its NUMBERth line.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from brain.transfer import WHAT, Selection, writing
from tests.clocks import FakeClock
from tests.crash.worker import kill_at
from tests.transfer.world import a_desk


def kill_at_line(number: int) -> None:
    real = writing.render
    counted = 0

    def render(record: Any) -> str:
        nonlocal counted
        counted += 1
        if counted == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(record)

    writing.render = render  # type: ignore[attr-defined] # from outside: the product has no hook


async def main() -> None:
    folder, what, file, number = sys.argv[1:]
    if what == "import":
        kill_at("before_commit", int(number))
    else:
        kill_at_line(int(number))
    async with a_desk(Path(folder), FakeClock()) as desk:
        if what == "import":
            await desk.import_file(Path(file), what=WHAT, without_refused=False)
        else:
            await desk.export(Path(file), selection=Selection(what=WHAT))


if __name__ == "__main__":
    asyncio.run(main())
