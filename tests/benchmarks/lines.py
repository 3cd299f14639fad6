"""A line of output: what was measured, what it is measured against, and how busy the machine was."""

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Load", "percentile", "print_line", "watched_load"]

_STAT = Path("/proc/stat")
_IDLE = (3, 4)  # idle and iowait, among the fields of /proc/stat


@dataclass
class Load:
    """How many processors others kept busy meanwhile; None where the system does not say."""

    others: float | None = None


@contextmanager
def watched_load(server_pid: int | None = None) -> Iterator[Load]:
    """Measure what others did while the block ran; its own server does not count among them."""
    load = Load()
    before, began, own = _busy_seconds(), time.monotonic(), _own_seconds(server_pid)
    yield load
    after, seconds = _busy_seconds(), time.monotonic() - began
    if before is not None and after is not None and seconds > 0:
        busy = after - before - (_own_seconds(server_pid) - own)
        load.others = round(max(0.0, busy / seconds), 2)


def _busy_seconds() -> float | None:
    if not _STAT.exists():
        return None
    ticks = [int(field) for field in _STAT.read_text().splitlines()[0].split()[1:9]]
    busy = sum(tick for index, tick in enumerate(ticks) if index not in _IDLE)
    return busy / float(os.sysconf("SC_CLK_TCK"))


def _own_seconds(server_pid: int | None) -> float:
    times = os.times()
    own = times.user + times.system + times.children_user + times.children_system
    stat = Path(f"/proc/{server_pid}/stat")
    if server_pid is None or not stat.exists():
        return own
    fields = stat.read_bytes().rsplit(b")", 1)[1].split()
    return own + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of `values` do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def print_line(
    name: str, *, value: float, target: float, load: Load, at_least: bool = False, **more: Any
) -> None:
    """Print one result. `target` is the most that `value` may be, or the least where `at_least`."""
    is_met = value >= target if at_least else value <= target
    line = {
        "benchmark": name,
        "value": round(value, 4),
        "target": target,
        "wanted": "at least" if at_least else "at most",
        "met": is_met,
        **{key: _rounded(each) for key, each in more.items()},
        "others_cpus": load.others,
        "load_average": round(os.getloadavg()[0], 2),
    }
    print(json.dumps(line), flush=True)  # noqa: T201 - its output


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
