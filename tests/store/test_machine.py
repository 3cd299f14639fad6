"""Any order of writes on a store has the outcome that it has on a dict."""

import asyncio
from datetime import timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from brain.activity import Draft, Recorder, verify
from brain.records import Box
from brain.store import EventFilter, Store, Transaction, open_store
from tests.clocks import FakeClock
from tests.store.test_contract import a_note, a_rehearsal

BOXES = (
    Box(brain="home", scope="brain"),
    Box(brain="home", scope="conversation", channel="console", conversation="main"),
    Box(brain="work", scope="conversation", channel="console", conversation="main"),
)
boxes = st.sampled_from(BOXES)
words = st.text("abcé🌱 ", min_size=1, max_size=6)
numbers = st.integers(-1, 8)
KEPT = 3


class Model:
    """What a box is, in a few dicts."""

    def __init__(self) -> None:
        self.notes: dict[int, tuple[str, bool]] = {}
        self.rehearsals: dict[int, tuple[str, Any]] = {}
        self.next_note = 1
        self.next_rehearsal = 1
        self.generation = 0


class StoreMachine(RuleBasedStateMachine):
    """Every rule is one write on the store and the same on the model."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock = FakeClock()
        self.opened = open_store(None, clock=self.clock)
        self.store: Store = self.loop.run_until_complete(self.opened.__aenter__())
        self.recorder = Recorder(run_id="run1", revision="r1")
        self.models = {box: Model() for box in BOXES}
        self.events = 0

    def teardown(self) -> None:
        found = self.loop.run_until_complete(verify(self.store))
        assert (found.first_bad, found.events) == (None, self.events)
        self.loop.run_until_complete(self.opened.__aexit__(None, None, None))
        self.loop.close()

    def write(self, change: Any, event: str, *, fails: bool = False) -> Any:
        """Run `change` with its event; with `fails` have both taken back."""

        def both(tx: Transaction) -> Any:
            result = change(tx)
            self.recorder.append(tx, Draft(type=event))
            if fails:
                raise KeyError("taken back")
            return result

        try:
            result = self.loop.run_until_complete(self.store.write(both))
        except KeyError:
            return None
        self.events += 1
        return result

    @rule(box=boxes, text=words, private=st.booleans(), fails=st.booleans())
    def add_note(self, box: Box, text: str, private: bool, fails: bool) -> None:
        model = self.models[box]
        folded = text.casefold()
        if any(kept.casefold() == folded for kept, _ in model.notes.values()):
            like = self.loop.run_until_complete(
                self.store.read(lambda rows: rows.note_like(box, folded))
            )
            assert like is not None
            assert model.notes[like.number][0].casefold() == folded
            return
        sensitivity = "private" if private else "public"
        note = self.write(
            lambda tx: tx.add_note(a_note(text, box, sensitivity=sensitivity)),
            "note_stored",
            fails=fails,
        )
        if not fails:
            assert note.number == model.next_note
            model.notes[note.number] = (text, private)
            model.next_note += 1

    @rule(box=boxes, number=numbers)
    def drop_note(self, box: Box, number: int) -> None:
        dropped = self.write(lambda tx: tx.drop_note(box, number), "note_dropped")
        kept = self.models[box].notes.pop(number, None)
        assert (dropped is None) == (kept is None)

    @rule(box=boxes, fails=st.booleans())
    def clear(self, box: Box, fails: bool) -> None:
        model = self.models[box]
        live = len(model.rehearsals)
        counts = self.write(lambda tx: tx.clear_box(box), "notes_cleared", fails=fails)
        if not fails:
            assert counts == (len(model.notes), live)
            generation = model.generation + 1
            self.models[box] = Model()
            self.models[box].generation = generation

    @rule(box=boxes, text=words, keep_days=st.integers(1, 3))
    def keep_rehearsal(self, box: Box, text: str, keep_days: int) -> None:
        model = self.models[box]
        kept = self.write(
            lambda tx: tx.keep_rehearsal(a_rehearsal(text, box, keep_days=keep_days), at_most=KEPT),
            "rehearsal_kept",
        )
        assert kept.number == model.next_rehearsal
        model.next_rehearsal += 1
        model.rehearsals = {
            number: (kept_text, expires_at)
            for number, (kept_text, expires_at) in model.rehearsals.items()
            if expires_at > self.clock.now()
        }
        model.rehearsals[kept.number] = (text, self.clock.now() + timedelta(days=keep_days))
        for number in sorted(model.rehearsals)[:-KEPT]:
            del model.rehearsals[number]

    @rule(box=boxes, wanted=st.lists(numbers, max_size=3))
    def drop_rehearsals(self, box: Box, wanted: list[int]) -> None:
        model = self.models[box]
        live = [
            number
            for number in set(wanted)
            if number in model.rehearsals and model.rehearsals[number][1] > self.clock.now()
        ]
        assert self.write(lambda tx: tx.drop_rehearsals(box, wanted), "rehearsal_dropped") == len(
            live
        )
        for number in live:
            del model.rehearsals[number]

    @rule(days=st.integers(0, 2))
    def wait(self, days: int) -> None:
        self.clock.advance(days * 86400)

    @invariant()
    def the_store_holds_what_the_model_holds(self) -> None:
        for box, model in self.models.items():
            notes, public, rehearsals, count, generation = self.loop.run_until_complete(
                self.store.read(
                    lambda rows, box=box: (
                        rows.notes(box, may_read_private=True),
                        rows.notes(box, may_read_private=False),
                        rows.rehearsals(box, now=self.clock.now()),
                        rows.note_count(box),
                        rows.generation(box),
                    )
                )
            )
            assert {note.number: note.text for note in notes} == {
                number: text for number, (text, _) in model.notes.items()
            }
            assert [note.number for note in public] == sorted(
                number for number, (_, private) in model.notes.items() if not private
            )
            assert {kept.number: kept.arguments["note"] for kept in rehearsals} == {
                number: text
                for number, (text, expires_at) in model.rehearsals.items()
                if expires_at > self.clock.now()
            }
            assert (count, generation) == (len(model.notes), model.generation)
        events = self.loop.run_until_complete(
            self.store.read(lambda rows: rows.events(EventFilter(), limit=10**6))
        )
        assert [row["seq"] for row in events] == list(range(1, self.events + 1))


StoreMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestStoreMachine = StoreMachine.TestCase
