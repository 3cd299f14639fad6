"""What is to be forgotten, and what went: rows by kind, and every text that has to be searched for."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from brain.memory.note_text import spellings
from brain.records import Box, Conversation, JSONValue, Note, Rehearsal, Turn
from brain.store import Mail, is_too_short

__all__ = ["Forgotten", "Gone", "Heap", "Kind", "Target"]

Kind = Literal["note", "box", "session", "conversation", "sender", "everything"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is to be forgotten.

    A note and a box are named by `box` (and `number`); `has_transcript` takes the exchanges with
    them in which the same words were said. A session and a conversation are named by the random id,
    or by channel and conversation; a sender by `channel` and `sender`.
    """

    kind: Kind
    box: Box | None = None
    number: int = 0
    conversation_id: str = ""
    channel: str = ""
    conversation: str = ""
    session: int = 0
    sender: str = ""
    has_transcript: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """One line of what goes: a note with its text, or so many rows of a kind in one place."""

    what: str
    count: int = 1
    channel: str = ""
    conversation: str = ""
    brain: str = ""
    number: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What went. `forgetting_id` names the job behind it, empty for a plan and where nothing was there. `counts` are rows by kind.

    `kept_notes` are notes that were saved from what went and stay: each was a decision of its own.
    """

    kind: Kind
    counts: dict[str, int]
    gone: tuple[Gone, ...]
    forgetting_id: str = ""
    has_transcript: bool = False
    kept_notes: int = 0
    note: Note | None = None


@dataclass(slots=True)
class Heap:
    """What went so far, with every text of it."""

    counts: dict[str, int] = field(default_factory=dict)
    gone: list[Gone] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    kept_notes: int = 0
    note: Note | None = None

    def count(self, what: str, number: int) -> None:
        if number:
            self.counts[what] = self.counts.get(what, 0) + number

    def add_name(self, name: str) -> None:
        """Have a name searched for where it can be told apart; most are short, and no content."""
        if not is_too_short(name):
            self.texts.append(name)

    def add_turns(self, turns: Sequence[Turn], talk: Conversation | None) -> None:
        self.count("turns", len(turns))
        self.texts += [turn.text for turn in turns if turn.text]
        for number in sorted({turn.session for turn in turns}):
            in_session = sum(turn.session == number for turn in turns)
            self.gone.append(_line("turns", in_session, talk, number))

    def add_mail(self, mail: Mail) -> None:
        """Count what waited. Of the body of a reply its text is meant: the rest names no content."""
        self.count("messages", len(mail))
        self.texts += [*mail.texts, *map(_text_of, mail.bodies)]

    def add_notes(self, notes: Sequence[Note]) -> None:
        self.count("notes", len(notes))
        for note in notes:
            self.texts += spellings(note.text)
            self.gone.append(_boxed("note", note.box, note.number, note.text))

    def add_rehearsals(self, rehearsals: Sequence[Rehearsal]) -> None:
        self.count("rehearsals", len(rehearsals))
        for each in rehearsals:
            texts = list(_texts_in(each.arguments))
            self.texts += texts
            self.gone.append(_boxed("rehearsal", each.box, each.number, "; ".join(texts)))


def _text_of(body: str) -> str:
    """Return the text of a reply; a body that is not as it was written is meant as a whole."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return body
    text = found.get("text") if isinstance(found, dict) else None
    return text if isinstance(text, str) else body


def _texts_in(value: JSONValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts_in(each)
    elif isinstance(value, Sequence):
        for each in value:
            yield from _texts_in(each)


def _line(what: str, count: int, talk: Conversation | None, number: int) -> Gone:
    channel, conversation = (talk.channel, talk.conversation) if talk else ("", "")
    return Gone(what=what, count=count, channel=channel, conversation=conversation, number=number)


def _boxed(what: str, box: Box, number: int, text: str) -> Gone:
    return Gone(
        what=what,
        brain=box.brain,
        channel=box.channel,
        conversation=box.conversation,
        number=number,
        text=text,
    )
