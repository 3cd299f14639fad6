"""What the page is for those who use a keyboard, a phone, a reader or the dark; and what it may load."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.talks import saves
from tests.page.browser import AXE, Console, config, open_console
from tests.page.words import PAGE, WORDS, rendered

TABS = ("Talk", "Notes", "Policy", "Models", "Config")
RULES_OF_AXE = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
TALK = (saves("Tea without sugar"), "Rehearsed.", saves("Rain"), "Rehearsed again.")


def lived_in(console: Console) -> None:
    console.sign_in()
    console.say("I like tea.")
    console.say("/notes add Something of my own")


@pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is not in .cache/axe (.ci/browser.py fetches it)"
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 375])
def test_axe_finds_nothing(browser: Any, tmp_path: Path, scheme: str, width: int) -> None:
    document = config(*TALK, mode="shadow")
    size = {"width": width, "height": 800}
    with open_console(
        browser, tmp_path, document=document, color_scheme=scheme, viewport=size
    ) as console:
        console.page.goto(console.url)
        found = {"Sign in": violations(console)}
        lived_in(console)
        for name in (*TABS, *(("Activity",) if width < 960 else ())):
            console.tab(name)
            console.page.locator("[role=tabpanel] .loading").first.wait_for(state="hidden")
            found[name] = violations(console)
        console.tab("Policy")
        console.page.locator('.segment[aria-pressed="false"]').first.click()
        console.page.get_by_text("compare with").or_(
            console.page.get_by_text("on record")
        ).wait_for()
        found["dialog"] = violations(console)

    assert {name: told for name, told in found.items() if told} == {}


def violations(console: Console) -> list[str]:
    console.page.evaluate(AXE.read_text(encoding="utf-8"))
    told: list[str] = console.page.evaluate(
        "rules => axe.run({runOnly: rules}).then(found => found.violations.flatMap("
        "each => each.nodes.map(node => `${each.id}: ${node.html}`)))",
        RULES_OF_AXE,
    )
    return told


def test_everything_is_reached_by_keyboard(browser: Any, tmp_path: Path) -> None:
    document = config(*TALK, mode="shadow")
    with open_console(browser, tmp_path, document=document) as console:
        page = console.page
        page.goto(console.url)
        page.keyboard.type(console.token)  # the field has the focus
        page.keyboard.press("Enter")
        page.locator(".feed-state.live").wait_for()
        page.keyboard.type("one")
        page.keyboard.press("Shift+Enter")
        page.keyboard.type("two")
        page.keyboard.press("Enter")
        page.get_by_text("Rehearsed.", exact=True).wait_for()
        said = page.locator(".message.user .message-text").inner_text()
        page.get_by_role("tab", name="Talk").focus()
        page.keyboard.press("ArrowRight")
        notes = page.evaluate("document.activeElement.id")
        page.get_by_role("button", name="Promote rehearsal 1").wait_for()
        walk_to(console, "Promote rehearsal 1")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        page.keyboard.press("Enter")
        page.locator(".note", has_text="promoted by you").wait_for()
        page.get_by_role("tab", name="Notes").focus()
        page.keyboard.press("End")
        last = page.evaluate("document.activeElement.id")
        page.keyboard.press("ArrowRight")
        first = page.evaluate("document.activeElement.id")

    assert said == "one\ntwo"
    assert (notes, last, first) == ("tab-notes", "tab-config", "tab-talk")
    assert outline == "solid"


def walk_to(console: Console, label: str) -> None:
    for _ in range(40):
        console.page.keyboard.press("Tab")
        if console.page.evaluate("document.activeElement.getAttribute('aria-label')") == label:
            return
    pytest.fail(f"{label!r} is not reached with the Tab key")


def test_the_first_tab_stop_skips_to_the_content(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path) as console:
        console.sign_in()
        console.page.goto(f"{console.url}#models")
        console.page.reload()
        console.page.locator(".feed-state.live").wait_for()
        console.page.keyboard.press("Tab")
        text = console.page.evaluate("document.activeElement.textContent")

    assert text == "Skip to the content"


def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Any, tmp_path: Path) -> None:
    document = config(*TALK, mode="shadow")
    size = {"width": 375, "height": 720}
    with open_console(browser, tmp_path, document=document, viewport=size) as console:
        lived_in(console)
        widths = {}
        for name in (*TABS, "Activity"):
            console.tab(name)
            console.page.locator("[role=tabpanel] .loading").first.wait_for(state="hidden")
            widths[name] = console.page.evaluate("document.documentElement.scrollWidth")
        shows_feed = console.page.locator(".events").is_visible()

    assert set(widths.values()) == {375}
    assert shows_feed


def test_the_page_loads_nothing_from_elsewhere(browser: Any, tmp_path: Path) -> None:
    asked = set()
    with open_console(browser, tmp_path) as console:
        console.page.on("request", lambda request: asked.add(request.url))
        console.sign_in()
        for name in TABS:
            console.tab(name)
        origin = console.url

    assert {url for url in asked if not url.startswith(origin)} == set()


def test_no_file_of_the_page_has_a_road_from_text_to_markup_or_code() -> None:
    roads = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|https?://(?!www\.w3\.org/2000/svg)"
    )

    found = [
        f"{path.name}: {match.group()}"
        for path in sorted(PAGE.iterdir())
        for match in roads.finditer(path.read_text(encoding="utf-8"))
    ]

    assert found == []
    assert not re.search(
        r"<script>|<style|style=|\son\w+=", (PAGE / "index.html").read_text("utf-8")
    )


def test_the_page_says_of_events_and_rules_what_the_runtime_says() -> None:
    is_theirs = WORDS.read_text(encoding="utf-8") == rendered()

    assert is_theirs, "the words changed: python -m tests.page.words writes those of the page anew"
