"""The guess of tokens that the config, the note box and the prompt share."""

from hypothesis import given
from hypothesis import strategies as st

from brain.tokens import estimate_tokens


def test_ascii_costs_a_token_for_three_characters_and_the_rest_one_for_each_byte():
    assert [estimate_tokens(text) for text in ("", "a", "abc", "abcd", "é", "日本", "ab日")] == [
        0,
        1,
        1,
        2,
        2,
        6,
        4,
    ]


def test_a_lone_surrogate_is_counted_and_not_refused():
    assert estimate_tokens("\ud800") == 3


@given(st.text(), st.text())
def test_a_longer_text_never_costs_less(first: str, second: str):
    assert (
        estimate_tokens(first)
        <= estimate_tokens(first + second)
        <= estimate_tokens(first) + estimate_tokens(second)
    )
