"""Notes, rehearsals, grants and the config, judged in the browser."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.talks import saves
from tests.page.browser import CONFIG, config, open_console, read_json

MARKUP = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


@pytest.mark.proves("P3")
def test_a_rehearsal_is_shown_beside_the_box_and_promoted_from_there(
    browser: Any, tmp_path: Path
) -> None:
    document = config(saves("Tea"), "Rehearsed.", saves("Rain"), "Rehearsed.", mode="shadow")
    with open_console(browser, tmp_path, document=document) as console:
        console.sign_in()
        console.say("I like tea.")
        console.say("I like rain.")
        console.tab("Notes")
        console.page.get_by_role("button", name="Promote rehearsal 1").wait_for()
        would = console.page.locator(".would .note.new .note-text").all_inner_texts()
        empty = console.page.get_by_text("The box is empty").is_visible()
        console.page.get_by_role("button", name="Promote rehearsal 1").click()
        console.page.locator(".note", has_text="promoted by you").wait_for()
        console.page.get_by_role("button", name="Discard rehearsal 2").click()
        console.page.get_by_role("button", name="Discard rehearsal 2").wait_for(state="detached")
        events = [event["type"] for event in console.events()]

    assert would == ["Tea", "Rain"]
    assert empty
    assert "rehearsal_promoted" in events
    assert "rehearsal_dropped" in events


def test_an_empty_box_says_that_another_talk_has_one_of_its_own(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "Hello.") as console:
        console.sign_in()
        console.say("Hi.")
        console.tab("Notes")
        alone = console.page.locator(".empty").first.inner_text()
        console.program.run("run", *CONFIG, typed="/notes add likes tea\n")
        console.page.reload()
        console.tab("Notes")
        console.page.get_by_text("choose another one above").wait_for()
        console.page.locator("#notes-talk").select_option(label="main (console)")
        console.page.get_by_text("likes tea").wait_for()

    assert "choose another one above" not in alone


def test_what_would_be_refused_says_why(browser: Any, tmp_path: Path) -> None:
    document = config(saves("Tea"), "Rehearsed.", mode="shadow")
    with open_console(browser, tmp_path, document=document) as console:
        console.program.run("notes", "add", "One", "--channel", "http", *CONFIG)
        console.program.run("notes", "add", "Two", "--channel", "http", *CONFIG)
        console.sign_in()
        console.say("I like tea.")
        console.tab("Notes")
        refused = console.page.locator(".note.refused .hint").inner_text()
        console.page.get_by_role("button", name="Promote rehearsal 1").click()
        console.page.locator("#toast.shown").wait_for()
        told = console.page.locator("#toast").inner_text()

    assert refused.startswith("the box is full · rehearsal 1")
    assert "full" in told.lower()


def test_a_note_is_added_dropped_and_the_box_cleared_after_a_question(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path) as console:
        console.sign_in()
        console.tab("Notes")
        for text in ("Tea", "Rain"):
            console.page.get_by_label("A note of your own").fill(text)
            console.page.keyboard.press("Enter")
            console.page.locator(".note-text", has_text=text).first.wait_for()
        console.page.get_by_role("button", name="Drop note 1").click()
        console.page.get_by_role("button", name="Drop it").click()
        console.page.get_by_role("button", name="Drop note 1").wait_for(state="detached")
        console.page.get_by_role("button", name="Clear this box").click()
        question = console.page.get_by_role("dialog").inner_text()
        console.page.get_by_role("button", name="Cancel").click()
        kept = console.page.locator("ol.notes .note-text").all_inner_texts()
        console.page.get_by_role("button", name="Clear this box").click()
        console.page.get_by_role("button", name="Clear the box").click()
        console.page.get_by_text("The box is empty").wait_for()

    assert "1 note and 0 rehearsals are forgotten" in question
    assert kept == ["Rain"]


def test_what_another_process_notes_shows_while_one_looks(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path) as console:
        console.sign_in()
        console.tab("Notes")
        console.page.get_by_text("The box is empty").wait_for()
        console.program.run("notes", "add", "From the shell", "--channel", "http", *CONFIG)
        console.page.locator(".note-text", has_text="From the shell").wait_for()


def test_markup_in_a_note_a_message_and_a_reply_stays_text(browser: Any, tmp_path: Path) -> None:
    document = config(saves(MARKUP), MARKUP, mode="shadow")
    with open_console(browser, tmp_path, document=document) as console:
        console.sign_in()
        console.say(MARKUP)
        said = console.page.locator(".message-text").all_inner_texts()
        console.tab("Notes")
        console.page.get_by_role("button", name="Promote rehearsal 1").click()
        console.page.locator(".note", has_text="promoted by you").wait_for()
        noted = console.page.locator(".card:not(.would) .note-text").inner_text()
        console.page.get_by_role("button", name="Drop note 1").click()
        asked = console.page.locator("blockquote").inner_text()
        title = console.page.title()
        made = console.page.locator("main img, main script, dialog img").count()

    assert said == [MARKUP, MARKUP]
    assert (noted, asked) == (MARKUP, MARKUP)
    assert (title, made) == ("brain", 0)


@pytest.mark.proves("P10")
def test_a_switch_shows_what_would_have_changed_and_edits_one_word_of_the_file(
    browser: Any, tmp_path: Path
) -> None:
    document = config(saves("Tea"), "Rehearsed.", saves("Rain"), "Saved.", mode="shadow")
    with open_console(browser, tmp_path, document=document) as console:
        path = console.program.folder / "talk.json"
        before = path.read_bytes()
        console.sign_in()
        console.say("I like tea.")
        console.tab("Policy")
        switch = console.page.get_by_role("group", name="Mode of memory_note")
        switch.get_by_role("button", name="allow").click()
        console.page.get_by_text("1 × memory_note").wait_for()
        asked = console.page.get_by_role("dialog").inner_text()
        still = path.read_bytes()
        console.page.get_by_role("button", name="Apply").click()
        console.page.locator('.segment.allow[data-switch*="[1]"][aria-pressed="true"]').wait_for()
        after = path.read_bytes()
        effects = console.page.locator(".grid summary .chip").all_inner_texts()
        console.tab("Talk")
        console.say("I like rain.")
        line = console.page.locator(".runtime-line.saved").inner_text()

    assert "Of 1 call on record 1 would have been decided otherwise" in asked
    assert still == before
    assert after == before.replace(b'"mode": "shadow"', b'"mode": "allow"')
    assert effects == ["allow"] * 4
    assert line == "brain saved note 1"


def test_a_switch_made_from_an_older_text_of_the_file_changes_nothing(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path) as console:
        console.sign_in()
        console.tab("Policy")
        switch = console.page.get_by_role("group", name="Mode of memory_note")
        switch.get_by_role("button", name="deny").click()
        console.page.get_by_text("there is nothing to compare with").wait_for()
        changed = read_json(console.program.folder / "talk.json")
        changed["brains"][0]["agent"]["memory"]["max_notes"] = 5
        console.write(changed)
        console.page.get_by_role("button", name="Apply").click()
        console.page.get_by_text("The file was changed meanwhile.").wait_for()
        kept = read_json(console.program.folder / "talk.json")

    assert kept == changed


@pytest.mark.proves("P1", "P10")
def test_an_invalid_config_is_refused_with_each_problem_at_its_line(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path) as console:
        path = console.program.folder / "talk.json"
        before = path.read_text(encoding="utf-8")
        console.sign_in()
        console.tab("Config")
        area = console.page.get_by_label("Text of the config file")
        area.fill(before.replace('"private"', '"privat"').replace('"priority"', '"priorty"'))
        console.page.get_by_role("button", name="Save and apply").click()
        console.page.locator(".problem").nth(1).wait_for()
        problems = console.page.locator(".problem").all_inner_texts()
        console.page.locator(".problem button.link").first.click()
        marked = area.evaluate("area => area.value.slice(area.selectionStart - 1).split('\\n')[0]")
        after = path.read_text(encoding="utf-8")

    assert len(problems) == 2
    assert "sensitivity" in problems[0] + problems[1]
    assert "privat" in marked
    assert after == before


def test_a_save_of_another_editor_that_was_rejected_is_told(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path) as console:
        console.sign_in()
        console.tab("Config")
        console.page.get_by_label("Text of the config file").wait_for()
        console.write(config(mode="alow"))
        console.page.get_by_text("The last save was rejected").wait_for()
        report = console.page.locator(".report").inner_text()
        console.tab("Policy")
        console.page.locator(".grant-tool").first.wait_for()
        grants = console.page.locator(".grant-tool").all_inner_texts()

    assert "brains[0].agent.governance[1].mode" in report
    assert grants == ["time", "memory_note"]


def test_the_models_show_their_proofs_step_by_step(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path, "Hello.") as console:
        console.sign_in()
        console.say("hi")
        console.tab("Models")
        console.page.locator(".step").first.wait_for()
        card = console.page.locator(".models .card").inner_text()

    assert "scripted/test" in card
    assert "Proved local" in card


@pytest.mark.proves("P11")
def test_what_came_of_a_forgetting_is_said_on_the_page(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path, saves("takes tea without sugar"), "Noted.") as console:
        console.sign_in()
        console.say("She takes tea without sugar.")
        console.tab("Notes")
        console.page.get_by_role("button", name="Drop note 1").click()
        console.page.get_by_role("button", name="Drop it").click()
        console.page.locator(".outcome.elsewhere").wait_for()
        dropped = console.page.locator(".outcome").inner_text()
        console.page.get_by_label("A note of your own").fill("has a small garden")
        console.page.get_by_role("button", name="Add note").click()
        console.page.get_by_role("button", name="Clear this box").click()
        console.page.get_by_role("button", name="Clear the box").click()
        console.page.locator(".outcome.clean").wait_for()
        cleared = console.page.locator(".outcome").inner_text()

    assert "Note 1 is gone. brain's files are clean." in dropped
    assert "the transcript: 1 row with some of the same words" in dropped
    assert "Cleared: 1 note, 0 rehearsals. No copy is left in brain's files." in cleared
