"""What of an answer is shown, however it is cut into pieces."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.agent import stream
from brain.agent.lane import TextReader
from brain.agent.native_lane import could_be_calls
from brain.agent.stream import NativeReader, Reading, ThoughtFilter
from brain.agent.tool_tags import TalkBeforeCall
from brain.records import ToolCall, ToolSpec

TIME = ToolSpec(name="time", description="The time.", parameters={"type": "object"})
NOTE = ToolSpec(name="memory_note", description="Notes.", parameters={"type": "object"})
CALL = ToolCall(id="call", name="memory_note", arguments={"note": "likes tea"})
CALL_TEXT = '{"name": "memory_note", "arguments": {"note": "likes tea"}}'


def read(
    pieces: list[str], *, tools: tuple[ToolSpec, ...] = (TIME, NOTE)
) -> tuple[list[str], Reading]:
    """Return what was shown after each piece, and what the answer was."""
    reader = NativeReader(tools)
    return [reader.feed(piece) for piece in pieces], reader.finish()


def shown_of(pieces: list[str], *, tools: tuple[ToolSpec, ...] = (TIME, NOTE)) -> str:
    shown, reading = read(pieces, tools=tools)
    return "".join(shown) + reading.rest


def cut(text: str, cuts: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(at % (len(text) + 1) for at in cuts)})
    return [text[first:last] for first, last in pairwise(edges)]


def test_plain_text_is_shown_as_it_comes():
    shown, reading = read(["Hel", "lo ", "there", "."])
    assert shown == ["Hel", "lo", " there", "."]
    assert reading == Reading(rest="", text="Hello there.")


def test_blanks_around_an_answer_are_not_shown():
    shown, reading = read([" \n", "Hello", "\n\n", "you", "\n"])
    assert shown == ["", "Hello", "", "\n\nyou", ""]
    assert reading == Reading(rest="", text="Hello\n\nyou")


def test_a_json_call_of_an_announced_tool_is_held_and_taken():
    assert read(list(CALL_TEXT)) == (
        [""] * len(CALL_TEXT),
        Reading(rest="", text="", calls=(CALL,)),
    )


def test_other_json_is_shown_as_soon_as_its_first_key_says_that_it_is_no_call():
    shown, reading = read(['{"t', 'itle": ', '"Tea"}'])
    assert shown == ["", '{"title":', ' "Tea"}']
    assert reading.calls == ()


def test_json_that_names_a_tool_which_is_not_announced_is_an_answer():
    text = '{"name": "format_disk", "arguments": {}}'
    shown, reading = read([text])
    assert ("".join(shown) + reading.rest, reading.text, reading.calls) == (text, text, ())


def test_a_call_followed_by_talk_is_an_answer():
    text = CALL_TEXT + "\nThat is how a call looks."
    assert shown_of(list(text)) == text


def test_code_in_a_fence_is_shown_at_once_and_a_call_in_a_fence_is_taken():
    shown, _ = read(["```", "py", "thon\n", "print(1)\n```"])
    assert "".join(shown[:2]) == "```py"
    _, reading = read(["```json\n", CALL_TEXT, "\n```"])
    assert reading.calls == (CALL,)


def test_a_long_text_that_looks_like_a_call_is_not_read_over_and_over(
    monkeypatch: pytest.MonkeyPatch,
):
    looks = []

    def counted(text: str, names: frozenset[str]) -> bool:
        looks.append(len(text))
        return could_be_calls(text, names)

    monkeypatch.setattr(stream, "could_be_calls", counted)
    pieces = ['{"id": 1, "name": "time", "arguments": {}, "list": ['] + ['{"a": 1}, '] * 5000
    shown, reading = read(pieces)
    assert "".join(shown) + reading.rest == "".join(pieces).strip()
    assert sum(looks) < 10 * len("".join(pieces))


def test_without_tools_nothing_is_held():
    shown, reading = read(["{", '"name": "time"', "}"], tools=())
    assert shown == ["{", '"name": "time"', "}"]
    assert reading == Reading(rest="", text='{"name": "time"}')


def test_a_call_in_pythons_dress_is_held_until_talk_follows_it():
    reader = NativeReader((TIME, NOTE))
    assert [reader.feed(piece) for piece in ("time", "(zone=", '"UTC")')] == ["", "", ""]
    assert reader.feed(" tells it") == 'time(zone="UTC") tells it'
    assert reader.finish().calls == ()


def test_a_tool_tag_is_held_and_its_call_is_taken():
    shown, reading = read(["<tool", "_call>\n", CALL_TEXT, "\n</tool_call>"])
    assert shown == [""] * 4
    assert reading.calls == (CALL,)


def test_thinking_is_taken_out_wherever_it_stands():
    text = "<think>secret</think>\n\nHello <THINKING>more\nsecret</THINKING>you"
    assert shown_of([text]) == "Hello you"


def test_an_answer_that_is_only_thinking_is_empty():
    assert read(["<think>", "secret", "</think>", "\n"])[1] == Reading(rest="", text="")
    assert read(["<think>", "secret that never ends"])[1] == Reading(rest="", text="")


def test_what_was_before_a_closing_tag_that_nothing_opened_is_not_kept():
    _, reading = read(["secret", " thoughts\n", "</think>", "\n\nHello"])
    assert reading.text == "Hello"


def test_a_call_after_thinking_is_still_a_call():
    _, reading = read(["secret </think>", CALL_TEXT])
    assert reading.calls == (CALL,)
    _, reading = read(["<think>hm</think>\n", CALL_TEXT])
    assert reading.calls == (CALL,)


def test_a_tag_that_is_written_about_in_backticks_stays():
    text = "The tags are `<think>` and `</think>`, a < b."
    assert shown_of(list(text)) == text


THOUGHTS = st.text(alphabet="SECRT <>/\n", max_size=12).map(
    lambda thought: f"<think>{thought.replace('<', '(')}</think>"
)
WORDS = st.text(alphabet='ab <>/`{}"\n', max_size=12)


@given(st.lists(st.tuples(WORDS, THOUGHTS), max_size=4), WORDS, st.lists(st.integers(0, 200)))
def test_however_it_is_cut_no_thought_is_shown_and_the_same_text_comes_out(
    parts: list[tuple[str, str]], last: str, cuts: list[int]
):
    parts = [(word.replace("`", "'"), thought) for word, thought in parts]
    text = "".join(word + thought for word, thought in parts) + last
    shown = shown_of(cut(text, cuts), tools=())
    assert shown == ("".join(word for word, _ in parts) + last).strip()
    assert not set("SECRT") & set(shown)


@given(st.text(), st.lists(st.integers(0, 500)))
def test_however_it_is_cut_an_answer_reads_the_same_and_what_was_shown_is_its_text(
    text: str, cuts: list[int]
):
    shown, reading = read(cut(text, cuts))
    assert "".join(shown) + reading.rest == reading.text
    assert reading.text == read([text])[1].text


PARTS = st.lists(
    st.sampled_from(
        [
            "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "<|im_end|>", "```", "```json\n", "`", "\n",
            " ", CALL_TEXT, CALL_TEXT[:20], '{"do": "time"}', '{"do": "reply", "reply": "', "time(", ")",
            "Sure!", "<think>", "</think>", "<", "{", '"}', "]",
        ]
    ),
    max_size=8,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("lane", ["native", "text", "free"])
@given(PARTS, st.lists(st.integers(0, 300)), st.booleans())
def test_however_marks_and_calls_are_mixed_and_cut_the_outcome_is_that_of_the_whole(
    lane: str, text: str, cuts: list[int], may_begin: bool
):
    def reader() -> NativeReader | TextReader:
        if lane == "native":
            return NativeReader((TIME, NOTE), may_begin_thinking=may_begin)
        return TextReader(
            (TIME, NOTE), constrained=lane == "text", call_id="call", may_begin_thinking=may_begin
        )

    whole, cut_up = reader(), reader()
    once = whole.feed(text)
    pieces = [cut_up.feed(piece) for piece in cut(text, cuts)]
    first, second = whole.finish(), cut_up.finish()
    assert (second.text, second.calls) == (first.text, first.calls)
    if "</think>" not in text:  # such a tag takes back what was shown before it
        assert "".join(pieces) + second.rest == once + first.rest == first.text


ARGUMENTS = st.dictionaries(
    st.text(max_size=8), st.text(max_size=8) | st.integers() | st.booleans(), max_size=3
)
FRAMES = st.sampled_from(
    ["{}", "  {}\n", "```json\n{}\n```", "```\n{}```", "<tool_call>{}</tool_call>", "[{}]"]
)


@given(ARGUMENTS, FRAMES, st.booleans(), st.lists(st.integers(0, 500)))
def test_however_it_is_framed_and_cut_a_call_never_leaks_into_the_stream(
    arguments: dict[str, object], frame: str, as_string: bool, cuts: list[int]
):
    given_arguments = json.dumps(arguments) if as_string else arguments
    text = frame.replace("{}", json.dumps({"name": "time", "arguments": given_arguments}))
    shown, reading = read(cut(text, cuts))
    assert ("".join(shown), reading) == (
        "",
        Reading(rest="", text="", calls=(ToolCall(id="call", name="time", arguments=arguments),)),
    )


MARKS = st.lists(
    st.sampled_from(
        ["<tool_call>", "[TOOL_CALLS]", "<function=", "```", "`", "\n", " ", "{", "time(", "a"]
    )
    | st.text(alphabet="<>[]`_tolcaTOLC|\n ", max_size=4),
    max_size=8,
).map("".join)


@given(MARKS, st.lists(st.integers(0, 100)))
def test_however_it_is_cut_talk_and_the_call_behind_it_are_the_same(text: str, cuts: list[int]):
    def split(pieces: list[str]) -> tuple[str, str | None]:
        talk = TalkBeforeCall()
        shown = "".join([*(talk.feed(piece) for piece in pieces), talk.finish()])
        return shown, talk.call

    shown, call = split(cut(text, cuts))
    assert (shown, call) == split([text])
    assert shown + (call or "") == text


@given(THOUGHTS, WORDS, st.lists(st.integers(0, 100)), st.booleans())
def test_however_it_is_cut_thinking_that_nothing_opened_is_never_let_through(
    thought: str, word: str, cuts: list[int], is_cut: bool
):
    word = word.replace("`", "'")
    for text in (thought.removeprefix("<think>") + word, thought + word):
        thoughts = ThoughtFilter(may_begin_inside=True)
        shown = "".join(thoughts.feed(piece) for piece in cut(text, cuts))
        assert shown + thoughts.finish(is_cut=is_cut) == word


@given(st.lists(st.text(alphabet="<>/thinkTHINK`x", max_size=6)))
def test_any_pieces_pass_the_filter_as_their_whole_does(pieces: list[str]):
    def filtered(parts: list[str]) -> str:
        thoughts, shown = ThoughtFilter(), ""
        for part in parts:
            passed = thoughts.feed(part)
            shown = passed if thoughts.take_forgotten() else shown + passed
        return shown + thoughts.finish()

    assert filtered(pieces) == filtered(["".join(pieces)])
