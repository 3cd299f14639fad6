"""A process that makes two calls and is killed: `python -m tests.crash.dying_calls FOLDER POINT`.

POINT is `TYPE:TOOL`, the event about to be appended, or `outside`, while the tool runs, or `end`.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from brain.activity import Draft, Recorder
from brain.store import EventRow, Transaction
from tests.clocks import FakeClock
from tests.tools.kit import Fetch, call, open_desk


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody survives SIGKILL")


class DyingRecorder(Recorder):
    """Dies inside the transaction, when a certain event is about to be appended."""

    def __init__(self, point: str) -> None:
        super().__init__(run_id="dead", revision="now")
        self._point = point

    def append(self, tx: Transaction, draft: Draft) -> EventRow:
        if f"{draft.type}:{draft.tool}" == self._point:
            die()
        return super().append(tx, draft)


async def main(folder: Path, point: str) -> None:
    fetch = Fetch(does=die) if point == "outside" else Fetch()
    recorder = DyingRecorder(point)
    async with open_desk(folder, FakeClock(), fetch=fetch, recorder=recorder) as desk:
        await desk.store.write(lambda tx: tx.open_run("dead"))
        calls, _ = desk.begin()
        await calls.run([call("memory_note", note="likes tea")])
        await calls.run([call("fetch", url="a")])
        die()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
