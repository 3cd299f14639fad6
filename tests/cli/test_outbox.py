"""`brain outbox` and `brain status`: what waits on webhook channels, from the shell."""

import json
from pathlib import Path

from tests.channels.webhook.receiver import open_receiver
from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED
from tests.cli.test_serve import CONFIG, serving
from tests.crash.test_webhooks import TOKENS, hooked, post, waiting


async def test_what_waits_is_listed_retried_and_discarded(tmp_path: Path) -> None:
    program = Program(folder=tmp_path, environ={**ALLOW_SCRIPTED, **TOKENS})
    async with open_receiver() as receiver:
        url = receiver.url
    program.write("talk.json", hooked(url))  # nothing listens there any more
    with serving(program) as (_, _, port):
        ids = [post(port, talk, talk)["exchange_id"] for talk in ("one", "two")]
        status = program.run("status", *CONFIG)
    both = waiting(program)
    table = program.run("outbox", "list", *CONFIG)
    unknown = program.run("outbox", "discard", ids[0], "nothing", *CONFIG)
    nothing = program.run("outbox", "discard", *CONFIG)
    retried = program.run("outbox", "retry", ids[0], *CONFIG)
    discarded = program.run("outbox", "discard", ids[0], *CONFIG)
    rest = waiting(program)
    whole = program.run("outbox", "discard", "--channel", "webhook", *CONFIG)
    empty = waiting(program)

    assert "  webhook    webhook: " in status.stdout
    assert {each["id"]: (each["channel"], each["conversation"]) for each in both} == {
        ids[0]: ("webhook", "one"),
        ids[1]: ("webhook", "two"),
    }
    assert "0 unanswered, 2 undelivered, 0 given up" in table.stderr
    assert "Hello." not in table.stdout + json.dumps(both)
    assert all(each in table.stdout for each in ids)
    assert (unknown.returncode, "'nothing'" in unknown.stderr) == (1, True)
    assert nothing.returncode == 2
    assert retried.stdout == "1 reply is due now; brain serve delivers\n"
    assert discarded.stdout == "discarded 1\n"
    assert [each["id"] for each in rest] == ids[1:]
    assert whole.stdout == "discarded 1\n"
    assert empty == []


def test_a_variable_that_is_not_set_is_told_before_anything_is_started(tmp_path: Path) -> None:
    program = Program(folder=tmp_path, environ=ALLOW_SCRIPTED)
    program.write("talk.json", hooked("http://127.0.0.1:9/replies"))

    done = program.run("serve", *CONFIG)

    assert done.returncode == 2
    assert "the environment variable 'HOOK' is not set" in done.stderr
    assert "Traceback" not in done.stderr
