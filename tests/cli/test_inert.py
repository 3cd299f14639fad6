"""What a terminal would obey is not printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.cli.inert import Inert, inert

DANGEROUS = "\x1b\x9b\x9d\x90\x07\x08\r\x00\x7f\u202e\u2066\U000e0041\ud800"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("buy milk\n\tand tea", "buy milk\n\tand tea", id="plain text stays"),
        pytest.param("a\x1b[31mred\x1b[0mb", "aredb", id="colour"),
        pytest.param("a\x1b[2J\x1b[Hb", "ab", id="clear screen and home"),
        pytest.param("a\x9b31mred", "ared", id="8-bit csi"),
        pytest.param("a\x1b]0;title\x07b", "ab", id="window title ended by bell"),
        pytest.param("a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb", id="hyperlink"),
        pytest.param("a\x1b]52;c;ZXZpbA==\x07b", "ab", id="clipboard"),
        pytest.param("a\x9d52;c;eA==\x9cb", "ab", id="8-bit osc"),
        pytest.param("a\x1bP+q544e\x1b\\b", "ab", id="dcs"),
        pytest.param("a\x1b(0b", "ab", id="charset with an intermediate byte"),
        pytest.param("a\x1bcb", "ab", id="full reset"),
        pytest.param("a\x1b]0;never ended\nb", "a\nb", id="unfinished string ends with its line"),
        pytest.param("a\x1b[1;\u00e9b", "a\u00e9b", id="broken csi gives the text back"),
        pytest.param("one\rtwo\b\b", "onetwo", id="overwriting"),
        pytest.param("a\x00b\x7fc", "abc", id="nul and del"),
        pytest.param("safe\u202eexe.txt", "safeexe.txt", id="right-to-left override"),
        pytest.param("hi\U000e0061\U000e007f", "hi", id="tag characters"),
        pytest.param("\ud83d", "\ufffd", id="half of a surrogate pair"),
        pytest.param("日本語 한국어 👩\u200d👧 می\u200cخواهم", "日本語 한국어 👩\u200d👧 می\u200cخواهم", id="joiners stay"),
    ],
)  # fmt: skip
def test_a_terminal_sees_text_only(text: str, shown: str) -> None:
    assert inert(text) == shown


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(DANGEROUS + "[]P;m0\\"))))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = inert(text)

    assert not [
        character
        for character in shown
        if (ord(character) < 32 and character not in "\n\t")
        or 127 <= ord(character) <= 159
        or 0xD800 <= ord(character) <= 0xDFFF
    ]
    assert inert(shown) == shown


@given(st.lists(st.text(alphabet=st.sampled_from("ab\n\x1b[]0;m\x07\x9b\\")), max_size=8))
def test_it_does_not_matter_where_a_text_was_cut(pieces: list[str]) -> None:
    stream = Inert()

    assert "".join(stream.feed(piece) for piece in pieces) == inert("".join(pieces))


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_is_not_touched(text: str) -> None:
    assert inert(text) == text
