"""`brain serve` as a process: what it says, what it refuses, and how it ends."""

import http.client
import json
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.cli.talks import ALLOW_SCRIPTED, talks
from tests.cli.terminals import WAIT_SECONDS, Reader, talking, told
from tests.flows.saving import by_rename

CONFIG = ("--config", "talk.json")
FOLDER = "state"


@pytest.fixture
def scripted(program: Program) -> Program:
    return Program(folder=program.folder, environ=ALLOW_SCRIPTED)


def config(*replies: Any, **more: Any) -> dict[str, Any]:
    root = {
        "storage": {"path": f"{FOLDER}/brain.db"},
        "channels": [{"type": "console"}, {"type": "http"}],
        "server": {"addr": "127.0.0.1:0"},
    }
    return talks(*replies, **{**root, **more})


@contextmanager
def serving(
    program: Program, *, module: str = "brain"
) -> Iterator[tuple[subprocess.Popen[bytes], Reader, int]]:
    with talking(program, "serve", *CONFIG, module=module) as process:
        stderr = told(process)
        line = stderr.until(b"serving at http://127.0.0.1:")
        while not line.endswith(b"\n"):
            line += stderr.until(b"\n")
        port = int(line.rpartition(b":")[2])
        yield process, stderr, port


def token(program: Program) -> str:
    return (program.folder / FOLDER / "server.token").read_text(encoding="ascii").strip()


