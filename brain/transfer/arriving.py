"""What becomes of each row of an export in a store: new, there already, expired, or refused and why.

Everything happens inside the one transaction of an import. What is in the store is never changed:
a row that is there stays as it is, with its sensitivity, whatever the file says of it.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

from brain.activity import Draft, Facts, Recorder
from brain.config import Config, Memory, Rehearsals
from brain.counts import counted
from brain.memory import fold_note, judge_note, rehearsal_box_for
from brain.records import Box, Conversation, Note, Rehearsal, Session, Turn
from brain.store import Transaction
from brain.transfer.lines import Header, Record

__all__ = ["Arriving", "Fate"]

Fate = Literal["new", "there", "expired", "refused"]

Verdict = tuple[Fate, str]
"""What becomes of a row, and for the first of what is refused together: why."""

_NEW: Verdict = ("new", "")
_THERE: Verdict = ("there", "")
_NUMBERS_END: Final = 2**31
"""No box of ours gets that far by itself; all that may follow can still be written to a file."""

_WITH_IT: Verdict = ("refused", "")
"""Refused with what it belongs to, of which the reason was told."""


@dataclass(slots=True, kw_only=True)
class _Talk:
    """The conversation that is being taken. `here` is its id in the store.

    `is_new`: what comes of its session is appended. `matched` is the last turn that was there.
    """

    name: str = ""
    channel: str = ""
    here: str = ""
    is_refused: bool = False
    is_new: bool = True
    matched: int = 0


class Arriving:
    """Takes the rows of one file in its order.

    `causes` are the turns of which the new ids are wanted. In a store that never held a turn they
    keep those of the file; elsewhere they get new ones, and notes name the new ones.
    """

    def __init__(
        self, tx: Transaction, recorder: Recorder, config: Config, *, causes: frozenset[int]
    ) -> None:
        self._tx = tx
        self._recorder = recorder
        self._brains = {brain.name: brain for brain in config.brains}
        self._channels = {"", *(channel.name for channel in config.channels)}
        self._causes = causes
        self._turn_ids: dict[int, int] = {}
        self._keeps_turn_ids = tx.never_had_turns()
        self._talk = _Talk()

    def take(self, record: Record) -> Verdict:
        match record:
            case Conversation():
                return self._take_conversation(record)
            case Session():
                return self._take_session(record)
            case Turn():
                return self._take_turn(record)
            case Note():
                return self._take_note(record)
            case Rehearsal():
                return self._take_rehearsal(record)
            case Header():
                raise ValueError("a header is no row")

    def _take_conversation(self, talk: Conversation) -> Verdict:
        """A talk is known by its channel and name; here it may have another random id."""
        here = self._tx.conversation_id(talk.channel, talk.conversation)
        self._talk = _Talk(name=talk.conversation, channel=talk.channel, here=here or "")
        if here is not None:
            return _THERE
        if self._tx.conversation(talk.conversation_id) is not None:
            self._talk.is_refused = True
            return "refused", "its id is of another talk in this store"
        self._tx.import_conversation(talk)
        self._talk.here = talk.conversation_id
        return _NEW

    def _take_session(self, session: Session) -> Verdict:
        talk = self._talk
        talk.matched, talk.is_new = 0, True
        if talk.is_refused:
            return _WITH_IT
        session = replace(session, conversation_id=talk.here)
        known = self._tx.session(talk.here, session.number)
        if known is None:
            self._tx.import_session(session)
            return _NEW
        talk.is_new = False
        return _THERE if known == session else self._refuse_talk(session.number, "is another one")

    def _take_turn(self, turn: Turn) -> Verdict:
        talk = self._talk
        if talk.is_refused:
            return _WITH_IT
        turn = replace(turn, conversation_id=talk.here)
        if not talk.is_new:
            if (same := self._same_turn(turn)) is not None:
                talk.matched = same.turn_id
                self._remember(turn, same.turn_id)
                return _THERE
            if self._next_turn(turn, talk.matched) is not None:
                return self._refuse_talk(turn.session, "went on in another way")
            talk.is_new = True  # the store has the beginning of it
        keeps_id = self._keeps_turn_ids and not self._tx.has_turn(turn.turn_id)
        self._remember(turn, self._tx.import_turn(turn, keeps_id=keeps_id))
        return _NEW

    def _refuse_talk(self, session: int, how: str) -> Verdict:
        """Refuse what is left of the talk: two talks of one name are not to be mixed."""
        self._talk.is_refused = True
        return "refused", (
            f"session {session} of the talk {self._talk.name!r} on {self._talk.channel!r} {how} in "
            "this store; import into a new one, or leave talks out: --what notes,rehearsals"
        )

    def _same_turn(self, turn: Turn) -> Turn | None:
        """Return the next turn of the session in the store that is this one."""
        at = self._talk.matched
        while (candidate := self._next_turn(turn, at)) is not None:
            if _as_in_a_file(candidate, turn.turn_id) == turn:
                return candidate
            at = candidate.turn_id
        return None

    def _next_turn(self, turn: Turn, after: int) -> Turn | None:
        return self._tx.turn_after(turn.conversation_id, turn.session, after, may_read_private=True)

    def _remember(self, turn: Turn, turn_id: int) -> None:
        if turn.turn_id in self._causes:
            self._turn_ids[turn.turn_id] = turn_id

    def _take_note(self, note: Note) -> Verdict:
        if self._tx.has_note(note.note_id):
            return _THERE
        memory, why = self._memory_for(note.box)
        if memory is None:
            return "refused", why
        verdict = judge_note(self._tx, box=note.box, memory=memory, text=note.text)
        if verdict.code == "duplicate":
            return _THERE
        if verdict.code != "stored":
            return "refused", f"not stored: {verdict.reason}"
        arrived = replace(
            note,
            number=_number(note.number),
            text=verdict.text,
            origin="import",
            turn_id=self._turn_ids.get(note.turn_id, 0),
        )
        self._tx.import_note(arrived, folded=fold_note(verdict.text))
        counts = {"notes": verdict.count}
        self._record(note, Draft(type="note_stored", ref=note.note_id, counts=counts))
        return _NEW

    def _memory_for(self, box: Box) -> tuple[Memory | None, str]:
        """Return the rules of a box, or why it can't be reached in this config."""
        brain = self._brains.get(box.brain)
        if brain is None:
            return None, (
                f"this config has no brain {box.brain!r}; add one of that name, import, and take the "
                "notes over: brain notes move --from NAME --to NAME"
            )
        memory = brain.agent.memory if brain.agent else None
        if memory is None:
            return None, f'the brain {box.brain!r} keeps no notes; add "memory" to its agent'
        if memory.scope != box.scope:
            return None, (
                f"the notes of {box.brain!r} have the scope {memory.scope!r} here, and not "
                f"{box.scope!r}; import under that scope, change it after, and take the notes over: "
                "brain notes move"
            )
        if box.channel not in self._channels:
            return None, self._no_channel(box)
        return memory, ""

    def _no_channel(self, box: Box) -> str:
        return f"this config has no channel {box.channel!r}; add one of that name, and import again"

    def _record(self, row: Note | Rehearsal, draft: Draft) -> None:
        box = row.box
        located = replace(
            draft,
            brain=box.brain,
            channel=box.channel or None,
            conversation=self._tx.conversation_id(box.channel, box.conversation),
            origin="operator",
            outcome="import",
            facts=Facts(sensitivity=row.sensitivity),
        )
        self._recorder.append(self._tx, located)

    def _take_rehearsal(self, kept: Rehearsal) -> Verdict:
        if self._tx.has_rehearsal(kept.rehearsal_id):
            return _THERE
        if kept.expires_at <= self._tx.now:
            return "expired", ""
        if why := self._why_not_kept(kept.box):
            return "refused", why
        arrived = replace(
            kept, number=_number(kept.number), turn_id=self._turn_ids.get(kept.turn_id, 0)
        )
        self._tx.import_rehearsal(arrived)
        agent = self._brains[kept.box.brain].agent
        tools = agent.tools if agent else ()
        tool = kept.tool if kept.tool in tools else "unknown"  # a file may name anything
        self._record(kept, Draft(type="rehearsal_kept", tool=tool, ref=kept.rehearsal_id))
        return _NEW

    def _why_not_kept(self, box: Box) -> str:
        """Return why a rehearsal of this box can't be kept here, or nothing."""
        brain = self._brains.get(box.brain)
        if brain is None:
            return f"this config has no brain {box.brain!r}"
        if box.channel not in self._channels:
            return self._no_channel(box)
        memory = brain.agent.memory if brain.agent else None
        if rehearsal_box_for(brain.name, memory, box.channel, box.conversation) != box:
            return f"the brain {brain.name!r} has no box of scope {box.scope!r} here"
        at_most = (memory.rehearsals if memory else Rehearsals()).max
        if len(self._tx.rehearsals(box, now=self._tx.now, limit=at_most)) >= at_most:
            return f"the box holds {counted(at_most, 'rehearsal')}, as many as it may"
        return ""


def _as_in_a_file(turn: Turn, turn_id: int) -> Turn:
    """Return a turn of the store as an export has it, under the id that a file gives it.

    What the runtime said under it is of this store alone: its numbers are those of the boxes here.
    """
    return replace(turn, turn_id=turn_id, effects=(), truth="")


def _number(number: int) -> int:
    """Return the number of the file, 0 for one that would leave too few behind it."""
    return number if number < _NUMBERS_END else 0
