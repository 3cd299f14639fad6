"""Every road that a word of a talk can take, and the places outside that talk where none arrives."""

import json
import logging
from pathlib import Path
from typing import Any, get_args

import pytest

from brain.records import Mode
from brain.transfer import Selection
from tests.channels.http.client import Served, open_served
from tests.channels.http.test_canary import CANARY, OUTSIDE, SAVES_IT, pour
from tests.channels.http.test_messages import message
from tests.channels.webhook.hooks import hooked, post
from tests.channels.webhook.receiver import Receiver, open_receiver
from tests.flows.world import grant
from tests.forgetting.job import finished

BRAIN = "/v1/brains/assistant"
OWN = f"?channel=http&conversation={CANARY}"
HELD = f"?channel=http&conversation=gate/{CANARY}"
WHAT = ("conversations", "notes", "rehearsals")

OF_CONFIG = "mombasa-canary"
"""What stands in a config that is refused: the owner is told of it where the last reload is told of."""

ALWAYS = {
    "config_rejected",
    "exported",
    "forgetting_begun",
    "forgotten",
    "imported",
    "message_dropped",
    "message_received",
    "notes_cleared",
    "recalled",
    "reply_sent",
    "session_started",
}
"""What has to be on record in any mode, or the canary was not poured there."""

STORED = {"note_stored", "note_dropped"}
REHEARSED = {"tool_shadowed", "rehearsal_kept", "rehearsal_dropped"}
IN_MODE: dict[Mode, set[str]] = {
    "allow": STORED | REHEARSED | {"tool_used"},  # what an untrusted sender wrote holds the call
    "shadow": STORED | REHEARSED | {"rehearsal_promoted"},
    "deny": {"tool_denied"},
}


async def say(served: Served, text: str, **headers: str) -> Any:
    return (
        await served.client.ask(
            "POST", "/v1/messages", message(text, conversation=CANARY), **headers
        )
    ).json


async def talk_and_judge(served: Served) -> None:
    """Have the model note the canary, judge what it rehearsed, and quote it into another session."""
    ask = served.client.ask
    await say(served, f"I am {CANARY}", X_Idempotency_Key=CANARY)
    await say(served, f"I am {CANARY}", X_Idempotency_Key=CANARY)
    for where in (OWN, HELD):
        await ask("GET", f"{BRAIN}/rehearsals{where}")
    await ask("POST", f"{BRAIN}/rehearsals/1/promote{OWN}")
    await ask("DELETE", f"{BRAIN}/rehearsals/1{HELD}")
    await say(served, "/new")
    quoted = await say(served, "/recall")
    assert quoted["text"].startswith("Recalled ")


async def refuse_a_config(served: Served) -> None:
    """Put a config whose keys and values are a canary in the place of the one in force."""
    ask = served.client.ask
    tag = (await ask("GET", "/v1/config")).headers["etag"]
    name = OF_CONFIG
    named = {name: name, "brains": [{"name": name, name: {name: name}}], "log": {"level": name}}
    answer = await ask("PUT", "/v1/config", named, If_Match=tag)
    assert answer.status == 422
    outcome = await served.world.runtime.reload.apply(json.dumps(named).encode())
    assert outcome.kind == "rejected"


async def take_it_over_a_webhook(served: Served, receiver: Receiver) -> list[str]:
    """Have a webhook deliver the canary, after a failure; return what stood in between."""
    receiver.answers += [500]
    said = {"conversation": CANARY, "sender": CANARY, "text": f"I am {CANARY}", "id": CANARY}
    taken = await post(served, said, X_Idempotency_Key=CANARY)
    again = await post(served, said, X_Idempotency_Key=CANARY)
    refused = await post(served, {CANARY: CANARY})
    await receiver.until(1)
    between = [
        (await served.client.ask("GET", path)).body.decode() for path in ("/readyz", "/metrics")
    ]
    found = await receiver.after(2, served.world.clock)
    assert CANARY in found[-1].body["text"]
    return [*between, *(answer.body.decode() for answer in (taken, again, refused))]


async def take_it_away_and_back(served: Served, folder: Path) -> None:
    """Export what is kept, forget it in every way there is over HTTP, and import it again."""
    ask, desk, file = served.client.ask, served.world.runtime.desk(CANARY), folder / CANARY
    await ask("POST", f"{BRAIN}/notes{OWN}", {"text": f"{CANARY} of mine"})
    await ask("POST", f"{BRAIN}/notes{OWN}", {"text": f"{CANARY} of others"})
    await desk.export(file, selection=Selection(what=WHAT))
    listed = (await ask("GET", f"{BRAIN}/notes{OWN}")).json["notes"]
    for note in listed[:1]:
        await ask("DELETE", f"{BRAIN}/notes/{note['number']}{OWN}")
    await ask("DELETE", f"{BRAIN}/notes{OWN}")
    for talk in (await ask("GET", "/v1/conversations")).json["conversations"]:
        await ask("DELETE", f"/v1/conversations/{talk['conversation_id']}")
    await finished(served.world.runtime.store, served.world.clock)
    await desk.import_file(file, what=WHAT, without_refused=True)


@pytest.mark.proves("P9")
@pytest.mark.parametrize("mode", get_args(Mode))
async def test_no_word_of_a_talk_leaves_it_on_any_road(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    mode: Mode,
) -> None:
    caplog.set_level(logging.DEBUG)
    replies = [SAVES_IT, f"Yes, {CANARY}.", f"Again {CANARY}."] + [SAVES_IT, f"Yes, {CANARY}."] * 2
    async with open_receiver() as receiver:
        document = grant(hooked(receiver.url), "memory_note", mode)
        async with open_served(tmp_path, document, replies) as served:
            async with served.client.stream("/v1/activity?after=0") as stream:
                outside = await pour(served)
                await talk_and_judge(served)
                await refuse_a_config(served)
                outside += await take_it_over_a_webhook(served, receiver)
                await take_it_away_and_back(served, tmp_path)
                answers = [await served.client.ask("GET", path) for path in OUTSIDE]
                frames = await stream.events(answers[0].json["head"])
            types = {str(event[0]) for event in await served.world.events("type")}

    kept = capsys.readouterr()
    told = dict(zip(OUTSIDE, (answer.body.decode() for answer in answers), strict=True))
    elsewhere = [str(frames), kept.out, kept.err, *(each.getMessage() for each in caplog.records)]
    assert [text for text in (*outside, *told.values(), *elsewhere) if CANARY in text] == []
    assert [path for path, text in told.items() if OF_CONFIG in text] == ["/readyz"]
    assert [text for text in elsewhere if OF_CONFIG in text] == []
    assert (ALWAYS | IN_MODE[mode]) - types == set()
