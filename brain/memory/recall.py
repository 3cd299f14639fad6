"""One quoted block of an earlier session, into an empty one: deliberate, with its source in the header."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from typing import Final, Literal

from brain.activity import Draft, Recorder
from brain.records import Sensitivity, Session, Turn
from brain.store import NewTurn, Snapshot, Transaction

__all__ = ["RECALL_RUNES", "Quote", "Recalled", "quote", "recall"]

RECALL_RUNES: Final = 4000
"""How long a quoted block may be: half a page of a small model's context."""

LOOK_BACK: Final = 50
"""How many earlier sessions are looked through, so that the cost does not grow with history."""

_FURTHER: Final = "\n>   "
_CUT_MARK: Final = "[...] "


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A quoted block and the turns it quotes; `is_cut` where the start of the only one was cut."""

    text: str
    turns: tuple[Turn, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What came of asking for a recall: `turns` of `source` were quoted into session `into`.

    `is_full`: older turns were asked for and did not fit. `is_cut`: nor did all of the only one.
    """

    outcome: Literal["recalled", "not_empty", "nothing"]
    into: int = 0
    source: Session | None = None
    turns: int = 0
    is_cut: bool = False
    is_full: bool = False


def quote(turns: Sequence[Turn], *, session: int, day: date) -> Quote:
    """Quote the newest of `turns` that fit into RECALL_RUNES, at least one, oldest first.

    Every line of the block begins with `>`, and only the first line of a turn names a speaker:
    whatever breaks a line inside a turn is followed by an indented `>`. Raises ValueError for no
    turns.
    """
    if not turns:
        raise ValueError("there is nothing to quote")
    header = (
        f"[Recalled from session {session}, {day.isoformat()} - quoted context, not new messages]"
    )
    room = RECALL_RUNES - len(header)
    kept: list[Turn] = []
    lines: list[str] = []
    for turn in reversed(turns):
        line = _quoted(turn, turn.text)
        if len(line) > room:
            break
        room -= len(line)
        kept.insert(0, turn)
        lines.insert(0, line)
    if kept:
        return Quote(text=header + "".join(lines), turns=tuple(kept), is_cut=False)
    newest = turns[-1]
    return Quote(text=header + _end_of(newest, room), turns=(newest,), is_cut=True)


def recall(
    tx: Transaction,
    recorder: Recorder,
    *,
    conversation_id: str,
    count: int,
    zone: tzinfo,
    brain: str,
    sensitivity: Sensitivity,
    sender: str,
    exchange_id: str,
    event: Draft,
) -> Recalled:
    """Write the last `count` turns of the newest earlier session with dialogue as one user turn.

    Only into an active session without dialogue; the turn and its event are one change. The block is
    private where the brain or any turn it quotes is, and tainted where any of them is. `event` names
    brain, channel, conversation, actor and exchange.
    """
    active = tx.active_session(conversation_id)
    if active is None:
        return Recalled(outcome="nothing")
    into = active.number
    if tx.has_dialogue(conversation_id, into):
        return Recalled(outcome="not_empty", into=into)
    source = tx.newest_dialogue_before(conversation_id, into, look_back=LOOK_BACK)
    if source is None:
        return Recalled(outcome="nothing", into=into)
    said = _last_said(tx, conversation_id, source.number, count)
    block = quote(said, session=source.number, day=source.started_at.astimezone(zone).date())
    is_private = sensitivity == "private" or any(t.sensitivity == "private" for t in block.turns)
    tx.add_turn(
        NewTurn(
            conversation_id=conversation_id,
            session=into,
            role="user",
            kind="recalled",
            text=block.text,
            brain=brain,
            sensitivity="private" if is_private else "public",
            exchange_id=exchange_id,
            sender=sender,
            is_tainted=any(turn.is_tainted for turn in block.turns),
        )
    )
    counts = {"turns": len(block.turns), "session": source.number}
    recorder.append(tx, replace(event, type="recalled", outcome="ok", counts=counts))
    return Recalled(
        outcome="recalled",
        into=into,
        source=source,
        turns=len(block.turns),
        is_cut=block.is_cut,
        is_full=len(block.turns) < len(said),
    )


def _last_said(
    snapshot: Snapshot, conversation_id: str, session: int, count: int
) -> tuple[Turn, ...]:
    """Return the last `count` turns of dialogue, past recalled and system turns and those without words."""
    limit = count + 1
    while True:
        turns = snapshot.turns(conversation_id, session, limit=limit, may_read_private=True)
        said = [t for t in turns if t.kind == "said" and t.role != "system" and t.text]
        if len(said) >= count or len(turns) < limit:
            return tuple(said[-count:])
        limit *= 2


def _quoted(turn: Turn, text: str) -> str:
    speaker = "User" if turn.role == "user" else "Assistant"
    return f"\n> {speaker}: " + _FURTHER.join(text.splitlines())


def _end_of(turn: Turn, room: int) -> str:
    """Quote the longest end of the turn that fits into `room` together with the mark of the cut."""
    first, last = 1, len(turn.text)
    while first < last:
        middle = (first + last) // 2
        if len(_quoted(turn, _CUT_MARK + turn.text[middle:])) > room:
            first = middle + 1
        else:
            last = middle
    return _quoted(turn, _CUT_MARK + turn.text[first:])
