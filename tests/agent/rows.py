"""Turns and notes for tests of pure code."""

from datetime import UTC, datetime

from brain.records import Box, Note, Turn, TurnRole

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
BOX = Box(brain="assistant", scope="conversation", channel="console", conversation="main")


def turn(
    turn_id: int,
    role: TurnRole,
    text: str,
    *,
    exchange: str = "",
    kind: str = "said",
    is_tainted: bool = False,
) -> Turn:
    return Turn(
        turn_id=turn_id,
        conversation_id="c" * 32,
        session=1,
        role=role,
        kind="recalled" if kind == "recalled" else "said",
        text=text,
        at=AT,
        brain="assistant",
        sensitivity="private",
        exchange_id=exchange,
        is_tainted=is_tainted,
    )


def said(first: int, last: int) -> list[Turn]:
    """Whole exchanges `first` to `last`: exchange n is turns 2n-1 (user) and 2n (assistant)."""
    turns = []
    for number in range(first, last + 1):
        exchange = f"x{number}"
        turns.append(turn(2 * number - 1, "user", f"question {number}", exchange=exchange))
        turns.append(turn(2 * number, "assistant", f"answer {number}", exchange=exchange))
    return turns


def note(number: int, text: str) -> Note:
    return Note(
        note_id=f"{number:032x}",
        number=number,
        box=BOX,
        text=text,
        created_at=AT,
        origin="model",
        sensitivity="private",
        revision="r",
    )
