"""Which stored turns ride in a prompt, and as what.

Pure: turns in, messages out. Only whole exchanges ride. The window begins at a turn that stays
where it is until twice as many turns as wanted are in it, so that a prompt begins with the same
bytes from one exchange to the next.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from brain.records import Message, Role, Turn

__all__ = ["Window", "as_messages", "brought_along", "rows_to_read", "window"]

_OTHER_ROWS = 17  # this exchange's own turn, and the turns of those that may wait behind it
_JOINT = "\n\n"
_NO_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)

Exchanges = tuple[tuple[Turn, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The exchanges that ride, oldest first. `moved_to`: where the window begins now, 0 if it stayed."""

    exchanges: Exchanges
    moved_to: int = 0


def rows_to_read(history_turns: int) -> int:
    """Return how many of the newest turns of a session are read: its window, and a little more.

    Where that does not reach back to the window's start, the window moves early.
    """
    return 2 * history_turns + _OTHER_ROWS


def window(
    turns: Sequence[Turn], *, start: int, turn_id: int, exchange_id: str, history_turns: int
) -> Window:
    """Choose the exchanges before the user turn `turn_id` of `exchange_id`.

    `turns` are the newest of the session (`rows_to_read` of them, or all from `start` on), oldest
    first; `start` is the turn the window began at so far. System turns do not count.
    """
    if history_turns == 0:
        return Window(exchanges=())
    is_partial = len(turns) >= rows_to_read(history_turns) and turns[0].turn_id > start
    grouped = _exchanges(turn for turn in turns if turn.turn_id >= start)
    earlier = [
        group
        for group in grouped
        if group[0].turn_id < turn_id and group[0].exchange_id != exchange_id and _is_whole(group)
    ]
    held = sum(len(group) for group in earlier)
    if held < 2 * history_turns and not is_partial:
        return Window(exchanges=tuple(earlier))
    kept = _newest(earlier, at_most=history_turns)
    return Window(exchanges=kept, moved_to=kept[0][0].turn_id if kept else turn_id)


def brought_along(history: Sequence[Message]) -> Exchanges:
    """Return messages of user and assistant as exchanges; each begins with what the user said."""
    groups: list[list[Turn]] = []
    for message in history:
        if message.role == "user" or not groups:
            groups.append([])
        groups[-1].append(_brought(message))
    return tuple(tuple(group) for group in groups)


def _brought(message: Message) -> Turn:
    """Return a message as a turn that no store has, and that has no place and no time."""
    return Turn(
        turn_id=0,
        conversation_id="",
        session=0,
        role="user" if message.role == "user" else "assistant",
        kind="said",
        text=message.text,
        at=_NO_MOMENT,
        brain="",
        sensitivity="public",
        exchange_id="",
    )


def as_messages(turns: Iterable[Turn], text: str) -> tuple[Message, ...]:
    """Return `turns` and then the user's `text` as messages whose roles alternate.

    A turn that says nothing is none: what it carries is told to people.
    """
    messages: list[tuple[Role, str]] = []
    spoken = ((_role(turn), turn.text) for turn in turns if turn.text)
    for role, said in [*spoken, ("user", text)]:
        if messages and messages[-1][0] == role:
            messages[-1] = (role, messages[-1][1] + _JOINT + said)
        else:
            messages.append((role, said))
    return tuple(Message(role=role, text=said) for role, said in messages)


def _exchanges(turns: Iterable[Turn]) -> list[tuple[Turn, ...]]:
    """Group turns by exchange, in the order in which the exchanges began.

    A recalled block stands for itself, and so does a turn that no exchange made.
    """
    groups: dict[str, list[Turn]] = {}
    for turn in turns:
        if turn.role == "system":
            continue
        is_alone = turn.kind == "recalled" or not turn.exchange_id
        key = f"turn {turn.turn_id}" if is_alone else turn.exchange_id
        groups.setdefault(key, []).append(turn)
    return [tuple(group) for group in groups.values()]


def _is_whole(group: tuple[Turn, ...]) -> bool:
    """Tell whether the exchange begins here: the user's turn of one that waited may lie before."""
    return group[0].role != "assistant" or not group[0].exchange_id


def _newest(exchanges: Sequence[tuple[Turn, ...]], *, at_most: int) -> Exchanges:
    """Return the newest exchanges that hold at most so many turns, but one at least."""
    kept: list[tuple[Turn, ...]] = []
    room = at_most
    for group in reversed(exchanges):
        room -= len(group)
        if room < 0 and kept:
            break
        kept.insert(0, group)
    return tuple(kept)


def _role(turn: Turn) -> Role:
    return "user" if turn.role == "user" else "assistant"
