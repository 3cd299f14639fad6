"""What goes when something is forgotten, and what does not: rows and their event, in one transaction.

A text is in more places than the one that was named: a rehearsal of the same words, a recalled block
that quotes the session, the receipt of the exchange, what waits to be sent. They go together, and a
job is left behind that cleans the files (`brain.runtime`). What was begun before, and may hold the
text, is not stored any more: boxes and conversations have a generation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from brain.activity import Draft, Recorder
from brain.errors import NotFound
from brain.memory.gone import Forgotten, Heap, Target
from brain.memory.note_text import fold_note, normalise_note, spellings
from brain.memory.provenance import Provenance, draft_event
from brain.records import Box, Note, Rehearsal, Turn
from brain.store import BoxChoice, MailChoice, Transaction, TurnChoice

__all__ = ["forget", "plan_forgetting"]

_NOTE_TOOL: Final = "memory_note"
_ALL: Final = 2**31
_BEFORE_ALL: Final = datetime(1970, 1, 1, tzinfo=UTC)  # expired ones count: they lie there still


def forget(tx: Transaction, recorder: Recorder, target: Target, *, by: Provenance) -> Forgotten:
    """Remove what is meant, all of it, record it, and leave the job behind that cleans the files.

    Raises NotFound where nothing is meant; nothing is changed then.
    """
    heap = Heap()
    _ERASE[target.kind](tx, target, heap)
    forgetting_id = ""
    if heap.counts:  # an empty box was emptied otherwise
        opened = tx.open_forgetting(
            kind=target.kind,
            texts=heap.texts,
            counts=heap.counts,
            has_transcript=target.has_transcript,
        )
        forgetting_id = opened.forgetting_id
    for draft in _events(tx, target, heap, by, forgetting_id):
        recorder.append(tx, draft)
    return _told(target, heap, forgetting_id)


def plan_forgetting(tx: Transaction, target: Target) -> Forgotten:
    """Return what `forget` would remove. The caller has to take the transaction back."""
    heap = Heap()
    _ERASE[target.kind](tx, target, heap)
    return _told(target, heap, "")


def _told(target: Target, heap: Heap, forgetting_id: str) -> Forgotten:
    return Forgotten(
        kind=target.kind,
        counts=heap.counts,
        gone=tuple(heap.gone),
        forgetting_id=forgetting_id,
        has_transcript=target.has_transcript,
        kept_notes=heap.kept_notes,
        note=heap.note,
    )


def _events(
    tx: Transaction, target: Target, heap: Heap, by: Provenance, forgetting_id: str
) -> Iterable[Draft]:
    if target.kind == "note" and target.box is not None and heap.note is not None:
        left = {"notes": tx.note_count(target.box)}
        yield draft_event(by, "note_dropped", ref=heap.note.note_id, counts=left)
    if target.kind == "box" and target.box is not None:
        went = {name: heap.counts.get(name, 0) for name in ("notes", "rehearsals")}
        yield draft_event(by, "notes_cleared", outcome=target.box.scope, counts=went)
    if forgetting_id:
        yield draft_event(
            by, "forgetting_begun", outcome=target.kind, ref=forgetting_id, counts=heap.counts
        )


def _erase_note(tx: Transaction, target: Target, heap: Heap) -> None:
    box = _box_of(target)
    note = tx.drop_note(box, target.number)
    if note is None:
        raise NotFound(
            f"there is no note {target.number} here; nothing was dropped",
            fix="/notes shows the notes with their numbers",
        )
    heap.note = note
    heap.add_notes((note,))
    same = [each for each in _rehearsals(tx, box) if _folded(each) == fold_note(note.text)]
    heap.add_rehearsals(same)
    tx.drop_rehearsals(box, [each.number for each in same])
    tx.advance_box(box)
    _erase_transcript(tx, target, heap, (note,))


def _erase_box(tx: Transaction, target: Target, heap: Heap) -> None:
    box = _box_of(target)
    notes = _clear(tx, box, heap)
    _erase_transcript(tx, target, heap, notes)


def _clear(tx: Transaction, box: Box, heap: Heap) -> tuple[Note, ...]:
    notes = tx.notes(box, may_read_private=True, limit=_ALL)
    heap.add_notes(notes)
    heap.add_rehearsals(_rehearsals(tx, box))
    tx.clear_box(box)
    return notes


def _erase_transcript(tx: Transaction, target: Target, heap: Heap, notes: Sequence[Note]) -> None:
    """Remove the exchanges that led to these notes, and those in which their words were said.

    What is under way where the notes ride in the prompt may hold their words, and is not stored.
    """
    box = _box_of(target)
    if not target.has_transcript:
        return
    talks = [talk.conversation_id for talk in tx.all_conversations()]
    where = TurnChoice(brain=box.brain)
    if box.scope == "conversation":
        talk_id = tx.conversation_id(box.channel, box.conversation)
        if talk_id is None:
            return
        talks = [talk_id]
        where = TurnChoice(brain=box.brain, conversation_id=talk_id)
    for note in notes:
        said: list[Turn] = []
        if note.turn_id:
            said += tx.erase_turns(replace(where, turn_id=note.turn_id))
        for spelling in spellings(note.text):
            said += tx.erase_turns(replace(where, holding=spelling))
        _erase_exchanges(tx, said, heap)
    for each in talks:
        _outdate(tx, each, heap)


def _erase_exchanges(tx: Transaction, turns: Sequence[Turn], heap: Heap) -> set[str]:
    """Remove what else belongs to the exchanges of turns that went: replies, quotes, receipts.

    Returns the conversations that were touched; what is under way in them is not stored any more.
    """
    talks = {turn.conversation_id for turn in turns}
    for talk_id in sorted(talks):
        own = [turn for turn in turns if turn.conversation_id == talk_id]
        exchanges = tuple(sorted({turn.exchange_id for turn in own} - {""}))
        if exchanges:
            own += tx.erase_turns(TurnChoice(conversation_id=talk_id, exchange_ids=exchanges))
        said_in = tuple(sorted({turn.session for turn in own if turn.kind == "said"}))
        if said_in:
            own += tx.erase_turns(TurnChoice(conversation_id=talk_id, quoted=said_in))
        heap.add_turns(own, tx.conversation(talk_id))
        if exchanges:
            heap.count("receipts", tx.erase_receipt(talk_id, exchanges))
            heap.add_rehearsals(tx.erase_rehearsals(BoxChoice(exchange_ids=exchanges)))
            heap.add_mail(tx.erase_mail(MailChoice(exchange_ids=exchanges)))
        _outdate(tx, talk_id, heap)
    return talks


def _outdate(tx: Transaction, talk_id: str, heap: Heap) -> None:
    """Have nothing of what is under way in a conversation stored, nor kept to be delivered."""
    tx.advance_talk(talk_id)
    talk = tx.conversation(talk_id)
    if talk is not None:
        begun = MailChoice(channel=talk.channel, conversation=talk.conversation, has_begun=True)
        heap.add_mail(tx.erase_mail(begun))


def _erase_session(tx: Transaction, target: Target, heap: Heap) -> None:
    talk_id = _talk_of(tx, target)
    active = tx.active_session(talk_id)
    if tx.session(talk_id, target.session) is None:
        raise NotFound(
            f"there is no session {target.session} in this conversation; nothing was forgotten",
            fix="brain forget conversation NAME --dry-run lists the sessions that are there",
        )
    turns = tx.erase_turns(TurnChoice(conversation_id=talk_id, session=target.session))
    heap.kept_notes += tx.notes_from_turns([turn.turn_id for turn in turns])
    _erase_exchanges(tx, turns, heap)
    quotes = tx.erase_turns(TurnChoice(conversation_id=talk_id, quoted=(target.session,)))
    heap.add_turns(quotes, tx.conversation(talk_id))
    if active is not None and active.number == target.session:
        tx.start_session(talk_id)  # its number is not given again, and no older one goes on
    tx.erase_session(talk_id, target.session)
    _outdate(tx, talk_id, heap)
    heap.count("sessions", 1)


def _erase_conversation(tx: Transaction, target: Target, heap: Heap) -> None:
    talk_id = _talk_of(tx, target)
    talk, listed = tx.conversation(talk_id), tx.talk(talk_id)
    if talk is None or listed is None:
        raise _no_such_talk()
    heap.count("sessions", listed.sessions)
    turns = tx.erase_turns(TurnChoice(conversation_id=talk_id))
    heap.add_turns(turns, talk)
    if tx.receipt(talk_id) is not None:
        heap.count("receipts", 1)
    in_boxes = BoxChoice(channel=talk.channel, conversation=talk.conversation)
    heap.add_notes(tx.erase_notes(in_boxes))
    heap.add_rehearsals(tx.erase_rehearsals(in_boxes))
    tx.erase_boxes(talk.channel, talk.conversation)
    waiting = MailChoice(channel=talk.channel, conversation=talk.conversation)
    heap.add_mail(tx.erase_mail(waiting))
    tx.erase_conversation(talk_id)
    heap.kept_notes += tx.notes_from_turns([turn.turn_id for turn in turns])
    heap.count("conversations", 1)
    heap.add_name(talk.conversation)
    for sender in tx.silent_senders(talk, {turn.sender for turn in turns}):
        _erase_name(tx, talk.channel, sender, heap)


def _erase_name(tx: Transaction, channel: str, sender: str, heap: Heap) -> None:
    """Remove what resolves the random id of a sender, and the ids that their messages came with."""
    tx.erase_actor(channel, sender)
    heap.count("senders", 1)
    heap.count("message_ids", tx.erase_seen(channel, sender))
    heap.add_name(sender)


def _erase_sender(tx: Transaction, target: Target, heap: Heap) -> None:
    """Remove what a person said and what was answered, the notes of it, and the name."""
    by_sender = BoxChoice(channel=target.channel, sender=target.sender)
    turns = tx.erase_turns(TurnChoice(channel=target.channel, sender=target.sender))
    talks = _erase_exchanges(tx, turns, heap)
    notes = tx.erase_notes(by_sender)
    heap.add_notes(notes)
    rehearsals = tx.erase_rehearsals(by_sender)
    heap.add_rehearsals(rehearsals)
    touched = [note.box for note in notes] + [each.box for each in rehearsals]
    for box in dict.fromkeys(touched):
        tx.advance_box(box)
    mail = tx.erase_mail(MailChoice(channel=target.channel, sender=target.sender))
    heap.add_mail(mail)
    is_known = tx.actor_id(target.channel, target.sender) is not None
    if not (is_known or turns or notes or rehearsals or mail):
        raise NotFound(
            f"nothing is kept of a sender {target.sender!r} on {target.channel!r}; nothing was "
            "forgotten",
            fix="brain export shows the senders as the channel names them",
        )
    _erase_name(tx, target.channel, target.sender, heap)
    for talk_id in sorted(talks):
        talk = tx.talk(talk_id)
        if talk is not None and not talk.turns:
            whole = Target(kind="conversation", conversation_id=talk_id)
            _erase_conversation(tx, whole, heap)


def _erase_everything(tx: Transaction, target: Target, heap: Heap) -> None:  # noqa: ARG001 - one shape for all
    for talk in tx.all_conversations():
        whole = Target(kind="conversation", conversation_id=talk.conversation_id)
        _erase_conversation(tx, whole, heap)
    for box in tx.all_boxes():
        _clear(tx, box, heap)
        if box.scope == "conversation":
            tx.erase_boxes(box.channel, box.conversation)
    for channel, conversation in tx.all_mail():
        heap.add_mail(tx.erase_mail(MailChoice(channel=channel, conversation=conversation)))
    senders, seen = tx.erase_names()
    heap.count("senders", senders)
    heap.count("message_ids", seen)


_ERASE: Final = {
    "note": _erase_note,
    "box": _erase_box,
    "session": _erase_session,
    "conversation": _erase_conversation,
    "sender": _erase_sender,
    "everything": _erase_everything,
}


def _box_of(target: Target) -> Box:
    if target.box is None:
        raise ValueError("a note and a box are named by their box")
    return target.box


def _talk_of(tx: Transaction, target: Target) -> str:
    found = target.conversation_id or tx.conversation_id(target.channel, target.conversation)
    if not found:
        raise _no_such_talk()
    return found


def _no_such_talk() -> NotFound:
    return NotFound(
        "there is no such conversation; nothing was forgotten",
        fix="brain forget conversation NAME --channel CHANNEL names one that is there",
    )


def _rehearsals(tx: Transaction, box: Box) -> tuple[Rehearsal, ...]:
    return tx.rehearsals(box, now=_BEFORE_ALL, limit=_ALL)


def _folded(rehearsal: Rehearsal) -> str:
    note = rehearsal.arguments.get("note")
    is_note = rehearsal.tool == _NOTE_TOOL and isinstance(note, str)
    return fold_note(normalise_note(str(note))) if is_note else ""
