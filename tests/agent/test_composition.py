"""One prompt, made to fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.agent.composition import Composition
from brain.agent.prompt import Parts
from brain.agent.tokens import estimate_message
from brain.errors import PromptTooLong
from brain.records import Message
from tests.agent.rows import said


def composed(*, room: int, exchanges: int = 3, text: str = "now", persona: str = "") -> Composition:
    turns = said(1, exchanges)
    return Composition(
        parts=Parts(persona=persona),
        exchanges=tuple((turns[at], turns[at + 1]) for at in range(0, len(turns), 2)),
        text=text,
        room_tokens=room,
    )


def test_a_prompt_that_fits_is_whole_and_counted_to_the_token():
    fitted = composed(room=1000).fit()
    assert [message.text for message in fitted.messages] == [
        *("question 1", "answer 1", "question 2", "answer 2", "question 3", "answer 3"),
        "now",
    ]
    assert (fitted.dropped, fitted.tokens) == (0, sum(map(estimate_message, fitted.messages)))


def test_observations_take_the_place_of_old_exchanges():
    composition = composed(room=80)
    assert composition.fit().dropped < 3
    observation = Message(role="tool", text="x" * 150, call_id="1", tool_name="time")
    fitted = composition.fit((observation,))
    assert (fitted.dropped, fitted.messages[-1]) == (3, observation)


def test_what_cant_be_left_out_and_does_not_fit_is_refused_with_its_size():
    with pytest.raises(PromptTooLong) as caught:
        composed(room=20, text="word " * 60).fit()
    assert caught.value.fix == (
        "It is about 108 tokens and there is room for 20: send less at once, or raise `num_ctx`."
    )


@given(st.integers(0, 400), st.integers(0, 12), st.text(max_size=40), st.text(max_size=40))
def test_a_fitted_prompt_never_needs_more_than_there_is_and_keeps_the_newest(
    room: int, exchanges: int, text: str, persona: str
):
    composition = composed(room=room, exchanges=exchanges, text=text, persona=persona)
    fixed = composed(room=10_000, exchanges=0, text=text, persona=persona).fit().tokens
    if fixed > room:
        with pytest.raises(PromptTooLong):
            composition.fit()
        return
    fitted = composition.fit()
    assert sum(map(estimate_message, fitted.messages)) == fitted.tokens <= room
    whole = composed(room=10_000, exchanges=exchanges, text=text, persona=persona).fit()
    assert fitted.messages[len(fitted.messages) - 1 :] == whole.messages[-1:]
    kept = len(fitted.messages) - (1 if persona else 0) - 1
    assert kept == 2 * (exchanges - fitted.dropped)
