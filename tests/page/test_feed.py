"""The live feed: every event once, whatever happens to the server."""

import http.client
import json
import threading
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.cli.talks import saves
from tests.cli.terminals import WAIT_SECONDS
from tests.page.browser import CONFIG, Console, config, open_console

KILLS = 3
EVENTS_BETWEEN_KILLS = 40


def wait_for_head(console: Console) -> list[dict[str, Any]]:
    """Wait until the newest event of the record is the first row; return the record."""
    rows = console.events()
    console.page.wait_for_selector(f'.events > li:first-child[data-seq="{rows[-1]["seq"]}"]')
    return rows


@pytest.mark.proves("P9")
def test_what_happens_shows_as_it_happens_and_opens_to_its_fields_and_the_rule_in_words(
    browser: Any, tmp_path: Path
) -> None:
    document = config(saves("Tea"), "Rehearsed.", mode="shadow")
    with open_console(browser, tmp_path, document=document) as console:
        console.sign_in()
        console.say("I like tea.")
        rows = wait_for_head(console)
        shadowed = next(row for row in rows if row["type"] == "tool_shadowed")
        item = console.page.locator(f'.events > li[data-seq="{shadowed["seq"]}"]')
        item.locator("summary").click()
        item.locator("dl").wait_for()
        opened = item.inner_text()
        shown = console.shown()

    assert shown == [row["seq"] for row in reversed(rows)]
    assert "A call was rehearsed; nothing ran." in opened
    assert "Shadow, because a grant shadows it." in opened
    assert shadowed["hash"] in opened


@pytest.mark.proves("P9")
def test_after_the_server_was_killed_the_feed_goes_on_without_a_gap_or_a_repeat(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "One.", "Two.") as console:
        console.sign_in()
        console.say("first")
        wait_for_head(console)
        console.kill()
        console.page.locator(".feed-state.waiting").wait_for()
        meanwhile = console.program.run("notes", "add", "Written while it was away", *CONFIG)
        with console.serving():
            console.page.locator(".feed-state.live").wait_for()
            console.say("second")
            rows = wait_for_head(console)
            shown = console.shown()

    assert meanwhile.returncode == 0, meanwhile.stderr
    assert "note_stored" in {row["type"] for row in rows}
    assert shown == list(range(rows[-1]["seq"], 0, -1))


def talk(console: Console, name: str, answered: list[str]) -> None:
    """Send message after message until the server is gone."""
    place = urlsplit(console.url)
    headers = {"Authorization": f"Bearer {console.token}", "Content-Type": "application/json"}
    body = json.dumps({"conversation": name, "text": "Remember: tea."})
    with suppress(OSError, http.client.HTTPException, ValueError):
        while True:
            connection = http.client.HTTPConnection(
                str(place.hostname), place.port, timeout=WAIT_SECONDS
            )
            with closing(connection):
                connection.request("POST", "/v1/messages", body, headers)
                answered.append(json.loads(connection.getresponse().read())["outcome"])


@pytest.mark.proves("P9")
def test_a_page_catches_up_each_time_the_server_is_killed_in_the_middle_of_exchanges(
    browser: Any, tmp_path: Path
) -> None:
    answered: list[str] = []
    with ExitStack() as servers:
        console = servers.enter_context(open_console(browser, tmp_path, *["Noted."] * 200))
        console.sign_in()
        for round_ in range(KILLS):
            dies_at = console.shown()[0] + EVENTS_BETWEEN_KILLS
            talkers = [
                threading.Thread(target=talk, args=(console, f"talk-{round_}-{n}", answered))
                for n in range(2)
            ]
            for talker in talkers:
                talker.start()
            console.page.wait_for_function(
                "seq => Number(document.querySelector('.events > li').dataset.seq) >= seq",
                arg=dies_at,
            )
            console.kill()
            for talker in talkers:
                talker.join()
            console.page.locator(".feed-state.waiting").wait_for()
            servers.enter_context(console.serving())
            console.page.locator(".feed-state.live").wait_for()
        rows = wait_for_head(console)
        shown = console.shown()

    assert len(answered) >= KILLS * 5
    assert [row["type"] for row in rows].count("runtime_started") == KILLS + 1
    assert shown == list(range(rows[-1]["seq"], 0, -1))


def test_filters_leave_what_was_asked_for(browser: Any, tmp_path: Path) -> None:
    document = config(saves("Tea"), "Rehearsed.", mode="shadow")
    with open_console(browser, tmp_path, document=document) as console:
        console.sign_in()
        console.say("I like tea.")
        rows = wait_for_head(console)
        console.page.get_by_label("Effect").select_option("shadow")
        shadowed = console.shown()
        console.page.get_by_label("Effect").select_option("")
        console.page.get_by_label("Type").select_option("reply_sent")
        sent = console.shown()
        console.page.get_by_label("Type").select_option("exported")
        nothing = console.page.locator(".activity-body").inner_text()
        console.page.get_by_label("Type").select_option("")
        console.page.locator(".filters").get_by_label("Brain").select_option("assistant")
        of_brain = console.shown()

    assert shadowed == [row["seq"] for row in reversed(rows) if row["mode"] == "shadow"]
    assert sent == [row["seq"] for row in reversed(rows) if row["type"] == "reply_sent"]
    assert "None of these" in nothing
    assert of_brain == [row["seq"] for row in reversed(rows) if row["brain"] == "assistant"]


def test_events_before_the_first_two_hundred_can_be_fetched(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path) as console:
        console.program.run("run", *CONFIG, typed="/help\n" * 250)
        console.sign_in()
        rows = wait_for_head(console)
        before = console.shown()
        console.page.get_by_role("button", name="Show earlier events").click()
        console.page.wait_for_selector('.events > li[data-seq="1"]')
        after = console.shown()

    assert len(before) == 200
    assert after == list(range(rows[-1]["seq"], 0, -1))
