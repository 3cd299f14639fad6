"""The guess of tokens, and what is left out so that a prompt fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.agent.tokens import estimate_message, estimate_tools, oldest_to_drop, was_cut
from brain.records import Message, ToolCall, ToolSpec


def test_calls_and_tools_are_part_of_what_a_prompt_costs():
    plain = Message(role="assistant", text="hello")
    call = ToolCall(id="1", name="time", arguments={"zone": "UTC"})
    assert estimate_message(plain) == 10
    assert estimate_message(Message(role="assistant", text="hello", calls=(call,))) == 10 + 15
    spec = ToolSpec(name="time", description="The time.", parameters={"type": "object"})
    assert estimate_tools([spec, spec]) == 2 * (16 + 2 + 3 + 6)


def test_nothing_is_dropped_while_everything_fits():
    assert oldest_to_drop([10, 20, 30], room=60) == 0


def test_the_oldest_go_first_and_far_enough_that_the_next_exchange_drops_nothing():
    assert oldest_to_drop([10, 20, 30], room=59) == 3 - 1
    assert oldest_to_drop([10] * 10, room=95) == 6


def test_the_newest_exchange_stays_if_it_fits_at_all():
    assert oldest_to_drop([10, 50], room=55) == 1
    assert oldest_to_drop([10, 50], room=49) == 2


@given(st.lists(st.integers(0, 500), max_size=30), st.integers(0, 2000))
def test_what_is_left_fits_whatever_the_costs_are(costs: list[int], room: int):
    dropped = oldest_to_drop(costs, room=room)
    assert sum(costs[dropped:]) <= room
    assert dropped == 0 or sum(costs) > room


@pytest.mark.parametrize(
    ("counted", "estimated", "num_ctx", "is_cut"),
    [
        (4096, 6000, 8192, True),
        (2048, 2049, 8192, True),
        (4095, 6000, 8192, False),
        (4096, 4096, 8192, False),
        (8192, 9000, 8192, False),
        (128, 6000, 8192, False),
        (0, 6000, 8192, False),
    ],
)
def test_a_count_that_fills_a_smaller_context_to_its_last_token_is_of_a_cut_prompt(
    counted: int, estimated: int, num_ctx: int, is_cut: bool
) -> None:
    assert was_cut(counted=counted, estimated=estimated, num_ctx=num_ctx) is is_cut