def ask(program: Program, port: int, method: str, path: str, value: Any = None) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
    headers = {"Authorization": f"Bearer {token(program)}"}
    body = None if value is None else json.dumps(value)
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request(method, path, body, headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def say(program: Program, port: int, text: str) -> Any:
    return ask(program, port, "POST", "/v1/messages", {"conversation": "main", "text": text})


def test_it_serves_and_ends_orderly_on_sigterm_with_its_end_on_record(scripted: Program) -> None:
    scripted.write("talk.json", config("Hello."))

    with serving(scripted) as (process, _, port):
        reply = say(scripted, port, "hi")
        address = (scripted.folder / FOLDER / "server.address").read_text(encoding="ascii")
        process.send_signal(signal.SIGTERM)
        code = process.wait(WAIT_SECONDS)

    events = json.loads(scripted.run("activity", "--json", *CONFIG).stdout)
    assert (reply["text"], code) == ("Hello.", 0)
    assert address == f"http://127.0.0.1:{port}\n"
    assert not (scripted.folder / FOLDER / "server.address").exists()
    assert events[-1]["type"] == "runtime_stopped"


def test_a_second_one_on_the_same_store_is_refused(scripted: Program) -> None:
    scripted.write("talk.json", config("Hello."))

    with serving(scripted):
        second = scripted.run("serve", *CONFIG)

    assert second.returncode == 1
    assert "already serves the store" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_port_in_use_and_a_loose_token_are_named_and_nothing_is_started(
    scripted: Program,
) -> None:
    scripted.write("talk.json", config("Hello."))
    with serving(scripted) as (_, _, port):
        other = config(storage={"path": "other/brain.db"}, server={"addr": f"127.0.0.1:{port}"})
        scripted.write("other.json", other)
        taken = scripted.run("serve", "--config", "other.json")
    (scripted.folder / FOLDER / "server.token").chmod(0o644)

    loose = scripted.run("serve", *CONFIG)

    assert [done.returncode for done in (taken, loose)] == [1, 1]
    assert f"port {port} of 127.0.0.1 is in use" in taken.stderr
    assert "can be read by others (mode 0644, expected 0600)" in loose.stderr
    assert "Traceback" not in taken.stderr + loose.stderr


@pytest.mark.parametrize(
    ("in_the_way", "told"),
    [
        ("server.token", "the operator's token at {path!r} can't be read"),
        ("server.address", "where the server listens can't be kept at {path!r}"),
        ("", "the data folder '/proc/brain' can't be made"),
    ],
)
def test_a_folder_in_which_nothing_can_be_kept_is_named_and_nothing_is_started(
    scripted: Program, in_the_way: str, told: str
) -> None:
    path = scripted.folder / FOLDER / in_the_way
    path.mkdir(parents=True)
    storage = {"path": f"{FOLDER}/brain.db" if in_the_way else "/proc/brain/brain.db"}
    if not in_the_way and not Path("/proc").exists():
        pytest.skip("no /proc here, in which nobody can make a folder")
    scripted.write("talk.json", config("Hello.", storage=storage))

    done = scripted.run("serve", *CONFIG)

    assert done.returncode == 1
    assert told.format(path=str(path)) in done.stderr
    assert "nothing was started" in done.stderr
    assert "fix: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.proves("P10")
def test_a_save_is_applied_while_it_serves(scripted: Program) -> None:
    scripted.write("talk.json", config("Hello.", mode="shadow"))

    with serving(scripted) as (_, stderr, port):
        by_rename(scripted.folder / "talk.json", config("Hello.", mode="allow"))
        stderr.until(b"config applied: brains[0].agent.governance[1].mode")
        ready = ask(scripted, port, "GET", "/readyz")

    assert ready["last_reload"]["kind"] == "applied"


def test_a_token_of_the_environment_takes_the_place_of_the_kept_one(scripted: Program) -> None:
    scripted.write(
        "talk.json", config("Hello.", server={"addr": "127.0.0.1:0", "token_env": "MY_TOKEN"})
    )
    environ = {**ALLOW_SCRIPTED, "MY_TOKEN": "from-the-environment"}

    with serving(Program(folder=scripted.folder, environ=environ)):
        made: list[Path] = list((scripted.folder / FOLDER).glob("server.token"))

    assert made == []


def at_port_with_token(**server: Any) -> dict[str, Any]:
    return config("Hello.", server={"addr": "127.0.0.1:0", **server})


def with_token(port: int, shown: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
    connection.request("GET", "/v1/brains", headers={"Authorization": f"Bearer {shown}"})
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_token_is_the_one_of_its_variable_without_the_new_line_behind_it(
    scripted: Program,
) -> None:
    tokens = [{"name": "ana", "token_env": "TOKEN_ANA", "role": "operator"}]
    scripted.write("talk.json", at_port_with_token(token_env="MY_TOKEN", tokens=tokens))
    environ = {**ALLOW_SCRIPTED, "MY_TOKEN": "mine\n", "TOKEN_ANA": " hers \r\n"}
    program = Program(folder=scripted.folder, environ=environ)

    checked = program.run("check", *CONFIG)
    with serving(program) as (_, _, port):
        opened = program.run("open", "--print", *CONFIG)
        found = [with_token(port, shown) for shown in ("mine", "hers", "other")]

    assert checked.returncode == 0, checked.stderr
    assert opened.returncode == 0, opened.stderr
    assert found == [200, 200, 401]


def test_a_token_that_no_header_carries_is_a_problem_at_check_start_and_reload(
    scripted: Program,
) -> None:
    scripted.write("bad.json", at_port_with_token(token_env="BAD_TOKEN"))
    scripted.write("talk.json", at_port_with_token(token_env="MY_TOKEN"))
    environ = {**ALLOW_SCRIPTED, "MY_TOKEN": "mine", "BAD_TOKEN": "clé"}
    program = Program(folder=scripted.folder, environ=environ)

    ended = [program.run(verb, "--config", "bad.json") for verb in ("check", "serve")]
    with serving(program) as (_, stderr, port):
        by_rename(scripted.folder / "talk.json", at_port_with_token(token_env="BAD_TOKEN"))
        told = stderr.until(b"holds what no HTTP header carries")
        still = with_token(port, "mine")

    assert [done.returncode for done in ended] == [2, 2]
    for done in ended:
        assert "'BAD_TOKEN' holds what no HTTP header carries" in done.stdout + done.stderr
        assert "clé" not in done.stdout + done.stderr
    assert b"server.token_env" in told
    assert still == 200


def test_a_save_that_drops_the_variable_of_the_token_lets_the_kept_one_count(
    scripted: Program,
) -> None:
    scripted.write("talk.json", at_port_with_token(token_env="MY_TOKEN"))
    environ = {**ALLOW_SCRIPTED, "MY_TOKEN": "from-the-environment"}

    with serving(Program(folder=scripted.folder, environ=environ)) as (_, stderr, port):
        before = with_token(port, "from-the-environment")
        by_rename(scripted.folder / "talk.json", at_port_with_token())
        stderr.until(b"config applied: server.token_env")
        opened = scripted.run("open", "--print", *CONFIG)
        after = with_token(port, token(scripted)), with_token(port, "from-the-environment")

    assert (before, after) == (200, (200, 401))
    assert opened.returncode == 0, opened.stderr
    kept = scripted.folder / FOLDER / "server.token"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_kept_token_that_others_can_read_is_named_when_a_save_needs_it(
    scripted: Program,
) -> None:
    scripted.write("talk.json", at_port_with_token(token_env="MY_TOKEN"))
    environ = {**ALLOW_SCRIPTED, "MY_TOKEN": "from-the-environment"}
    kept = scripted.folder / FOLDER / "server.token"

    with serving(Program(folder=scripted.folder, environ=environ)) as (_, stderr, port):
        kept.write_text("a-token-for-all", encoding="ascii")
        kept.chmod(0o644)
        by_rename(scripted.folder / "talk.json", at_port_with_token())
        told = stderr.until(b"then start brain serve anew")
        refused = with_token(port, "a-token-for-all")

    assert b"can be read by others (mode 0644, expected 0600); the operator has no token" in told
    assert refused == 401


def test_open_gives_an_address_with_a_code_that_signs_a_page_in(scripted: Program) -> None:
    scripted.write("talk.json", config("Hello."))

    none = scripted.run("open", "--print", *CONFIG)
    with serving(scripted) as (_, _, port):
        done = scripted.run("open", "--print", *CONFIG)
        address, _, code = done.stdout.strip().partition("/#code=")
        signed_in = ask(scripted, port, "POST", "/v1/sign-in/redeem", {"code": code})

    assert none.returncode == 4
    assert "start it with brain serve" in none.stderr
    assert (done.returncode, address) == (0, f"http://127.0.0.1:{port}")
    assert len(signed_in["token"]) >= 40


def test_a_server_that_is_switched_off_is_told_with_what_to_change(scripted: Program) -> None:
    scripted.write("talk.json", config("Hello.", server={"enabled": False}))

    done = scripted.run("serve", *CONFIG)

    assert done.returncode == 2
    assert "server.enabled is false" in done.stderr
    assert not (scripted.folder / FOLDER).exists()
