"""No word of a talk stands anywhere on the page but in that talk and beside its notes."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.cli.servers import ollama_server
from tests.cli.talks import saves
from tests.flows.world import sample
from tests.page.browser import Console, config, open_console

CANARY = "zanzibar-canary"
TABS = ("Talk", "Notes", "Policy", "Models", "Config")


def source(console: Console) -> str:
    """Return everything that the page holds now, seen or not, and what it keeps."""
    console.page.locator(".loading").first.wait_for(state="detached")
    text: str = console.page.evaluate(
        "() => document.documentElement.outerHTML + location.href"
        " + JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie"
        " + [...document.querySelectorAll('input, textarea')].map((field) => field.value)"
    )
    return text


@pytest.mark.proves("P9")
def test_a_word_of_a_talk_is_in_no_source_of_the_page_until_that_talk_is_opened(
    browser: Any, tmp_path: Path
) -> None:
    # The server has the replies, not the config: that one is shown on the page as it stands.
    unknown = {"calls": [{"name": CANARY, "arguments": {CANARY: CANARY}}]}
    replies = (json.dumps(saves(f"knows {CANARY}")), json.dumps(unknown), f"Yes, {CANARY}.")
    document = config()
    document["brains"][0]["models"] = sample()["brains"][0]["models"]
    with ExitStack() as opened_ones:
        words = [word for reply in replies for word in ("--reply", reply)]
        url = opened_ones.enter_context(ollama_server("--model", "llama3.2", *words))
        console = opened_ones.enter_context(
            open_console(browser, tmp_path, document=document, environ={"OLLAMA_HOST": url})
        )
        console.sign_in()
        console.page.get_by_role("button", name="New talk").click()
        console.page.get_by_label("Name").fill("other")
        console.page.get_by_role("button", name="Begin").click()
        console.say(f"I am {CANARY}.")
        console.say(f"Are you {CANARY}?")
        console.page.get_by_role("button", name="New talk").click()
        console.page.get_by_label("Name").fill("a third")
        console.page.get_by_role("button", name="Begin").click()
        console.page.get_by_text("Nothing said yet").wait_for()
        console.page.reload()  # what is kept of the talk before must not hold its words
        console.page.locator(".feed-state.live").wait_for(state="attached")
        found = {}
        for row in console.page.locator(".events summary").all():
            row.click()
        for name in TABS:
            console.tab(name)
            found[name] = source(console)
        console.tab("Talk")
        console.page.locator(".talk-button", has_text="other").click()
        console.page.locator(".message-text", has_text="Yes").first.wait_for()
        opened = source(console)

    assert "tool_denied" in found["Talk"]
    assert "event-fields" in found["Talk"]
    assert [name for name, text in found.items() if CANARY in text] == []
    assert opened.count(CANARY) >= 2


def test_a_user_finds_nothing_of_the_operators_talk_on_the_page(
    browser: Any, tmp_path: Path
) -> None:
    document = config(saves("knows " + CANARY), f"Yes, {CANARY}.", "Hello, Ana.")
    document["server"]["tokens"] = [{"name": "ana", "token_env": "TOKEN_ANA", "role": "user"}]
    environ = {"TOKEN_ANA": "ana-token"}
    with open_console(browser, tmp_path, document=document, environ=environ) as console:
        console.sign_in()
        console.say(f"I am {CANARY}.")
        as_operator = source(console)
        console.page.get_by_role("button", name="Sign out").click()
        console.page.get_by_label("Or show a token").fill("ana-token")
        console.page.keyboard.press("Enter")
        console.page.get_by_text("Nothing said yet").wait_for()
        console.say("hi")
        found = {}
        for name in TABS:
            console.tab(name)
            found[name] = source(console)

    assert CANARY in as_operator
    assert [name for name, text in found.items() if CANARY in text] == []
