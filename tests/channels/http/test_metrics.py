"""GET /metrics: what the record says, counted, with labels from closed sets."""

import asyncio
import re
from pathlib import Path

from prometheus_client import generate_latest

from brain.activity import FIELDS
from brain.channels.http.metrics import Metrics
from brain.models import CallDelta, Done
from tests.channels.http.client import Served, open_served, web
from tests.channels.http.test_messages import SAVES, message
from tests.flows.world import grant
from tests.tools.kit import call


async def counted(served: Served) -> str:
    """Return the text once every event was counted."""
    async with asyncio.timeout(10):
        while True:
            text = (await served.client.ask("GET", "/metrics")).body.decode()
            if "brain_feed_lag 0.0" in text:
                return text


async def test_exchanges_calls_decisions_and_notes_are_counted(tmp_path: Path) -> None:
    document = grant(web(), "memory_note", "allow")

    async with open_served(tmp_path, document, [SAVES, "Noted."]) as served:
        await served.client.ask("POST", "/v1/messages", message("Remember: tea."))
        text = await counted(served)

    assert 'brain_exchanges_total{brain="assistant",outcome="answered"} 1.0' in text
    assert 'brain_decisions_total{effect="allow",rule="allow",tool="memory_note"} 1.0' in text
    assert 'brain_model_seconds_count{model="ollama/llama3.2",outcome="ok"} 2.0' in text
    assert 'brain_notes{scope="conversation"} 1.0' in text
    assert "brain_last_reload_ok 1.0" in text


async def test_a_rejected_config_shows_until_one_is_applied(tmp_path: Path) -> None:
    async with open_served(tmp_path) as served:
        before = await served.client.ask("GET", "/v1/config")
        etag = before.headers["etag"]
        await served.client.ask("PUT", "/v1/config", body=b"{}", If_Match=etag)
        rejected = await counted(served)
        changed = grant(web(), "memory_note", "allow")
        await served.client.ask("PUT", "/v1/config", changed, If_Match=etag)
        applied = await counted(served)

    assert "brain_last_reload_ok 0.0" in rejected
    assert 'brain_reloads_total{outcome="rejected"} 1.0' in rejected
    assert "brain_last_reload_ok 1.0" in applied


async def test_no_label_is_a_word_of_a_stranger(tmp_path: Path) -> None:
    async with open_served(tmp_path, replies=["Hi."]) as served:
        await served.client.ask(
            "POST", "/v1/messages", message("hi", sender="canary"), bearer="gate-token"
        )
        text = await counted(served)

    assert "canary" not in text
    assert set(re.findall(r'(\w+)="', text)) <= {
        "brain", "outcome", "model", "le", "kind", "tool", "effect", "rule", "scope",
    }  # fmt: skip


CALLS = (
    CallDelta(call=call("memory_note", note="takes tea")),
    CallDelta(call=call("calc", expression="1/0")),
    CallDelta(call=call("calc", wrong="canary")),
    CallDelta(call=call("canary_tool", note="tea")),
    *(CallDelta(call=call("time")) for _ in range(7)),
    Done(reason="stop"),
)


async def test_each_call_whose_tool_ran_is_measured_and_no_other(tmp_path: Path) -> None:
    document = grant(grant(grant(web(), "memory_note", "allow"), "calc", "allow"), "time", "shadow")
    document["brains"][0]["agent"]["tools"].append("calc")

    async with open_served(tmp_path, document, [CALLS, "Noted."]) as served:
        await served.client.ask("POST", "/v1/messages", message("Remember: tea."))
        text = await counted(served)

    measured = dict(re.findall(r'brain_tool_seconds_count{tool="(\w+)"} (\S+)', text))
    assert measured == {"memory_note": "1.0", "calc": "1.0"}
    assert 'brain_decisions_total{effect="deny",rule="unknown_tool",tool="unknown"} 1.0' in text
    assert 'brain_decisions_total{effect="deny",rule="per_reply_budget",tool=""} 3.0' in text
    assert "canary" not in text


def test_how_long_a_tool_took_outside_is_counted() -> None:
    metrics = Metrics()
    row = dict.fromkeys(FIELDS)

    metrics.show(
        {**row, "seq": 7, "type": "tool_used", "tool": "http_fetch", "mode": "allow",
         "rule": "allow", "latency_ms": 250}
    )  # fmt: skip

    text = generate_latest(metrics.registry).decode()
    assert 'brain_tool_seconds_bucket{le="0.5",tool="http_fetch"} 1.0' in text
    assert 'brain_tool_seconds_sum{tool="http_fetch"} 0.25' in text
    assert metrics.seen == 7
