"""Which turns ride, in which order and as what, and where the window begins."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from brain.agent.history import Window, as_messages, rows_to_read, window
from brain.records import Message, Turn
from tests.agent.rows import said, turn


def _window(turns: list[Turn], *, turn_id: int, start: int = 0, history_turns: int = 10) -> Window:
    return window(
        turns,
        start=start,
        turn_id=turn_id,
        exchange_id="now",
        history_turns=history_turns,
    )


def _ids(chosen: Window) -> list[int]:
    return [turn.turn_id for exchange in chosen.exchanges for turn in exchange]


def test_the_exchanges_before_this_one_ride_and_its_own_turn_does_not():
    turns = [*said(1, 2), turn(5, "user", "now", exchange="now")]
    assert _ids(_window(turns, turn_id=5)) == [1, 2, 3, 4]


def test_what_waits_behind_this_exchange_does_not_ride():
    waiting = turn(4, "user", "later", exchange="later")
    turns = [*said(1, 1), turn(3, "user", "now", exchange="now"), waiting]
    assert _ids(_window(turns, turn_id=3)) == [1, 2]


def test_a_reply_that_came_after_this_message_was_sent_rides_with_its_question():
    turns = [
        turn(1, "user", "first", exchange="a"),
        turn(2, "user", "now", exchange="now"),
        turn(3, "assistant", "to the first", exchange="a"),
    ]
    assert _ids(_window(turns, turn_id=2)) == [1, 3]


def test_a_window_that_begins_at_a_message_that_waited_has_no_answer_without_its_question():
    turns = [
        turn(1, "user", "first", exchange="a"),
        turn(2, "user", "it waited", exchange="b"),
        turn(3, "assistant", "to the first", exchange="a"),
        turn(4, "assistant", "to what waited", exchange="b"),
    ]
    assert _ids(_window(turns, turn_id=5, start=2)) == [2, 4]


def test_a_full_queue_behind_a_short_window_drops_nothing_of_it():
    waiting = [turn(number, "user", "later", exchange=f"w{number}") for number in range(4, 20)]
    turns = [*said(1, 1), turn(3, "user", "now", exchange="now"), *waiting]
    assert _ids(_window(turns[-rows_to_read(1) :], turn_id=3, history_turns=2)) == [1, 2]


def test_system_turns_are_skipped():
    turns = [turn(1, "system", "a notice", exchange="a"), *said(2, 2)]
    assert _ids(_window(turns, turn_id=9)) == [3, 4]


def test_no_history_rides_where_none_is_wanted():
    assert _window(said(1, 3), turn_id=9, history_turns=0) == Window(exchanges=())


def test_the_window_stays_until_it_holds_twice_as_many_turns_and_then_moves_once():
    assert _window(said(1, 9), turn_id=19).moved_to == 0
    moved = _window(said(1, 10), turn_id=21)
    assert (moved.moved_to, _ids(moved)) == (11, list(range(11, 21)))
    assert _window(said(1, 11), turn_id=23, start=11).moved_to == 0


def test_the_window_moves_over_whole_exchanges_only():
    chosen = _window(said(1, 3), turn_id=7, history_turns=3)
    assert (chosen.moved_to, _ids(chosen)) == (5, [5, 6])


def test_one_exchange_rides_even_if_it_has_more_turns_than_are_wanted():
    chosen = _window(said(1, 1), turn_id=3, history_turns=1)
    assert (chosen.moved_to, _ids(chosen)) == (1, [1, 2])


def test_a_window_that_began_before_what_was_read_moves():
    everything = said(1, 60)
    newest = everything[-rows_to_read(10) :]
    chosen = _window(newest, turn_id=121)
    assert (chosen.moved_to, _ids(chosen)) == (111, list(range(111, 121)))


@given(st.integers(1, 12), st.integers(1, 60))
def test_over_a_whole_session_the_window_moves_seldom_and_stays_within_its_bounds(
    history_turns: int, exchanges: int
):
    start, moves = 0, 0
    for number in range(1, exchanges + 1):
        turns = said(1, number - 1)[-rows_to_read(history_turns) :]
        chosen = _window(turns, turn_id=2 * number - 1, start=start, history_turns=history_turns)
        assert len(_ids(chosen)) < max(2 * history_turns, 3)
        assert _ids(chosen) == sorted(_ids(chosen))
        if chosen.moved_to:
            start, moves = chosen.moved_to, moves + 1
    # Each move frees at least half of the window, in whole exchanges of two turns.
    assert moves <= 2 * exchanges / max(history_turns, 1) + 1


def test_an_operators_turn_rides_as_the_assistants_and_roles_alternate():
    turns = [
        turn(1, "user", "[Recalled from session 1]", kind="recalled"),
        turn(2, "user", "it failed", exchange="a"),
        turn(3, "operator", "I am looking into it.", exchange="b"),
        turn(4, "assistant", "Hello again.", exchange="c"),
    ]
    assert as_messages(turns, "now") == (
        Message(role="user", text="[Recalled from session 1]\n\nit failed"),
        Message(role="assistant", text="I am looking into it.\n\nHello again."),
        Message(role="user", text="now"),
    )


def test_a_recalled_block_and_a_failed_turn_are_joined_to_the_new_message():
    turns = [
        turn(1, "user", "[Recalled]", kind="recalled"),
        turn(2, "user", "no answer came", exchange="a"),
    ]
    assert as_messages(turns, "now") == (
        Message(role="user", text="[Recalled]\n\nno answer came\n\nnow"),
    )


@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "operator"]), st.text()), max_size=20),
    st.text(),
)
def test_roles_always_alternate_and_no_text_is_lost(lines: list[tuple[str, str]], text: str):
    turns = [
        turn(number, role, said, exchange=str(number))
        for number, (role, said) in enumerate(lines, 1)
    ]
    messages = as_messages(turns, text)
    roles = [message.role for message in messages]
    assert all(first != second for first, second in pairwise(roles))
    assert roles[-1] == "user"
    assert "\n\n".join(m.text for m in messages) == "\n\n".join([*(s for _, s in lines if s), text])
