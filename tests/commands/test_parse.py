"""The first token of a message, read."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain.commands import COMMANDS, RESERVED, Parsed, parse

TRIGGERS = ("/new", "/reset")


def on_console(text: str) -> Parsed:
    return parse(text, triggers=TRIGGERS, channel_type="console")


def on_http(text: str) -> Parsed:
    return parse(text, triggers=TRIGGERS, channel_type="http")


def command(name: str, rest: str = "") -> Parsed:
    return Parsed(kind="command", name=name, rest=rest)


def as_text(text: str) -> Parsed:
    return Parsed(kind="text", name="", rest=text)


@pytest.mark.proves("P7")
@pytest.mark.parametrize("name", RESERVED)
@pytest.mark.parametrize("channel_type", ["console", "http", "webhook", "mcp"])
def test_a_reserved_command_is_a_command_on_every_channel_without_any_trigger(
    name: str, channel_type: str
) -> None:
    parsed = parse(f"/{name}", triggers=(), channel_type=channel_type)

    assert parsed == command(name)


@pytest.mark.proves("P7")
@pytest.mark.parametrize("name", ["new", "reset"])
def test_the_usual_triggers_are_answered_where_no_session_is_configured(name: str) -> None:
    assert parse(f"/{name} hi", triggers=(), channel_type="http") == command(name, "hi")


@pytest.mark.parametrize(
    "text",
    [
        "/notes",
        "  /notes",
        "\n\t/notes\n",
        "\u3000/notes",
        "\u2028/notes",
        "\ufeff/notes",
        "\u200b\u2060 /notes",
        "/NOTES",
        "/Note\u017f",
        "\uff0fnotes",
        "/notes@brain_bot",
        "/NOTES@Brain",
        "/notes@",
        "/notes\u200b",
        "/no\u2060tes \ufeff ",
    ],
)
def test_the_first_token_is_read_past_what_nobody_sees_or_means(text: str) -> None:
    assert on_http(text) == command("notes")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("/notes clear", "clear"),
        ("/notes\tclear", "clear"),
        ("/notes\nclear", "clear"),
        ("/notes\u00a0clear now", "clear now"),
        ("/notes add  two  spaces ", "add  two  spaces "),
        ("/notes add one\nline more", "add one\nline more"),
        ("/notes \u200b\n", ""),
    ],
)
def test_what_follows_the_first_token_is_kept_as_it_was_typed(text: str, rest: str) -> None:
    assert on_http(text) == command("notes", rest)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\ufeff",
        "hello",
        "see /notes",
        '"/notes"',
        "'/notes'",
        "`/notes`",
        "> /notes",
        "«/notes»",
        "/",
        "/ notes",
        "//notes",
        "/notes/clear",
        "/var/log",
        "/var/log/syslog is full",
        "\uff0fvar\uff0flog",
        "/@notes",
        "/5",
        "/-)",
        "\\notes",
    ],
)
@pytest.mark.parametrize("read", [on_console, on_http])
def test_a_path_a_quote_and_anything_embedded_is_text_everywhere(text: str, read: object) -> None:
    assert callable(read)
    assert read(text) == as_text(text)


def test_an_unknown_word_is_told_apart_on_the_console_alone() -> None:
    assert on_console("/nots clear") == Parsed(kind="unknown", name="nots", rest="clear")
    assert on_console("\ufeff/nots") == Parsed(kind="unknown", name="nots", rest="")
    assert on_http("/nots clear") == as_text("/nots clear")


@pytest.mark.parametrize("text", [" /nots", "\n/nots", "\u3000/nots", "\ufeff /nots"])
def test_white_space_before_an_unknown_word_sends_it_to_the_model(text: str) -> None:
    assert on_console(text) == as_text(text)


def test_a_trigger_keeps_the_rest_as_the_first_message_of_the_new_session() -> None:
    assert on_http("/new hello\nthere") == Parsed(kind="trigger", name="new", rest="hello\nthere")
    assert on_http("/RESET@bot") == Parsed(kind="trigger", name="reset", rest="")
    assert on_http("/new /recall 3") == Parsed(kind="trigger", name="new", rest="/recall 3")


def test_after_a_trigger_a_second_space_still_sends_an_unknown_word_to_the_model() -> None:
    cut = on_console("/new  /nots")

    assert on_console(cut.rest) == as_text(" /nots")


def test_a_configured_trigger_is_matched_without_regard_to_case_or_slash_width() -> None:
    parsed = parse("\uff0fFRESH now", triggers=("/Fresh",), channel_type="http")

    assert parsed == Parsed(kind="trigger", name="fresh", rest="now")


def test_a_very_long_word_is_text() -> None:
    text = "/" + "a" * 1_000_000

    assert on_console(text) == as_text(text)


messages = st.text() | st.builds(
    "".join,
    st.lists(
        st.sampled_from(
            (
                *("/", "\uff0f", "@", " ", "\n", "\ufeff", "\u200b", "\u2028", "\ud800", "\0"),
                *(*COMMANDS, "NOTES", "var", "\u017f", "\u0130", "x"),
            )
        )
    ),
)


@given(text=messages, channel_type=st.sampled_from(["console", "http", "webhook", "mcp"]))
@example(text="/\u0130", channel_type="console")
def test_any_message_is_read_and_reading_its_text_again_changes_nothing(
    text: str, channel_type: str
) -> None:
    parsed = parse(text, triggers=TRIGGERS, channel_type=channel_type)

    match parsed.kind:
        case "text":
            assert parsed == as_text(text)
        case "command":
            assert parsed.name in COMMANDS
        case "trigger":
            assert parsed.name in {"new", "reset"}
        case "unknown":
            assert channel_type == "console"
            assert parsed.name not in COMMANDS
    assert text.endswith(parsed.rest)
    if parsed.kind != "text":
        again = parse(f"/{parsed.name}", triggers=TRIGGERS, channel_type=channel_type)
        assert again == Parsed(kind=parsed.kind, name=parsed.name, rest="")
