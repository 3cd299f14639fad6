"""`python -m tests.benchmarks [NAME …] [--quick]`: measure beside yardsticks, one JSON line a result.

Every comparison is made in one run, its sides in alternating rounds, against a model server that
answers at once. On a machine that others use too the ratios, the CPU time and the counts are what
can be quoted; each line says how many processors others kept busy meanwhile.
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence

from tests.benchmarks import exchanges, feed, growth, parts, processes, reload
from tests.benchmarks.server import running_server

Benchmark = Callable[..., Awaitable[None]]

BENCHMARKS: dict[str, Benchmark] = {
    "plain": exchanges.plain,
    "tool": exchanges.with_note,
    "at_once": exchanges.at_once,
    "first_token": exchanges.first_token,
    "reload": reload.reload,
    "commits": parts.waits_for_disk,
    "events": parts.durable_events,
    "feed": feed.feed,
    "decision": parts.decision,
    "start": processes.start,
    "check": processes.check,
    "memory": processes.memory,
    "growth": growth.growth,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description=__doc__.splitlines()[0]
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="fewer rounds, for a first look")
    chosen = parser.parse_args(arguments)
    for name in chosen.names:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name!r}; there are: {', '.join(BENCHMARKS)}")
    for name in chosen.names or BENCHMARKS:
        with running_server() as server:
            asyncio.run(BENCHMARKS[name](server, is_quick=chosen.quick))
    return 0


if __name__ == "__main__":
    sys.exit(main())
