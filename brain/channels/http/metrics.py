"""`GET /metrics`: what the record says, counted. Labels are from closed sets and the config."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response

from brain.activity import Resync
from brain.channels.http.bodies import query_of
from brain.channels.http.ground import Ground
from brain.channels.http.ports import Doors, EventRow
from brain.errors import StoreError
from brain.log import get_log
from brain.records import JSONValue

__all__ = ["Metrics", "metrics", "open_metrics"]

MODEL_BUCKETS: Final = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
TOOL_BUCKETS: Final = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30)
EXCHANGES: Final = {
    "reply_sent": "answered",
    "exchange_failed": "failed",
    "exchange_cancelled": "cancelled",
    "message_dropped": "dropped",
}
DELIVERIES: Final = {
    "reply_delivered": "delivered",
    "reply_delayed": "delayed",
    "reply_undelivered": "given_up",
    "reply_discarded": "discarded",
}
WAITING: Final = ("unanswered", "undelivered", "given_up")
CALLS: Final = ("tool_used", "tool_shadowed", "tool_denied", "tool_interrupted")
RETRY_SECONDS: Final = 5.0


class Metrics:
    """Counts the events that it is shown, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.seen = 0
        self._exchanges = Counter(
            "brain_exchanges", "Exchanges by how they ended.", ["brain", "outcome"],
            registry=self.registry,
        )  # fmt: skip
        self._model_seconds = Histogram(
            "brain_model_seconds", "How long model calls took.", ["model", "outcome"],
            buckets=MODEL_BUCKETS, registry=self.registry,
        )  # fmt: skip
        self._tokens = Counter(
            "brain_model_tokens", "Tokens of model calls.", ["model", "kind"],
            registry=self.registry,
        )  # fmt: skip
        self._tool_seconds = Histogram(
            "brain_tool_seconds", "How long tool calls took.", ["tool"],
            buckets=TOOL_BUCKETS, registry=self.registry,
        )  # fmt: skip
        self._decisions = Counter(
            "brain_decisions", "Decisions about tool calls.", ["tool", "effect", "rule"],
            registry=self.registry,
        )  # fmt: skip
        self._deliveries = Counter(
            "brain_deliveries", "Replies of webhook channels.", ["channel", "outcome"],
            registry=self.registry,
        )  # fmt: skip
        self._waiting = Gauge(
            "brain_waiting", "What waits on webhook channels.", ["channel", "state"],
            registry=self.registry,
        )  # fmt: skip
        self._reloads = Counter(
            "brain_reloads", "Configs that were offered.", ["outcome"], registry=self.registry
        )
        self._reload_ok = Gauge(
            "brain_last_reload_ok", "1 where the last config was applied.", registry=self.registry
        )
        self._reload_ok.set(1)
        self._notes = Gauge(
            "brain_notes", "Notes by kind of scope.", ["scope"], registry=self.registry
        )
        self._lag = Gauge(
            "brain_feed_lag", "How many events were not counted yet.", registry=self.registry
        )

    def show(self, row: EventRow) -> None:
        """Count one event."""
        kind, brain = str(row["type"]), _word(row["brain"])
        if kind in EXCHANGES:
            self._exchanges.labels(brain, EXCHANGES[kind]).inc()
        elif kind in DELIVERIES:
            self._deliveries.labels(_word(row["channel"]), DELIVERIES[kind]).inc()
        elif kind == "model_called":
            self._show_model_call(row)
        elif kind in CALLS:
            tool = _word(row["tool"])
            decided = self._decisions.labels(tool, _word(row["mode"]), _word(row["rule"]))
            decided.inc(_calls_of(row))
            if isinstance(row["latency_ms"], int):
                self._tool_seconds.labels(tool).observe(row["latency_ms"] / 1000)
        elif kind in ("config_applied", "config_rejected"):
            is_ok = kind == "config_applied"
            self._reloads.labels(kind.removeprefix("config_")).inc()
            self._reload_ok.set(int(is_ok))
        seq = row["seq"]
        self.seen = seq if isinstance(seq, int) else self.seen

    def _show_model_call(self, row: EventRow) -> None:
        model = _word(row["model"])
        if isinstance(row["latency_ms"], int):
            seconds = row["latency_ms"] / 1000
            self._model_seconds.labels(model, _word(row["outcome"])).observe(seconds)
        tokens = row["tokens"]
        for name, count in tokens.items() if isinstance(tokens, Mapping) else ():
            if isinstance(count, int):
                self._tokens.labels(model, name).inc(count)

    async def text(self, doors: Doors) -> bytes:
        """Return everything in the format of Prometheus."""
        for scope, count in (await doors.note_counts()).items():
            self._notes.labels(scope).set(count)
        for found in await doors.waiting():
            channel = _word(found["channel"])
            for state in WAITING:
                waiting = found[state]
                self._waiting.labels(channel, state).set(waiting if isinstance(waiting, int) else 0)
        self._lag.set(max(0, await doors.head() - self.seen))
        return generate_latest(self.registry)


async def metrics(request: Request, ground: Ground) -> Response:
    """Return what was counted since the server was started."""
    query_of(request)
    content = await ground.metrics.text(ground.doors)
    return Response(content, headers={"Content-Type": CONTENT_TYPE_LATEST})


@asynccontextmanager
async def open_metrics(ground: Ground) -> AsyncIterator[None]:
    """Count what happens from now on while the block lasts."""
    ground.metrics.seen = await ground.doors.head()
    counting = asyncio.create_task(_count(ground))
    try:
        yield
    finally:
        counting.cancel()
        await asyncio.gather(counting, return_exceptions=True)


async def _count(ground: Ground) -> None:
    """Count until the feed ends. Where the record can't be read, go on behind the last event."""
    is_over = False
    while not is_over:
        try:
            await _count_on(ground)
        except StoreError as error:
            get_log("http").warning("record_not_counted", error=error.message)
            await ground.clock.sleep(RETRY_SECONDS)
        else:
            is_over = True


async def _count_on(ground: Ground) -> None:
    async with aclosing(ground.doors.follow(after=ground.metrics.seen)) as batches:
        async for batch in batches:
            for item in batch:
                if isinstance(item, Resync):
                    ground.metrics.seen = item.first - 1
                else:
                    ground.metrics.show(item)


def _calls_of(row: EventRow) -> int:
    """Return how many calls an event is about: those over the budget of a reply share one."""
    counts = row["counts"]
    calls = counts.get("calls") if isinstance(counts, Mapping) else None
    return calls if isinstance(calls, int) else 1


def _word(value: JSONValue) -> str:
    return "" if value is None else str(value)
