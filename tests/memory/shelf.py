"""A store with note boxes, and what the tests put into them."""

from dataclasses import dataclass
from typing import Any

from brain.activity import Recorder
from brain.config import Memory
from brain.memory import NoteVerdict, Provenance, Target, add_note, forget
from brain.records import Box, Note
from brain.store import EventFilter, Store

BOX = Box(brain="assistant", scope="conversation", channel="console", conversation="main")
OTHER = Box(brain="assistant", scope="conversation", channel="console", conversation="other")
BY = Provenance(
    brain="assistant",
    sensitivity="private",
    channel="console",
    origin="model",
    revision="r1",
    conversation_id="c" * 32,
    actor_id="a" * 32,
    exchange_id="e" * 32,
    model="scripted/scripted",
    sender="owner",
    session=2,
    turn_id=5,
)
MEMORY = Memory(max_notes=3, max_note_runes=20)


@dataclass(kw_only=True)
class Shelf:
    """A store with boxes."""

    store: Store
    recorder: Recorder

    async def add(self, text: str, *, box: Box | None = BOX, **changes: Any) -> NoteVerdict:
        settings: dict[str, Any] = {"memory": MEMORY, "note_origin": "model", "by": BY}
        return await self.store.write(
            lambda tx: add_note(tx, self.recorder, box=box, text=text, **{**settings, **changes})
        )

    async def drop(self, number: int) -> Note:
        target = Target(kind="note", box=BOX, number=number)
        gone = await self.store.write(lambda tx: forget(tx, self.recorder, target, by=BY))
        assert gone.note is not None
        return gone.note

    async def clear(self) -> tuple[int, int]:
        target = Target(kind="box", box=BOX)
        gone = await self.store.write(lambda tx: forget(tx, self.recorder, target, by=BY))
        return gone.counts.get("notes", 0), gone.counts.get("rehearsals", 0)

    async def texts(self, box: Box = BOX) -> dict[int, str]:
        notes = await self.store.read(lambda rows: rows.notes(box, may_read_private=True))
        return {note.number: note.text for note in notes}

    async def events(self) -> list[tuple[Any, ...]]:
        rows = await self.store.read(lambda rows: rows.events(EventFilter(), limit=1000))
        return [(row["type"], row["outcome"], row["counts"]) for row in rows]
