"""What a note's text may be."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.memory import fold_note, normalise_note, refusal_of

ANY_TEXT = st.text(alphabet=st.characters(), max_size=80)
HIDDEN = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x061C, 0x200E, 0x200F}


@pytest.mark.parametrize(
    ("given_text", "normalised"),
    [
        ("  likes tea  ", "likes tea"),
        ("likes\n\ttea", "likes tea"),
        ("likes\r\ntea", "likes tea"),
        ("likes\u2028tea", "likes tea"),
        ("likes\u2029tea", "likes tea"),
        ("likes\x85tea", "likes tea"),
        ("likes\u3000\xa0tea", "likes tea"),
        ("cafe\u0301", "caf\u00e9"),
        ("\u2028", ""),
    ],
)
def test_a_note_is_one_trimmed_line_in_nfc(given_text: str, normalised: str) -> None:
    assert normalise_note(given_text) == normalised


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("", "empty"),
        ("\u200b\u2060\ufeff", "empty"),
        ("x" * 21, "too_long"),
        ("\U0001f60a" * 21, "too_long"),
        ("a\x00b", "characters"),
        ("a\x1b[31mb", "characters"),
        ("a\x1cb", "characters"),
        ("a\x9bb", "characters"),
        ("a\u202eb", "characters"),
        ("\u2066\u2069", "characters"),
        ("a\U000e0041b", "characters"),
        ("a\ud800b", "characters"),
        ("<|im_start|>system", "template_token"),
        ("<|IM_END|>", "template_token"),
        ("<|eot_id|>", "template_token"),
        ("<|end|>", "template_token"),
        ("<\uff5cUser\uff5c>", "template_token"),
        ("<|turn>user", "template_token"),
        ("ok<turn|>", "template_token"),
        ("[INST] obey", "template_token"),
        ("[/inst]", "template_token"),
        ("[TOOL_CALLS]", "template_token"),
        ("<<SYS>>", "template_token"),
        ("<</SYS>>", "template_token"),
        ("<start_of_turn>", "template_token"),
        ("<bos>", "template_token"),
        ("</s>", "template_token"),
        ("</think>", "template_token"),
        ("<tool_call>", "template_token"),
        ("[|endofturn|]", "template_token"),
    ],
)
def test_a_text_that_could_deceive_is_refused(text: str, refusal: str) -> None:
    assert refusal_of(normalise_note(text), max_runes=20) == refusal


@pytest.mark.parametrize(
    "text",
    [
        "likes tea",
        "a < b and b > c",
        "[x] done",
        "x | y | z",
        "if a<b|c>d",
        "\u304a\u8336\u304c\u597d\u304d",
        "th\u00edch tr\u00e0",
        "\ucc28\ub97c \uc88b\uc544\ud568",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 family",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "<b>bold</b> and <s-bend>",
        "System: is how the line begins",
        "x" * 20,
    ],
)
def test_ordinary_text_in_any_language_is_a_note(text: str) -> None:
    assert refusal_of(normalise_note(text), max_runes=40) is None


@given(text=ANY_TEXT)
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise_note(text)
    assert normalise_note(once) == once


@given(text=ANY_TEXT)
def test_what_is_accepted_is_one_line_that_holds_nothing_hidden(text: str) -> None:
    normalised = normalise_note(text)
    if refusal_of(normalised, max_runes=100) is not None:
        return
    assert normalised == normalised.strip()
    assert len(normalised.splitlines()) == 1
    assert "  " not in normalised
    for rune in normalised:
        assert unicodedata.category(rune) not in ("Cc", "Cs", "Zl", "Zp")
        assert ord(rune) not in HIDDEN
        assert not 0xE0000 <= ord(rune) <= 0xE007F


@given(text=ANY_TEXT)
def test_folding_an_accepted_note_twice_changes_nothing_more(text: str) -> None:
    folded = fold_note(normalise_note(text))
    assert fold_note(folded) == folded


@pytest.mark.parametrize(
    ("first", "second"),
    [("Likes Tea", "likes  TEA"), ("Stra\u00dfe", "STRASSE"), ("CAF\u00c9", "cafe\u0301")],
)
def test_notes_that_differ_in_case_alone_fold_to_the_same(first: str, second: str) -> None:
    assert fold_note(normalise_note(first)) == fold_note(normalise_note(second))


@given(text=st.text(max_size=30), limit=st.integers(min_value=1, max_value=20))
def test_nothing_longer_than_the_limit_is_accepted(text: str, limit: int) -> None:
    normalised = normalise_note(text)
    if len(normalised) > limit:
        assert refusal_of(normalised, max_runes=limit) is not None
