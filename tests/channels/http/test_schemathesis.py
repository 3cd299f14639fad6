"""The document for programs against the real server: schemathesis asks what it allows, and what not."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.servers import ollama_server
from tests.cli.test_serve import CONFIG, ask, serving, token
from tests.flows.world import sample

EXAMPLES = 40
LIMIT_SECONDS = 900

# A body that is a config is judged as one: 422 with its problems, whatever a schema says. The last of
# a chat's messages has to be the user's, which no schema of one message can say.
SETTINGS = """
[[operations]]
include-path = "/v1/conversations/{{conversation_id}}"
parameters = {{ "path.conversation_id" = "{conversation_id}" }}

[[operations]]
include-path = "/v1/conversations/{{conversation_id}}/turns"
parameters = {{ "path.conversation_id" = "{conversation_id}" }}

[[operations]]
include-path = "/v1/config"
checks.missing_required_header.expected-statuses = [428]
checks.positive_data_acceptance.enabled = false

[[operations]]
include-path = "/v1/config/replay"
checks.positive_data_acceptance.enabled = false

[[operations]]
include-path = "/v1/chat/completions"
checks.positive_data_acceptance.enabled = false
"""


@pytest.mark.long
@pytest.mark.timeout(LIMIT_SECONDS + 60)
def test_schemathesis_finds_nothing_that_the_document_does_not_say(tmp_path: Path) -> None:
    note = '{"calls": [{"name": "memory_note", "arguments": {"note": "takes tea"}}]}'
    with ollama_server("--model", "llama3.2", "--reply", note, "--reply", "Hello.") as url:
        program = Program(folder=tmp_path, environ={"OLLAMA_HOST": url})
        channels = [{"type": "console"}, {"type": "http"}]
        program.write("talk.json", sample(channels=channels, server={"addr": "127.0.0.1:0"}))
        with serving(program) as (process, stderr, port):
            said = {"conversation": "main", "text": "Remember: tea."}
            ask(program, port, "POST", "/v1/messages", said)
            (talk,) = ask(program, port, "GET", "/v1/conversations")["conversations"]
            paths = ask(program, port, "GET", "/openapi.json")["paths"]
            settings = SETTINGS.format(conversation_id=talk["conversation_id"])
            (tmp_path / "schemathesis.toml").write_text(settings, encoding="utf-8")
            done = subprocess.run(
                [
                    *(sys.executable, "-m", "schemathesis.cli", "run"),
                    f"http://127.0.0.1:{port}/openapi.json",
                    *("--header", f"Authorization: Bearer {token(program)}"),
                    *("--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES)),
                    *("--seed", "1", "--no-color", "--suppress-health-check", "all"),
                ],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=LIMIT_SECONDS,
                check=False,
            )
            process.terminate()
            log = stderr.rest().decode()
    rows = program.run("activity", "--verify", *CONFIG)

    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    every = sum(map(len, paths.values())) - 1  # it leaves out where it has the document from
    assert f"✅ {every} passed" in done.stdout, done.stdout[-2000:]
    assert "Traceback" not in log
    assert rows.returncode == 0, rows.stdout
