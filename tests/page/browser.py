"""A real Chromium, and the real program that serves it the page."""

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.channels.http.client import free_port
from tests.cli.program import ROOT, Program
from tests.cli.talks import ALLOW_SCRIPTED, talks
from tests.cli.terminals import WAIT_SECONDS, talking, told

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["AXE", "Console", "config", "open_browser", "open_console", "read_json", "waits"]

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",  # the tests may run as root in a container, where Chromium has no sandbox
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = ROOT / ".cache" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
SEEN_AS = {"viewport": {"width": 1400, "height": 860}, "reduced_motion": "reduce"}
CONFIG = ("--config", "talk.json")


@contextmanager
def open_browser() -> Iterator["Browser"]:
    """Start Chromium; skip where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.skip("Chromium is not installed (on Debian: apt install chromium)")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


def config(*replies: Any, port: int = 0, **more: Any) -> dict[str, Any]:
    """Return a config with an http channel, whose model gives these replies in turn."""
    root = {
        "channels": [{"type": "console"}, {"type": "http"}],
        "server": {"addr": f"127.0.0.1:{port or free_port()}"},
    }
    return talks(*replies, **{**root, **more})


@dataclass(kw_only=True)
class Console:
    """`brain serve` in a process, and the page in a browser."""

    program: Program
    page: "Page"
    url: str
    troubles: list[str]
    process: subprocess.Popen[bytes] | None = None

    @contextmanager
    def serving(self) -> Iterator[None]:
        with talking(self.program, "serve", *CONFIG) as process:
            self.process = process
            told(process).until(b"serving at")
            yield

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(WAIT_SECONDS)

    @property
    def token(self) -> str:
        path = self.program.folder / "state" / "server.token"
        return path.read_text(encoding="ascii").strip()

    def sign_in(self) -> None:
        """Open the page and show it the operator's token."""
        self.page.goto(self.url)
        self.page.get_by_label("Or show a token").fill(self.token)
        self.page.keyboard.press("Enter")
        self.page.locator(".feed-state.live").wait_for(state="attached")

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def say(self, text: str) -> None:
        """Write a message, send it by Enter and wait for the end of the answer."""
        before = self.page.locator("article.message").count()
        self.page.get_by_label("Message", exact=True).fill(text)
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(
            "before => document.querySelectorAll('article.message').length >= before + 2"
            " && !document.querySelector('.message.coming')",
            arg=before,
        )

    def post(self, message: dict[str, str]) -> None:
        """Send a message as another program of the operator would."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = self.page.request.post(f"{self.url}v1/messages", data=message, headers=headers)
        assert answer.ok, answer.text()

    def events(self) -> list[dict[str, Any]]:
        """Return the record, read beside the server."""
        listed = self.program.run("activity", "--json", "--limit", "1000", *CONFIG)
        rows: list[dict[str, Any]] = json.loads(listed.stdout)
        return rows

    def shown(self) -> list[int]:
        """Return the seq of each row of the feed, newest first."""
        seqs: list[int] = self.page.eval_on_selector_all(
            ".events > li", "rows => rows.map(row => Number(row.dataset.seq))"
        )
        return seqs

    def write(self, document: dict[str, Any]) -> Path:
        return self.program.write("talk.json", document)


@contextmanager
def open_console(
    browser: "Browser",
    folder: Path,
    *replies: Any,
    document: Any = None,
    environ: Mapping[str, str] | None = None,
    **context: Any,
) -> Iterator[Console]:
    """Serve a config and open a page of its own, not signed in. What the page complains of fails."""
    program = Program(folder=folder, environ={**ALLOW_SCRIPTED, **(environ or {})})
    document = document or config(*replies)
    opened = browser.new_context(**{**SEEN_AS, **context})
    page = opened.new_page()
    page.set_default_timeout(WAIT_SECONDS * 1000)
    console = Console(
        program=program, page=page, url=f"http://{document['server']['addr']}/", troubles=[]
    )
    console.write(document)
    page.on("pageerror", lambda error: console.troubles.append(str(error)))
    page.on("console", lambda line: _hear(console, line.type, line.text))
    page.on("dialog", lambda dialog: console.troubles.append(f"dialog {dialog.message}"))
    try:
        with console.serving():
            yield console
    finally:
        opened.close()
    assert console.troubles == []


def _hear(console: Console, kind: str, text: str) -> None:
    """Keep what the browser complains of, but not that a server was away or refused."""
    if kind == "error" and not text.startswith("Failed to load resource"):
        console.troubles.append(text)


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def waits(page: "Page", script: str, arg: Any = None) -> None:
    """Wait until the script says true."""
    page.wait_for_function(script, arg=arg)
