"""A browser that loads the page anew: what was written is there, and what became of it is told."""

import asyncio
import json
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.ollama_server import Hold, OllamaServer, chunk, last_chunk, ndjson
from tests.page.browser import AXE, Console, config, open_console
from tests.page.test_look import violations

WAIT_SECONDS = 30


def write(console: Console, text: str) -> None:
    console.page.get_by_label("Message", exact=True).fill(text)
    console.page.keyboard.press("Enter")


def reload(console: Console) -> None:
    console.page.reload()
    console.page.locator(".feed-state.live").wait_for(state="attached")


def texts(console: Console) -> list[str]:
    found: list[str] = console.page.locator(".message-text").all_inner_texts()
    return found


class Slow:
    """A model whose answer is held back: `reached` says that it was asked, `go_on` lets it answer."""

    def __init__(self, url: str, hold: Hold, loop: asyncio.AbstractEventLoop) -> None:
        self.url = url
        self._hold = hold
        self._loop = loop

    def until_reached(self) -> None:
        asyncio.run_coroutine_threadsafe(self._hold.reached.wait(), self._loop).result(WAIT_SECONDS)

    def go_on(self) -> None:
        self._loop.call_soon_threadsafe(self._hold.go_on.set)


@contextmanager
def slow_model() -> Iterator[Slow]:
    """Serve it from a thread: the browser's doubles hold this one."""
    loop, hold = asyncio.new_event_loop(), Hold()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = OllamaServer(replies=[ndjson([hold, chunk("Here I am."), last_chunk()])])

    async def enter() -> None:
        await server.__aenter__()

    try:
        asyncio.run_coroutine_threadsafe(enter(), loop).result(WAIT_SECONDS)
        yield Slow(server.url, hold, loop)
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(WAIT_SECONDS)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def with_ollama() -> dict[str, Any]:
    document = config()
    model = {"provider": "ollama", "model_id": "llama3.2", "locality": "local"}
    document["brains"][0]["models"] = [model]
    return document


def post_beside(console: Console, text: str) -> threading.Thread:
    """Send a message as another program does, which waits for the answer."""
    thread = threading.Thread(target=_post, args=(console.url, console.token, text))
    thread.start()
    return thread


def _post(url: str, token: str, text: str) -> None:
    request = urllib.request.Request(  # noqa: S310 - a server of ours
        f"{url}v1/messages",
        json.dumps({"conversation": "main", "text": text}).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:  # noqa: S310 - the same
        answer.read()


def test_a_message_that_is_being_answered_is_shown_as_such_and_then_its_answer(
    browser: Any, tmp_path: Path
) -> None:
    with (
        slow_model() as slow,
        open_console(
            browser, tmp_path, document=with_ollama(), environ={"OLLAMA_HOST": slow.url}
        ) as console,
    ):
        console.sign_in()
        asking = post_beside(console, "Are you there?")
        slow.until_reached()
        reload(console)
        console.page.locator(".runtime-line.awaited").wait_for()
        before = texts(console)
        slow.go_on()
        console.page.get_by_text("Here I am.").wait_for()
        asking.join()
        console.page.locator(".runtime-line.awaited").wait_for(state="detached")
        after = texts(console)

    assert before == ["Are you there?"]
    assert after == ["Are you there?", "Here I am."]


def test_a_reload_in_the_middle_of_an_answer_loses_no_word_of_the_user(
    browser: Any, tmp_path: Path
) -> None:
    with (
        slow_model() as slow,
        open_console(
            browser, tmp_path, document=with_ollama(), environ={"OLLAMA_HOST": slow.url}
        ) as console,
    ):
        console.sign_in()
        write(console, "Are you there?")
        slow.until_reached()
        reload(console)
        told = console.page.locator(".runtime-line.refused")
        told.wait_for()
        shown, line = texts(console), told.inner_text()
        console.page.get_by_role("button", name="Write it again").click()
        again = console.page.get_by_label("Message", exact=True).input_value()

    assert shown == ["Are you there?"]
    assert "Not answered: it was stopped before an answer came." in line
    assert again == "Are you there?"


def test_what_failed_says_so_after_a_reload(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path, {"error": "unreachable"}) as console:
        console.sign_in()
        console.say("hi")
        reload(console)
        console.page.get_by_text("Not answered: the model could not be reached.").wait_for()
        shown = texts(console)

    assert shown == ["hi"]


def test_what_never_reached_the_server_is_still_there_after_a_reload_and_sent_once(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "Here I am.") as console:
        console.sign_in()
        console.page.route("**/v1/messages", lambda route: route.abort(), times=1)
        write(console, "Are you there?")
        console.page.get_by_role("button", name="Try again").wait_for()
        reload(console)
        console.page.get_by_role("button", name="Try again").wait_for()
        shown = texts(console)[:1]
        console.page.get_by_role("button", name="Try again").click()
        console.page.get_by_text("Here I am.").wait_for()
        reload(console)
        console.page.get_by_text("Here I am.").wait_for()
        after = texts(console)

    assert shown == ["Are you there?"]
    assert after == ["Are you there?", "Here I am."]


def test_a_draft_stays_with_its_talk_and_goes_when_that_is_forgotten(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "Hello.", "Hello again.") as console:
        console.sign_in()
        console.say("hi")
        text = console.page.get_by_label("Message", exact=True)
        text.fill("half a thought")
        console.page.get_by_role("button", name="New talk").click()
        console.page.get_by_role("button", name="Begin").click()
        console.page.get_by_text("Nothing said yet").wait_for()
        elsewhere = text.input_value()
        text.fill("of another talk")
        reload(console)
        console.page.locator("#talk-title", has_text="talk 2").wait_for()
        other = console.page.locator("#talk-title").inner_text(), text.input_value()
        console.page.locator(".talk-button", has_text="main").click()
        console.page.get_by_text("Hello.").wait_for()
        kept = text.input_value()
        words = ("forget", "conversation", "main", "--channel", "http", "--yes", "--config")
        done = console.program.run(*words, "talk.json")
        assert done.returncode == 0, done.stderr
        console.page.get_by_text("Nothing said yet").wait_for()
        console.page.wait_for_function("text => !text.value", arg=text.element_handle())
        stored = console.page.evaluate("JSON.stringify(sessionStorage)")

    assert elsewhere == ""
    assert other == ("talk 2", "of another talk")
    assert kept == "half a thought"
    assert "half a thought" not in stored


@pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is not in .cache/axe (.ci/browser.py fetches it)"
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 375])
def test_axe_finds_nothing_in_what_has_no_answer(
    browser: Any, tmp_path: Path, scheme: str, width: int
) -> None:
    size = {"width": width, "height": 800}
    with open_console(
        browser, tmp_path, {"error": "unreachable"}, color_scheme=scheme, viewport=size
    ) as console:
        console.sign_in()
        console.say("Is anybody there?")
        console.page.route("**/v1/messages", lambda route: route.abort(), times=1)
        write(console, "And now, with a longer sentence that has to break on a phone?")
        console.page.get_by_role("button", name="Try again").wait_for()
        reload(console)
        console.page.get_by_role("button", name="Try again").wait_for()
        found = violations(console)

    assert found == []
