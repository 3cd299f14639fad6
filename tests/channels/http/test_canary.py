"""No word of a person, a model or a stranger gets into feed, metrics, standing, errors or logs."""

import logging
from pathlib import Path

import pytest

from brain.models import CallDelta, Done
from brain.records import ToolCall
from tests.channels.http.client import Served, open_served, web
from tests.channels.http.test_messages import message
from tests.flows.world import grant

CANARY = "zanzibar-canary"
SAVES_IT = (
    CallDelta(call=ToolCall(id="1", name="memory_note", arguments={"note": f"knows {CANARY}"})),
    CallDelta(call=ToolCall(id="2", name=CANARY, arguments={CANARY: CANARY})),
    Done(reason="stop"),
)


async def pour(served: Served) -> list[str]:
    """Put the canary wherever a stranger can; return the refusals of what was refused."""
    ask = served.client.ask
    said = message(f"I am {CANARY}", conversation=CANARY, sender=CANARY)
    await ask("POST", "/v1/messages", said, bearer="gate-token", X_Idempotency_Key=CANARY)
    notes = f"/v1/brains/assistant/notes?channel=http&conversation={CANARY}"
    await ask("POST", notes, {"text": CANARY})
    await ask(
        "POST",
        "/v1/chat/completions",
        {
            "model": "assistant",
            "user": CANARY,
            "messages": [
                {"role": "system", "content": CANARY},
                {"role": "user", "content": CANARY},
            ],
        },
    )
    refused = [
        await ask("GET", f"/{CANARY}"),
        await ask("GET", "/v1/brains", bearer=CANARY),
        await ask("GET", f"/v1/brains/{CANARY}/notes"),
        await ask("GET", f"/v1/conversations/{CANARY}"),
        await ask("GET", f"/v1/activity?type={CANARY}"),
        await ask("POST", "/v1/messages", message(CANARY * 20_000)),
        await ask("POST", "/v1/messages", body=f'{{"text": "{CANARY}'.encode()),
        await ask("POST", "/v1/messages", message("hi", brain=CANARY)),
        await ask("POST", "/v1/messages", message("hi", channel=CANARY)),
        await ask("POST", "/v1/sign-in/redeem", {"code": CANARY}, bearer=""),
        await ask("GET", "/v1/brains", Host=CANARY),
        await ask("GET", "/v1/brains", Origin=f"http://{CANARY}"),
        await ask("PUT", "/v1/config", {"x": 1}, If_Match=CANARY),
    ]
    assert all(answer.status >= 400 for answer in refused)
    return [answer.body.decode() for answer in refused]


@pytest.mark.proves("P9")
async def test_no_word_of_a_talk_leaves_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    document = grant(web(), "memory_note", "allow")
    replies = [SAVES_IT, f"Yes, {CANARY}.", f"Again {CANARY}."]

    async with open_served(tmp_path, document, replies) as served:
        async with served.client.stream("/v1/activity?after=0") as stream:
            refused = await pour(served)
            answers = [
                await served.client.ask("GET", path)
                for path in ("/v1/activity?after=0", "/metrics", "/readyz", "/v1/brains")
            ]
            head = answers[0].json["head"]
            frames = await stream.events(head)
        notes = await served.client.ask(
            "GET", f"/v1/brains/assistant/notes?channel=http&conversation=gate/{CANARY}"
        )

    kept = capsys.readouterr()
    outside = [*refused, *(answer.body.decode() for answer in answers), str(frames)]
    outside += [kept.out, kept.err, *(record.getMessage() for record in caplog.records)]
    assert [text for text in outside if CANARY in text] == []
    assert CANARY in notes.body.decode()
    assert len(frames) == head
