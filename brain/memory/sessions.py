"""When a session ends and the next one begins."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal

from brain.activity import Draft, Recorder
from brain.config import SessionRules
from brain.records import Session
from brain.store import Transaction

__all__ = ["Cut", "Opened", "current_session", "cut_session", "is_expired"]

Cut = Literal["first", "trigger", "idle", "daily"]

_BISECT_TO = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The session that is active now, and why it began, or "" where it went on."""

    session: Session
    began: Cut | Literal[""] = ""


def is_expired(
    *, newest_turn_at: datetime | None, now: datetime, rules: SessionRules, zone: tzinfo
) -> Literal["idle", "daily", ""]:
    """Return why a session whose newest turn is of `newest_turn_at` has ended, or "".

    An empty session (None) does not end. A clock that was set back ends nothing.
    """
    if newest_turn_at is None or now <= newest_turn_at:
        return ""
    if rules.idle_min and now - newest_turn_at >= timedelta(minutes=rules.idle_min):
        return "idle"
    if rules.daily_at and _newest_boundary(now, rules.daily_at, zone) > newest_turn_at:
        return "daily"
    return ""


def current_session(
    tx: Transaction,
    recorder: Recorder,
    *,
    conversation_id: str,
    rules: SessionRules | None,
    zone: tzinfo,
    event: Draft,
) -> Opened:
    """Return the session a message of this moment belongs to, opening it where that is due.

    Without `rules` a conversation is one endless session. `event` is the draft that names brain,
    channel, conversation, actor and exchange; its type and outcome are set here.
    """
    active = tx.active_session(conversation_id)
    if active is None:
        return _open(tx, recorder, conversation_id=conversation_id, began="first", event=event)
    if rules is None:
        return Opened(session=active)
    ended = is_expired(
        newest_turn_at=tx.newest_turn_at(conversation_id, active.number),
        now=tx.now,
        rules=rules,
        zone=zone,
    )
    if not ended:
        return Opened(session=active)
    return _open(tx, recorder, conversation_id=conversation_id, began=ended, event=event)


def cut_session(
    tx: Transaction, recorder: Recorder, *, conversation_id: str, event: Draft
) -> Opened:
    """Open the next session because the person asked for it; an empty one is kept as it is."""
    active = tx.active_session(conversation_id)
    if active is None:
        return _open(tx, recorder, conversation_id=conversation_id, began="first", event=event)
    if tx.newest_turn_at(conversation_id, active.number) is None:
        return Opened(session=active)
    return _open(tx, recorder, conversation_id=conversation_id, began="trigger", event=event)


def _open(
    tx: Transaction, recorder: Recorder, *, conversation_id: str, began: Cut, event: Draft
) -> Opened:
    session = tx.start_session(conversation_id)
    recorder.append(tx, replace(event, type="session_started", outcome=began))
    return Opened(session=session, began=began)


def _newest_boundary(now: datetime, daily_at: str, zone: tzinfo) -> datetime:
    """Return the newest moment, not after `now`, at which `daily_at` struck in `zone`."""
    hour, minute = daily_at.split(":")
    wanted = time(int(hour), int(minute))
    today = now.astimezone(zone).date()
    # Tomorrow's too: where the clock is put back over midnight, tomorrow has been here already.
    struck = (_moment(today - timedelta(days=back), wanted, zone) for back in (-1, 0, 1))
    return max(moment for moment in struck if moment <= now)


def _moment(day: date, wanted: time, zone: tzinfo) -> datetime:
    """Return when the clock on the wall first shows `wanted` or later on `day`, in UTC.

    A time that comes twice is its first coming. A time that is skipped is the first moment after
    the gap, found by bisection: the two readings of a skipped time (PEP 495) lie on either side.
    """
    wall = datetime.combine(day, wanted)
    first = wall.replace(tzinfo=zone).astimezone(UTC)
    if _wall(first, zone) == wall:
        return first
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    after = first
    while after - before > _BISECT_TO:
        middle = before + (after - before) / 2
        if _wall(middle, zone) < wall:
            before = middle
        else:
            after = middle
    return after.replace(microsecond=0)


def _wall(moment: datetime, zone: tzinfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)
