"""Whatever is done to a box in whatever order, it is what a plain list with a cap would be."""

import asyncio
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from brain.activity import Recorder
from brain.errors import NotFound
from brain.store import open_store
from tests.clocks import FakeClock
from tests.memory.shelf import MEMORY, Shelf

TEXTS = st.sampled_from(["tea", "TEA", "cat", "Faro", "chess", "", "x" * 21, "<|im_end|>"])
STEPS = st.lists(
    st.tuples(st.just("add"), TEXTS)
    | st.tuples(st.just("drop"), st.integers(min_value=1, max_value=6))
    | st.tuples(st.just("clear"), st.none()),
    max_size=12,
)


@dataclass(kw_only=True)
class Plain:
    """A box as one would write it on paper."""

    notes: dict[int, str] = field(default_factory=dict)
    next_number: int = 1

    def add(self, text: str) -> str:
        if not text:
            return "empty"
        if len(text) > MEMORY.max_note_runes:
            return "too_long"
        if text.startswith("<|"):
            return "template_token"
        if text.lower() in (note.lower() for note in self.notes.values()):
            return "duplicate"
        if len(self.notes) == MEMORY.max_notes:
            return "full"
        self.notes[self.next_number] = text
        self.next_number += 1
        return "stored"

    def drop(self, number: int) -> bool:
        return self.notes.pop(number, None) is not None

    def clear(self) -> int:
        count = len(self.notes)
        self.notes.clear()
        self.next_number = 1
        return count


async def compare(steps: list[tuple[str, object]]) -> None:
    plain = Plain()
    async with open_store(None, clock=FakeClock()) as store:
        shelf = Shelf(store=store, recorder=Recorder(run_id="run1", revision="r1"))
        for what, value in steps:
            if what == "add" and isinstance(value, str):
                assert (await shelf.add(value)).code == plain.add(value)
            elif what == "drop" and isinstance(value, int):
                assert await dropped(shelf, value) == plain.drop(value)
            else:
                assert await shelf.clear() == (plain.clear(), 0)
            assert await shelf.texts() == plain.notes


async def dropped(shelf: Shelf, number: int) -> bool:
    try:
        await shelf.drop(number)
    except NotFound:
        return False
    return True


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_a_box_is_a_list_with_a_cap_and_numbers_that_do_not_come_back(
    steps: list[tuple[str, object]],
) -> None:
    asyncio.run(compare(steps))
