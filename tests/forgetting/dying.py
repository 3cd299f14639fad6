"""`brain forget`, killed by itself at one point of its job: python -m tests.forgetting.dying POINT WORDS…

The product has no hook for it: what stands at the point is replaced from outside.
"""

import asyncio
import os
import signal
import sys
from typing import Any

from brain.cli.app import run_line
from brain.runtime import cleaning
from brain.store import searching
from brain.store.sqlite import store


async def die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    await asyncio.Event().wait()


async def search_and_die(*words: Any, **named: Any) -> None:
    await searching.search_files(*words, **named)
    await die()


def main() -> None:
    point, *words = sys.argv[1:]
    match point:
        case "rows gone":
            cleaning.Cleaner._finish = die  # type: ignore[assignment]
        case "history stripped":
            store.SqliteStore.rewrite = die  # type: ignore[method-assign]
        case "database written anew":
            store.SqliteStore.empty_log = die  # type: ignore[method-assign, assignment]
        case "log emptied":
            cleaning.search_files = die  # type: ignore[assignment]
        case "searched":
            cleaning.search_files = search_and_die  # type: ignore[assignment]
        case _:
            raise ValueError(point)
    run_line(words)


if __name__ == "__main__":
    main()
