"""A store that fails names its file to the operator and to the log, and to nobody else."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from brain.store.sqlite import opening
from tests.channels.http.client import Client, open_served
from tests.channels.http.test_messages import message
from tests.channels.webhook.hooks import hooked, post, said
from tests.channels.webhook.receiver import open_receiver
from tests.flows.test_store_in_trouble import lock_held_elsewhere, taken_away

COMMANDS = ("/notes", "/notes clear", "/recall", "/new", "/tools", "/why", "/activity", "/help")
NOTES = "/v1/brains/assistant/notes?conversation=main"


async def everything(client: Client, bearer: str) -> dict[str, str]:
    """Return what comes back of all that this token may ask."""
    stream = {"Accept": "text/event-stream"}
    asked: dict[str, tuple[str, str, Any, dict[str, str]]] = {
        **{text: ("POST", "/v1/messages", message(text), {}) for text in ("Hello", *COMMANDS)},
        "as it comes": ("POST", "/v1/messages", message("Hello"), stream),
        "apart": ("POST", "/v1/chat/completions", completion(), {}),
        "in a talk": ("POST", "/v1/chat/completions", completion(), {"X_Conversation_Id": "main"}),
        "apart as it comes": ("POST", "/v1/chat/completions", completion(stream=True), {}),
        "listing": ("GET", NOTES, None, {}),
        **{path: ("GET", path, None, {}) for path in ("/readyz", "/v1/brains", "/metrics")},
    }
    return {
        name: (await client.ask(method, path, value, bearer=bearer, **headers)).body.decode()
        for name, (method, path, value, headers) in asked.items()
    }


def completion(**more: Any) -> Any:
    return {"model": "assistant", "messages": [{"role": "user", "content": "Hello"}], **more}


@pytest.mark.proves("P9")
@pytest.mark.parametrize("trouble", [lock_held_elsewhere, taken_away])
async def test_a_store_that_fails_names_no_file_to_those_who_do_not_run_brain(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    trouble: Callable[[Path], AbstractContextManager[None]],
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.01)
    async with (
        open_receiver() as receiver,
        open_served(tmp_path, hooked(receiver.url), ["Hello."] * 20) as served,
    ):
        with trouble(tmp_path):
            told = await everything(served.client, "ana-token")
            told |= {"gateway": str(await everything(served.client, "gate-token"))}
            hook = await post(served, said("Hello", id="1"))
            told |= {"webhook": hook.body.decode()}
            operators = await everything(served.client, served.client.token)
    log = capsys.readouterr().err

    assert {name for name, text in told.items() if str(tmp_path) in text or "SQL" in text} == set()
    assert "operator's log says why" in told["Hello"]
    assert str(tmp_path) in operators["Hello"]
    assert str(tmp_path) in operators["/readyz"]
    assert str(tmp_path / "state" / "brain.db") in log
