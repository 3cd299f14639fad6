"""A number with what it counts."""

import pytest

from brain.counts import counted, counted_each


@pytest.mark.parametrize(
    ("count", "words", "told"),
    [
        (0, ("note",), "0 notes"),
        (1, ("note",), "1 note"),
        (2, ("note",), "2 notes"),
        (1, ("reply is", "replies are"), "1 reply is"),
        (2, ("reply is", "replies are"), "2 replies are"),
        (1.0, ("second",), "1 second"),
        (0.5, ("second",), "0.5 seconds"),
        (2_000_000, ("event",), "2000000 events"),
    ],
)
def test_a_noun_agrees_with_its_number(count: float, words: tuple[str, ...], told: str) -> None:
    assert counted(count, *words) == told


def test_counts_by_name_are_told_one_after_the_other() -> None:
    told = counted_each({"events": 2, "note_boxes": 0, "boxes": 1, "replies": 1, "model_breaks": 1})

    assert told == "2 events, 0 note boxes, 1 box, 1 reply, 1 model break"
