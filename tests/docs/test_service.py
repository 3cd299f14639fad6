"""docs/service.md and its files: what of a service, an image and a proxy can be tried without them."""

import asyncio
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
import yaml

from tests.cli.program import ROOT, Program
from tests.cli.servers import ollama_server
from tests.cli.terminals import WAIT_SECONDS
from tests.docs.deployments import (
    SERVICE,
    TOKEN,
    Served,
    nginx_config,
    proxied,
    served,
    stages,
    without_remarks,
)
from tests.docs.pages import blocks
from tests.flows.saving import by_rename
from tests.ollama_server import Hold, OllamaServer, chunk, last_chunk, ndjson

PAGE = ROOT / "docs" / "service.md"
DOCKERFILE = (SERVICE / "Dockerfile").read_text(encoding="utf-8")
STAGES = stages(DOCKERFILE)
INSTALL_SECONDS = 300

T = TypeVar("T")


def program_of_this_machine(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def ask(port: int, method: str, path: str, value: Any = None, *, host: str = "localhost") -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
    headers = {"Authorization": f"Bearer {TOKEN}", "Host": host}
    body = None if value is None else json.dumps(value)
    connection.request(method, path, body, {**headers, "Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def say(served: Served, text: str) -> Any:
    return ask(served.port, "POST", "/v1/messages", {"conversation": "main", "text": text})


def health(port: int) -> subprocess.CompletedProcess[str]:
    """Run the health check as the image does."""
    (words,) = [words for name, words in STAGES["image"] if name == "HEALTHCHECK"]
    python, script = json.loads(words.partition("CMD ")[2])
    assert python == "python"
    return subprocess.run(
        [sys.executable, SERVICE / Path(script).name, "127.0.0.1", str(port)],
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


# The config


def test_the_config_of_the_container_is_valid_as_it_stands(tmp_path: Path) -> None:
    done = Program(folder=tmp_path).run(
        "check", "--config", str(SERVICE / "brain.json"), BRAIN_TOKEN=TOKEN
    )

    assert (done.returncode, "warning" in done.stderr) == (0, False), done.stderr


def test_without_the_token_the_container_is_told_which_variable_is_missing(tmp_path: Path) -> None:
    done = Program(folder=tmp_path).run("check", "--config", str(SERVICE / "brain.json"))

    assert done.returncode == 2
    assert "BRAIN_TOKEN" in done.stdout + done.stderr


# The container


def test_it_serves_with_the_config_of_the_container_and_its_health_check_says_so(
    tmp_path: Path,
) -> None:
    with ollama_server("--reply", "Hello.") as url, served(tmp_path, ollama=url) as brain:
        healthy = health(brain.port)
        ready = ask(brain.port, "GET", "/readyz")
        reply = say(brain, "hi")
        foreign = ask(brain.port, "GET", "/healthz", host="brain.example.org")
    gone = health(brain.port)

    assert (healthy.returncode, healthy.stdout, healthy.stderr) == (0, "", "")
    assert (ready["status"], ready["brains"][0]["models"][0]["state"]) == ("ready", "ready")
    assert reply["text"] == "Hello."
    assert foreign["error"]["code"] == "wrong_host"
    assert gone.returncode == 1
    assert gone.stderr.startswith(f"no answer from 127.0.0.1:{brain.port}: ")


def test_the_health_check_fails_where_its_host_name_is_not_served(tmp_path: Path) -> None:
    with ollama_server() as url, served(tmp_path, ollama=url) as brain:
        document = json.loads(brain.config.read_text(encoding="utf-8"))
        document["server"]["allowed_hosts"] = ["brain.example.org"]
        by_rename(brain.config, document)
        brain.stderr.until(b"config applied: server.allowed_hosts")
        done = health(brain.port)

    assert done.returncode == 1
    assert done.stderr == f"/healthz of 127.0.0.1:{brain.port} answers 421, expected 200\n"


def test_a_hangup_applies_a_changed_grant_while_it_serves(tmp_path: Path) -> None:
    call = json.dumps(
        {"calls": [{"name": "memory_note", "arguments": {"note": "takes tea without sugar"}}]}
    )
    script = ("--reply", call, "--reply", "Done.", "--reply", call, "--reply", "Done.")
    with ollama_server(*script) as url, served(tmp_path, ollama=url) as brain:
        before = say(brain, "Remember that I take my tea without sugar.")
        text = brain.config.read_text(encoding="utf-8")
        by_rename(brain.config, text.replace('"shadow"', '"shadw"'))
        brain.stderr.until(b"check again")
        brain.process.send_signal(signal.SIGHUP)
        brain.stderr.until(b"check again")  # told once more: the signal had the file read
        by_rename(brain.config, text.replace('"shadow"', '"allow"'))
        brain.process.send_signal(signal.SIGHUP)
        brain.stderr.until(b"config applied: brains[0].agent.governance[1].mode")
        after = say(brain, "Remember that I take my tea without sugar.")

    effects = [[effect["kind"] for effect in reply["effects"]] for reply in (before, after)]
    assert effects == [["rehearsed"], ["saved"]]


def test_the_reload_of_the_unit_says_what_came_of_it_and_fails_where_it_was_rejected(
    tmp_path: Path,
) -> None:
    (line,) = re.findall(r"^ExecReload=\S+ (.*)$", unit(), re.MULTILINE)
    with ollama_server() as url, served(tmp_path, ollama=url) as brain:
        words = line.replace("%h/.config/brain/brain.json", str(brain.config)).split()
        program = Program(
            folder=tmp_path, environ={"XDG_STATE_HOME": str(tmp_path / "data" / "state")}
        )
        text = brain.config.read_text(encoding="utf-8")
        good = program.run(*words, BRAIN_TOKEN=TOKEN)
        by_rename(brain.config, text.replace('"shadow"', '"shadw"'))
        bad = program.run(*words, BRAIN_TOKEN=TOKEN)

    assert [good.returncode, bad.returncode] == [0, 2]
    assert "did you mean 'shadow'?" in bad.stdout + bad.stderr


@pytest.mark.long
@pytest.mark.timeout(2 * INSTALL_SECONDS)
def test_the_build_steps_of_the_image_make_a_brain_that_serves(tmp_path: Path) -> None:
    sources = tmp_path / "src"
    for name, words in STAGES["wheel"]:
        if name == "COPY":
            copied(words.split(), sources)
    for name, words in [*STAGES["wheel"], *STAGES["venv"]]:
        if name == "RUN":
            step(words, tmp_path)

    (entry,) = [json.loads(words) for name, words in STAGES["image"] if name == "ENTRYPOINT"]
    (rest,) = [json.loads(words) for name, words in STAGES["image"] if name == "CMD"]
    command = [str(tmp_path / "venv" / "bin" / entry[0])]
    with (
        ollama_server("--reply", "Hello.") as url,
        served(tmp_path, ollama=url, command=command, words=rest) as brain,
    ):
        healthy = health(brain.port)
        ready = ask(brain.port, "GET", "/readyz")
        reply = say(brain, "hi")

    assert (healthy.returncode, ready["status"], reply["text"]) == (0, "ready", "Hello.")


def copied(words: list[str], sources: Path) -> None:
    *names, target = words
    for name in names:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, sources / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            sources.mkdir(exist_ok=True)
            shutil.copy(path, sources / name)


def step(line: str, folder: Path) -> None:
    """Run a step of the build; what the image has at its root lies in `folder`."""
    here = re.sub(r"(?<![\w/*.])/(wheels|venv)\b", lambda match: f"{folder}/{match[1]}", line)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", here],
        cwd=folder / "src",
        env={**os.environ, "PATH": path, "EMBEDDED": "no"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_image_copies_is_there_and_reaches_the_build() -> None:
    ignored = (SERVICE / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = tuple(line[1:] for line in ignored if line.startswith("!"))
    names = [
        name
        for stage in STAGES.values()
        for instruction, words in stage
        if instruction == "COPY" and "--from" not in words
        for name in words.split()[:-1]
    ]

    assert [name for name in names if not (ROOT / name).exists()] == []
    assert [name for name in names if not name.startswith(let_in)] == []


def test_the_image_runs_as_a_user_who_is_not_root_and_who_owns_the_volume() -> None:
    image = dict(STAGES["image"])
    runs = " ".join(words for name, words in STAGES["image"] if name == "RUN")

    assert image["USER"] == "brain"
    assert "useradd --system --uid 10001" in runs
    assert f"install -d -o brain -g brain -m 0700 {image['VOLUME']}" in runs
    assert config()["storage"]["path"].startswith(f"{image['VOLUME']}/")
    assert config()["server"]["addr"].endswith(f":{image['EXPOSE']}")


def test_the_compose_file_names_what_the_image_and_the_config_have() -> None:
    compose = yaml.safe_load((SERVICE / "compose.yaml").read_text(encoding="utf-8"))
    brain, ollama = compose["services"]["brain"], compose["services"]["ollama"]
    (model,) = config()["brains"][0]["models"]
    targets = [volume.split(":")[1] for volume in brain["volumes"]]
    named = [
        volume.split(":")[0]
        for service in (brain, ollama)
        for volume in service["volumes"]
        if not volume.startswith(".")
    ]

    assert (SERVICE / brain["build"]["context"]).resolve() == ROOT
    assert (ROOT / brain["build"]["dockerfile"]).samefile(SERVICE / "Dockerfile")
    assert [f"ARG {name}" in DOCKERFILE for name in brain["build"]["args"]] == [True]
    assert brain["ports"] == ["127.0.0.1:2112:2112"]
    assert targets == ["/config", dict(STAGES["image"])["VOLUME"]]
    assert list(brain["environment"]) == [config()["server"]["token_env"]]
    assert sorted(named) == sorted(compose["volumes"])
    assert model["trusted_hosts"] == brain["depends_on"] == ["ollama"]
    assert model["base_url"] == "http://ollama:11434"


def config() -> Any:
    return json.loads((SERVICE / "brain.json").read_text(encoding="utf-8"))


def test_docker_takes_the_compose_file() -> None:
    docker = program_of_this_machine("docker")
    if subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker has no compose")

    done = subprocess.run(
        [docker, "compose", "-f", SERVICE / "compose.yaml", "config", "--quiet"],
        env={**os.environ, "BRAIN_TOKEN": TOKEN},
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


# The unit


def unit() -> str:
    return (SERVICE / "brain.service").read_text(encoding="utf-8")


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    analyze = program_of_this_machine("systemd-analyze")
    program = tmp_path / ".local" / "bin" / "brain"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)

    done = subprocess.run(
        [analyze, "--user", "--man=no", "verify", SERVICE / "brain.service"],
        env={**os.environ, "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


# The proxies


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_the_page_shows_the_proxies_as_their_files_have_them(name: str) -> None:
    shown = {without_remarks(block) for block in blocks(PAGE, "")}

    assert without_remarks((SERVICE / name).read_text(encoding="utf-8")) in shown


def test_nginx_takes_its_config(tmp_path: Path) -> None:
    nginx, openssl = program_of_this_machine("nginx"), program_of_this_machine("openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=brain.example.org"
    subprocess.run(
        [openssl, *words.split(), "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
        timeout=WAIT_SECONDS,
    )
    server = (SERVICE / "nginx.conf").read_text(encoding="utf-8")
    server = re.sub(r"(ssl_certificate) .*;", rf"\1 {certificate};", server)
    server = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {key};", server)

    done = subprocess.run(
        [nginx, "-t", "-q", "-e", tmp_path / "error.log", "-c", nginx_config(tmp_path, server)],
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_caddy_takes_its_config(tmp_path: Path) -> None:
    caddy = program_of_this_machine("caddy")

    done = subprocess.run(
        [caddy, "validate", "--adapter", "caddyfile", "--config", SERVICE / "Caddyfile"],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )

    assert done.returncode == 0, done.stderr


async def test_through_nginx_an_answer_and_the_feed_come_as_they_are_made(tmp_path: Path) -> None:
    nginx = program_of_this_machine("nginx")
    hold = Hold()
    answer = ndjson([chunk("One,"), hold, chunk(" two."), last_chunk()])
    async with AsyncExitStack() as held:
        ollama = await held.enter_async_context(OllamaServer(replies=[answer]))
        brain = await in_thread(held, served(tmp_path, ollama=ollama.url))
        path = await in_thread(held, proxied(tmp_path, nginx, brain.port))
        client = await held.enter_async_context(
            httpx.AsyncClient(
                transport=httpx.AsyncHTTPTransport(uds=path),
                base_url="http://localhost",
                headers={"Authorization": f"Bearer {TOKEN}", "Accept": "text/event-stream"},
                timeout=WAIT_SECONDS,
            )
        )
        body = {"conversation": "main", "text": "hi"}
        async with (
            client.stream("GET", "/v1/activity", params={"after": 0}) as feed,
            client.stream("POST", "/v1/messages", json=body) as talk,
        ):
            pieces, events = talk.aiter_lines(), feed.aiter_lines()
            first = await until(pieces, "data: ")  # the model has said half of it, and waits
            received = await until(events, '"type":"message_received"')
            hold.go_on.set()
            whole = await until(pieces, '"outcome":"answered"')

    assert first == 'data: {"text":"One,"}'
    assert received.startswith("data: ")
    assert json.loads(whole.removeprefix("data: "))["text"] == "One, two."


async def in_thread(held: AsyncExitStack, context: AbstractContextManager[T]) -> T:
    """Enter and leave what waits for a process, while this loop answers in the model's place."""
    entered = await asyncio.to_thread(context.__enter__)
    held.push_async_callback(asyncio.to_thread, context.__exit__, None, None, None)
    return entered


async def until(lines: AsyncIterator[str], wanted: str) -> str:
    """Return the first line that has `wanted` in it."""
    async with asyncio.timeout(WAIT_SECONDS):
        async for line in lines:
            if wanted in line:
                return line
    raise AssertionError(f"the stream ended before {wanted!r} came")
