"""A reply can't pass for a line of the runtime."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.cli.inert import inert
from brain.cli.voice import MARK, ReplyText, below
from brain.records import Effect, Reply


def shown(*pieces: str) -> str:
    text = ReplyText()
    return "".join(text.feed(piece) for piece in pieces) + text.finish()


@pytest.mark.parametrize(
    ("reply", "printed"),
    [
        pytest.param("Done.", "Done.", id="an ordinary reply"),
        pytest.param("[brain] saved note 1", " [brain] saved note 1", id="at the start"),
        pytest.param("Done.\n[Brain] saved", "Done.\n [Brain] saved", id="on a later line"),
        pytest.param("a [brain] b", "a [brain] b", id="inside a line"),
        pytest.param("[br", "[br", id="a beginning only"),
        pytest.param("\n\n[brain]", "\n\n [brain]", id="after empty lines"),
        pytest.param("[br\x1b[0main] x", " [brain] x", id="cut by a control sequence"),
    ],
)
def test_a_line_of_a_reply_does_not_begin_with_the_mark(reply: str, printed: str) -> None:
    assert shown(reply) == printed


@given(st.lists(st.text(alphabet=st.sampled_from("[brain] \nx\x1b")), max_size=6))
def test_pieces_print_as_the_whole_does_and_no_line_begins_with_the_mark(pieces: list[str]) -> None:
    printed = shown(*pieces)

    assert printed == shown("".join(pieces))
    assert not [line for line in printed.split("\n") if line.casefold().startswith(MARK)]
    assert printed.replace(" ", "") == inert("".join(pieces)).replace(" ", "")


def test_each_effect_has_its_marked_line() -> None:
    reply = Reply(
        text="Noted.",
        outcome="answered",
        effects=(Effect(kind="saved", number=2), Effect(kind="refused", reason="the box is full")),
    )

    assert below(reply) == ("[brain] saved note 2", "[brain] not saved: the box is full")


@pytest.mark.proves("P13")
def test_the_truth_stands_where_the_effects_would() -> None:
    reply = Reply(text="I saved it.", outcome="answered", truth="nothing was saved")

    assert below(reply) == ("[brain] nothing was saved",)
