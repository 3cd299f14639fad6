"""No word of a person, a model or a stranger gets into feed, metrics, standing, errors or logs."""

import logging
from pathlib import Path

import pytest

from brain.models import CallDelta, Done
from brain.records import ToolCall
from tests.channels.http.client import Client, Served, open_served, web
from tests.channels.http.test_messages import message
from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED, saves
from tests.cli.test_serve import CONFIG, config, serving, token
from tests.flows.world import grant
from tests.page.words import PAGE

CANARY = "zanzibar-canary"
SAVES_IT = (
    CallDelta(call=ToolCall(id="1", name="memory_note", arguments={"note": f"knows {CANARY}"})),
    CallDelta(call=ToolCall(id="2", name=CANARY, arguments={CANARY: CANARY})),
    Done(reason="stop"),
)


OUTSIDE = (
    "/v1/activity?after=0",
    "/metrics",
    "/readyz",
    "/healthz",
    "/openapi.json",
    "/v1/brains",
    "/v1/brains/assistant/tools",
    "/v1/models",
    "/v1/config",
    "/",
    *(f"/page/{file.name}" for file in sorted(PAGE.iterdir())),
)
"""Where no word of a talk belongs: the first is the record, whose head is asked for below."""


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
            answers = [await served.client.ask("GET", path) for path in OUTSIDE]
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


def note_of(person: str) -> tuple[CallDelta | Done, ...]:
    """Return the answer that keeps what only this person may see again."""
    arguments = {"note": f"{CANARY} of {person}"}
    return (
        CallDelta(call=ToolCall(id=person, name="memory_note", arguments=arguments)),
        Done(reason="stop"),
    )


PEOPLE = ("ana", "bo", "gate")


@pytest.mark.proves("P4")
async def test_what_a_token_said_is_seen_by_no_other_token_that_is_not_the_operators(
    tmp_path: Path,
) -> None:
    document = grant(web(), "memory_note", "allow")
    replies = [each for person in PEOPLE for each in (note_of(person), f"{CANARY} of {person}")]
    seen: dict[str, str] = {}

    async with open_served(tmp_path, document, [*replies, *["Hello."] * 3]) as served:
        ask = served.client.ask
        for person in PEOPLE:
            said = message(f"I am {CANARY} of {person}")
            answer = await ask("POST", "/v1/messages", said, bearer=f"{person}-token")
            seen[person] = answer.body.decode()
        for person in PEOPLE:
            bearer = f"{person}-token"
            names = ("main", *(f"{other}/main" for other in PEOPLE))
            answers = [
                *[
                    await ask(
                        "GET",
                        f"/v1/brains/assistant/notes?conversation={name}",
                        bearer=bearer,
                    )
                    for name in names
                ],
                *[
                    await ask("POST", "/v1/messages", message(text, sender=sender), bearer=bearer)
                    for text in ("/notes", "/why", "/activity", "/recall", "/tools", "hi again")
                    for sender in ("", "ana")
                ],
                await ask("GET", "/v1/conversations", bearer=bearer),
            ]
            seen[person] += "".join(answer.body.decode() for answer in answers)
        prompts = {
            person: "".join(
                one.text
                for request in served.world.model.requests
                if f"of {person}" in str(request.messages)
                for one in request.messages
            )
            for person in PEOPLE
        }

    for person in PEOPLE:
        others = [f"{CANARY} of {other}" for other in PEOPLE if other != person]
        assert f"{CANARY} of {person}" in seen[person]
        assert [canary for canary in others if canary in seen[person] + prompts[person]] == []


@pytest.mark.proves("P9")
async def test_the_process_writes_no_word_of_a_talk_to_its_log(tmp_path: Path) -> None:
    program = Program(folder=tmp_path, environ={**ALLOW_SCRIPTED, "PYTHONASYNCIODEBUG": "1"})
    broken = {"error": "refused", "message": f"the model says {CANARY}"}
    program.write(
        "talk.json",
        config(saves(CANARY), f"Yes, {CANARY}.", broken, log={"level": "debug", "format": "json"}),
    )
    with serving(program) as (process, stderr, port):
        client = Client(port, token(program))
        for text in (CANARY, f"{CANARY} again", f"/notes add {CANARY}"):
            await client.ask("POST", "/v1/messages", message(text, conversation=CANARY))
        await client.ask("GET", f"/{CANARY}", bearer=CANARY)
        await client.ask("POST", "/v1/messages", body=f'{{"text": "{CANARY}'.encode())
        notes = await client.ask(
            "GET", f"/v1/brains/assistant/notes?channel=http&conversation={CANARY}"
        )
        process.terminate()
        log = stderr.rest().decode()
    record = program.run("activity", "--json", *CONFIG).stdout

    assert notes.body.decode().count(CANARY) > 1
    assert "stopping" in log
    assert [text for text in (log, record) if CANARY in text] == []
