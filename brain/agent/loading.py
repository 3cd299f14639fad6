"""What of the store rides in the prompt of an exchange: one read."""

from dataclasses import dataclass

from brain.agent.exchange import Apart, Exchange
from brain.agent.history import Window, brought_along, rows_to_read, window
from brain.records import Box, Note, Turn
from brain.store import Snapshot

__all__ = ["Loaded", "load"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Rows of one moment. `generation` is the box's: a note of an older one is not stored.

    `is_tainted`: something among them came from a person or a place that is not trusted.
    `is_private`: something among them was written under a private brain.
    `may_read_private`: they were read for a model that is proved local. `client_prompt` is what an
    exchange that stands apart brought along beside its history.
    """

    window: Window
    notes: tuple[Note, ...]
    generation: int
    is_tainted: bool
    is_private: bool
    may_read_private: bool
    client_prompt: str = ""


def load(
    snapshot: Snapshot,
    exchange: Exchange,
    box: Box | None,
    *,
    history_turns: int,
    may_read_private: bool,
) -> Loaded:
    """Read the history window and the notes for `exchange`."""
    if exchange.apart is not None:
        return _load_apart(snapshot, exchange.apart, box, may_read_private=may_read_private)
    start = snapshot.window_start(exchange.conversation_id, exchange.session)
    turns = snapshot.turns(
        exchange.conversation_id,
        exchange.session,
        limit=rows_to_read(history_turns),
        may_read_private=may_read_private,
        first_turn_id=start,
    )
    chosen = window(
        turns,
        start=start,
        turn_id=exchange.turn_id,
        exchange_id=exchange.exchange_id,
        history_turns=history_turns,
    )
    notes = () if box is None else snapshot.notes(box, may_read_private=may_read_private)
    riding: list[Turn | Note] = [turn for turn in turns if turn.turn_id == exchange.turn_id]
    riding += [turn for group in chosen.exchanges for turn in group]
    riding += notes
    return Loaded(
        window=chosen,
        notes=notes,
        generation=0 if box is None else snapshot.generation(box),
        is_tainted=any(row.is_tainted for row in riding),
        is_private=any(row.sensitivity == "private" for row in riding),
        may_read_private=may_read_private,
    )


def _load_apart(
    snapshot: Snapshot, apart: Apart, box: Box | None, *, may_read_private: bool
) -> Loaded:
    """Read the notes alone: an exchange that stands apart has its history with it."""
    notes = () if box is None else snapshot.notes(box, may_read_private=may_read_private)
    return Loaded(
        window=Window(exchanges=brought_along(apart.history)),
        notes=notes,
        generation=0 if box is None else snapshot.generation(box),
        is_tainted=apart.is_tainted or any(note.is_tainted for note in notes),
        is_private=any(note.sensitivity == "private" for note in notes),
        may_read_private=may_read_private,
        client_prompt=apart.prompt,
    )
