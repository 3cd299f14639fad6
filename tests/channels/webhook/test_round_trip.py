"""A message posted to a webhook, and its reply posted back: over real sockets, both ways."""

from pathlib import Path

from brain.models import CallDelta, Done
from brain.records import ToolCall
from tests.channels.http.client import open_served
from tests.channels.webhook.hooks import hooked, post, said
from tests.channels.webhook.receiver import open_receiver
from tests.flows.world import grant

SAVES = (
    CallDelta(call=ToolCall(id="1", name="memory_note", arguments={"note": "takes tea"})),
    Done(reason="stop"),
)


async def test_a_message_is_accepted_and_its_reply_posted_with_its_effects(tmp_path: Path) -> None:
    async with open_receiver() as receiver:
        document = grant(hooked(receiver.url), "memory_note", "allow")
        async with open_served(tmp_path, document, [SAVES, "Noted."]) as served:
            answer = await post(served, said("Remember: tea."), X_Idempotency_Key="m-1")
            taken = (await receiver.until(1))[0]

    exchange_id = answer.json["exchange_id"]
    assert (answer.status, answer.json["status"]) == (202, "accepted")
    assert taken.path == "/replies"
    assert taken.headers["authorization"] == "Bearer out-token"
    assert taken.headers["content-type"] == "application/json"
    assert taken.headers["x-idempotency-key"] == exchange_id
    assert {key: taken.body[key] for key in taken.body if key not in ("at", "model")} == {
        "channel": "hook",
        "conversation": "c1",
        "sender": "ana",
        "in_reply_to": "m-1",
        "text": "Noted.",
        "outcome": "answered",
        "ended": "stop",
        "effects": [{"kind": "saved", "number": 1, "reason": "", "line": "saved note 1"}],
        "truth": "",
        "notices": [],
        "exchange_id": exchange_id,
        "code": "",
        "lines": ["[brain] saved note 1"],
    }
