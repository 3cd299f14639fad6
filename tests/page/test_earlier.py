"""What is older than a page of a list: asked for by its button, or by scrolling up to it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.cli.program import ROOT
from tests.page.browser import Console, open_console, waits

SEED = """
import asyncio, sys
from pathlib import Path
from brain.clock import SystemClock
from brain.config import Storage
from brain.store import NewTurn, open_store

def turn(talk, session, number):
    role = "user" if number % 2 else "assistant"
    return NewTurn(conversation_id=talk, session=session, role=role, text=f"said {session}/{number}",
        brain="assistant", sensitivity="private", exchange_id=f"x{session}-{(number + 1) // 2}",
        sender="operator", is_tainted=False)

def fill(tx):
    for number in range(1, 206):
        talk = tx.open_conversation("http", f"old {number:03}")
        tx.start_session(talk)
        tx.add_turn(turn(talk, 1, 1))
    talk = tx.open_conversation("http", "main")
    for session in range(1, 206):
        tx.start_session(talk)
        tx.add_turn(turn(talk, session, 1))
    for number in range(2, 441):
        tx.add_turn(turn(talk, 205, number))

async def main():
    async with open_store(Storage(path=Path(sys.argv[1])), clock=SystemClock()) as store:
        await store.write(fill)

asyncio.run(main())
"""


def seed(console: Console) -> None:
    """Let the store hold a long talk, with many sessions, and many other talks."""
    path = console.program.folder / "state" / "brain.db"
    environ = {**console.program.environment(), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", SEED, str(path)], check=True, timeout=60, env=environ)


def texts(console: Console) -> list[str]:
    return console.page.locator(".turns .message-text").all_inner_texts()


def said(first: int, last: int) -> list[str]:
    return [f"said 205/{number}" for number in range(first, last + 1)]


def test_a_long_talk_is_read_to_its_beginning_and_what_is_being_read_stays_in_its_place(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "Hello.") as console:
        seed(console)
        page = console.page
        console.sign_in()
        page.get_by_text("said 205/440", exact=True).wait_for()
        newest = texts(console)
        button = page.get_by_role("button", name="Earlier messages")

        button.focus()
        page.keyboard.press("Enter")
        page.get_by_text("said 205/41", exact=True).wait_for(state="attached")
        more = texts(console)
        has_focus = page.evaluate("document.activeElement.className")
        box = page.get_by_text("said 205/241", exact=True).bounding_box()
        frame = page.locator(".turns").bounding_box()

        page.evaluate("document.querySelector('.turns').scrollTop = 0")  # scrolling asks as well
        page.get_by_text("said 205/1", exact=True).wait_for(state="attached")
        whole = texts(console)
        left = button.count()
        console.say("And now?")
        after = texts(console)

    assert newest == said(241, 440)
    assert more == said(41, 440)
    assert has_focus == "turns"
    assert box is not None
    assert frame is not None
    assert frame["y"] - 1 <= box["y"] <= frame["y"] + frame["height"], (
        "it was at the top, and is in sight"
    )
    assert whole == said(1, 440)
    assert left == 0
    assert after == [*said(1, 440), "And now?", "Hello."]


def test_an_answer_from_elsewhere_leaves_the_reader_of_earlier_messages_where_they_are(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "Hello.") as console:
        seed(console)
        page = console.page
        console.sign_in()
        page.get_by_role("button", name="Earlier messages").click()
        page.get_by_text("said 205/41", exact=True).wait_for(state="attached")
        page.get_by_text("said 205/100", exact=True).scroll_into_view_if_needed()
        before = page.get_by_text("said 205/100", exact=True).bounding_box()
        console.post({"conversation": "main", "text": "from elsewhere"})
        page.get_by_text("from elsewhere", exact=True).wait_for(state="attached")
        page.get_by_text("Hello.", exact=True).wait_for(state="attached")
        after = page.get_by_text("said 205/100", exact=True).bounding_box()
        shown = texts(console)

    assert shown[-2:] == ["from elsewhere", "Hello."]
    assert len(shown) >= 400
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 2


def test_earlier_talks_and_earlier_sessions_are_asked_for(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path, "Hello.") as console:
        seed(console)
        page = console.page
        console.sign_in()
        page.get_by_text("said 205/440", exact=True).wait_for()
        listed = page.locator(".talk-button").count()
        page.get_by_role("button", name="Earlier talks").click()
        page.get_by_role("button", name="old 205").wait_for(state="attached")
        waits(page, "() => document.querySelectorAll('.talk-button').length === 206")
        no_more = page.get_by_role("button", name="Earlier talks").count()

        sessions = page.get_by_label("Session", exact=True)
        few = sessions.locator("option").count()
        sessions.select_option("earlier")
        page.get_by_text("said 5/1", exact=True).wait_for()
        chosen, many = sessions.input_value(), sessions.locator("option").count()
        sessions.select_option("1")
        page.get_by_text("said 1/1", exact=True).wait_for()

        console.tab("Notes")
        talks = page.locator("#notes-talk")
        waits(page, "() => document.querySelector('#notes-talk').options.length > 1")
        talks.select_option("earlier")
        waits(page, "() => document.querySelector('#notes-talk').options.length === 206")
        reached = talks.locator("option").all_inner_texts()

    assert (listed, no_more) == (200, 0)
    assert (few, many, chosen) == (201, 205, "5")
    assert "old 001 (http)" in reached
