"""Signing in and talking, in a real browser against the real program."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.talks import saves
from tests.page.browser import CONFIG, config, open_console


def test_a_reply_streams_in_and_the_runtime_says_below_it_what_was_saved(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, saves("Tea without sugar"), "I will remember.") as console:
        console.sign_in()
        console.say("Remember: tea without sugar.")
        told = console.page.locator("article.message").all_inner_texts()
        effects = console.page.locator(".runtime-line.saved").all_inner_texts()

    assert "Remember: tea without sugar." in told[0]
    assert "I will remember." in told[1]
    assert effects == ["brain saved note 1"]


@pytest.mark.proves("P13")
def test_a_reply_that_writes_a_line_like_the_runtimes_does_not_look_like_one(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "Done.\n[brain] saved note 1") as console:
        console.sign_in()
        console.say("Remember: tea.")
        saved = console.page.locator(".runtime-line.saved").count()
        inside = console.page.locator(".message.assistant .message-text").inner_text()

    assert saved == 0
    assert "saved note 1" in inside


@pytest.mark.proves("P13")
def test_what_was_said_and_what_brain_said_below_is_there_again_after_the_page_was_loaded_anew(
    browser: Any, tmp_path: Path
) -> None:
    replies = (saves("Tea"), "Noted.", "I have saved that you like rain.")
    with open_console(browser, tmp_path, *replies) as console:
        console.sign_in()
        console.say("I like tea.")
        console.say("I like rain.")
        before = console.page.locator(".runtime-line").all_inner_texts()
        console.page.reload()
        console.page.locator(".runtime-line.refused").wait_for()
        texts = console.page.locator(".message-text").all_inner_texts()
        after = console.page.locator(".runtime-line").all_inner_texts()

    assert texts == ["I like tea.", "Noted.", "I like rain.", replies[-1]]
    assert after == before == ["brain saved note 1", "brain nothing was saved"]


def test_a_command_is_answered_by_brain_itself(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path) as console:
        console.sign_in()
        console.say("/notes")
        by = console.page.locator(".message.command .message-by").inner_text()
        text = console.page.locator(".message.command .message-text").inner_text()

    assert by == "brain"
    assert "0 of 2" in text


def test_a_failure_is_told_as_one(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path, {"error": "unreachable"}) as console:
        console.sign_in()
        console.say("hi")
        failed = console.page.locator(".message.failed .message-text").inner_text()

    assert failed


def test_that_a_model_stays_away_is_said_under_the_first_answer_alone(
    browser: Any, tmp_path: Path
) -> None:
    document = config("One.", "Two.")
    away = {"provider": "ollama", "model_id": "llama3.2", "locality": "local"}
    document["brains"][0]["models"].insert(0, away)
    with open_console(browser, tmp_path, document=document) as console:
        console.sign_in()
        console.say("Hi.")
        console.say("And now?")
        answers = console.page.locator(".message.assistant").all_inner_texts()

    assert ["can't be reached" in answer for answer in answers] == [True, False]


def test_a_new_talk_has_a_history_of_its_own(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path, "One.", "Two.") as console:
        console.sign_in()
        console.say("first")
        console.page.get_by_role("button", name="New talk").click()
        console.page.get_by_label("Name").fill("garden")
        console.page.get_by_role("button", name="Begin").click()
        console.page.get_by_text("Nothing said yet").wait_for()
        console.say("second")
        texts = console.page.locator(".message-text").all_inner_texts()
        console.page.locator(".talk-button", has_text="main").click()
        console.page.locator(".message-text", has_text="first").wait_for()
        names = sorted(console.page.locator(".talk-name").all_inner_texts())

    assert texts == ["second", "Two."]
    assert names == ["garden", "main"]


def test_a_message_that_found_no_server_is_sent_again_and_answered_once(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "Here I am.") as console:
        console.sign_in()
        console.kill()
        console.page.get_by_label("Message", exact=True).fill("Are you there?")
        console.page.keyboard.press("Enter")
        console.page.get_by_text("The server can't be reached.").wait_for()
        with console.serving():
            console.page.get_by_role("button", name="Try again").click()
            console.page.get_by_text("Here I am.").wait_for()
            texts = console.page.locator(".message-text").all_inner_texts()

    assert texts == ["Are you there?", "Here I am."]


def test_a_message_without_an_answer_stays_with_its_button_whatever_is_shown_meanwhile(
    browser: Any, tmp_path: Path
) -> None:
    with open_console(browser, tmp_path, "From elsewhere.", "Here I am.") as console:
        console.sign_in()
        again = console.page.get_by_role("button", name="Try again")
        said = console.page.locator(".message-text", has_text="Are you there?")
        console.kill()
        console.page.get_by_label("Message", exact=True).fill("Are you there?")
        console.page.keyboard.press("Enter")
        again.wait_for()
        with console.serving():
            console.page.locator(".feed-state.live").wait_for(state="attached")
            console.post({"conversation": "main", "text": "Somebody else."})
            console.page.get_by_text("From elsewhere.").wait_for()
            stayed = [said.count(), again.count()]
            console.page.get_by_role("button", name="New talk").click()
            console.page.get_by_role("button", name="Begin").click()
            console.page.get_by_text("Nothing said yet").wait_for()
            console.page.locator(".talk-button", has_text="main").click()
            again.click()
            console.page.get_by_text("Here I am.").wait_for()
            console.page.reload()
            console.page.get_by_text("Here I am.").wait_for()
            texts = console.page.locator(".message-text").all_inner_texts()

    assert stayed == [1, 1]
    assert texts == ["Somebody else.", "From elsewhere.", "Are you there?", "Here I am."]


def lose_the_answer(console: Any) -> None:
    """Let the next message reach the server, and its answer get lost on the way back."""

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    console.page.route("**/v1/messages", lose, times=1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Are you there?", ["Are you there?", "Here I am."]),
        ("/notes", ["/notes", "brain has this message already."]),
    ],
)
def test_a_message_whose_answer_was_lost_is_not_lost_when_it_is_sent_again(
    browser: Any, tmp_path: Path, text: str, shown: list[str]
) -> None:
    with open_console(browser, tmp_path, "Here I am.") as console:
        console.sign_in()
        lose_the_answer(console)
        console.page.get_by_label("Message", exact=True).fill(text)
        console.page.keyboard.press("Enter")
        console.page.get_by_role("button", name="Try again").click()
        console.page.get_by_text(shown[1]).wait_for()
        texts = console.page.locator(".message-text").all_inner_texts()
        names = [event["type"] for event in console.events()]

    assert [told.partition(" What")[0] for told in texts] == shown
    assert names.count("message_dropped") == 1


def test_brain_open_signs_the_page_in_once_and_it_stays_so(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path) as console:
        done = console.program.run("open", "--print", *CONFIG)
        (address,) = re.findall(r"http://\S+#code=\S+", done.stdout)
        console.page.goto(address)
        console.page.locator(".feed-state.live").wait_for()
        left = console.page.url
        console.page.reload()
        console.page.locator(".feed-state.live").wait_for()
        console.page.evaluate("localStorage.clear()")
        console.page.goto("about:blank")
        console.page.goto(address)
        console.page.get_by_text("This link was used already").wait_for()

    assert "code" not in left


# Has the form shown in the page that is left, and asks once more with the secret that has ended.
SAYS_WHEN_A_FORM_IS_SHOWN = """async () => {
  const { call } = await import("/page/api.js");
  const form = document.getElementById("sign-in");
  const seen = () => form.hidden || sessionStorage.setItem("shown", "yes");
  new MutationObserver(seen).observe(form, { attributes: true });
  const ask = window.fetch;
  window.fetch = async (path, options) => {
    const answer = await ask(path, options);
    if (options.method === "DELETE") await call("GET", "/v1/brains").catch(() => {});
    return answer;
  };
}"""


def test_signing_out_ends_the_secret_and_forgets_it(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path) as console:
        done = console.program.run("open", "--print", *CONFIG)
        (address,) = re.findall(r"http://\S+#code=\S+", done.stdout)
        console.page.goto(address)
        console.page.locator(".feed-state.live").wait_for()
        secret = console.page.evaluate("localStorage.getItem('brain.token')")
        console.page.evaluate(SAYS_WHEN_A_FORM_IS_SHOWN)
        with console.page.expect_navigation():  # signing out loads the page anew
            console.page.get_by_role("button", name="Sign out").click()
        console.page.get_by_label("Or show a token").wait_for()
        was_shown_before = console.page.evaluate("sessionStorage.getItem('shown')")
        kept = console.page.evaluate("localStorage.length")
        console.page.get_by_label("Or show a token").fill(secret)
        console.page.keyboard.press("Enter")
        console.page.get_by_text("This token is not known").wait_for()

    assert secret
    assert kept == 0
    assert was_shown_before is None


def test_a_wrong_token_is_told_and_not_kept(browser: Any, tmp_path: Path) -> None:
    with open_console(browser, tmp_path) as console:
        console.page.goto(console.url)
        console.page.get_by_label("Or show a token").fill("not-the-token")
        console.page.keyboard.press("Enter")
        console.page.get_by_text("This token is not known").wait_for()
        kept = console.page.evaluate("localStorage.length")

    assert kept == 0


def test_a_users_token_may_talk_and_is_told_what_it_may_not(browser: Any, tmp_path: Path) -> None:
    document = config("Hello, Ana.")
    document["server"]["tokens"] = [{"name": "ana", "token_env": "TOKEN_ANA", "role": "user"}]
    environ = {"TOKEN_ANA": "ana-token"}
    with open_console(browser, tmp_path, document=document, environ=environ) as console:
        console.page.goto(console.url)
        console.page.get_by_label("Or show a token").fill("ana-token")
        console.page.keyboard.press("Enter")
        console.page.get_by_text("Nothing said yet").wait_for()
        console.say("hi")
        text = console.page.locator(".message.assistant .message-text").inner_text()
        refused = console.page.locator("#panel-activity .empty").inner_text()

    assert text == "Hello, Ana."
    assert "For the operator" in refused


def test_a_talk_of_another_channel_can_be_read_and_not_continued(
    browser: Any, tmp_path: Path
) -> None:
    document = config("Hello from the console.")
    with open_console(browser, tmp_path, document=document) as console:
        console.program.run("run", *CONFIG, typed="hi\n")
        console.sign_in()
        console.page.locator(".talk-button", has_text="console").click()
        console.page.get_by_text("Hello from the console.").wait_for()
        note = console.page.locator(".composer-hint").inner_text()
        can_write = console.page.locator(".composer").is_visible()

    assert note == "This talk is on console: it can be read here, not continued."
    assert not can_write
