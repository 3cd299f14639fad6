"""No query's cost may grow with history: each goes through an index, and none sorts or scans."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from brain.activity import Draft, Recorder
from brain.config import Storage
from brain.store import (
    EventFilter,
    MailChoice,
    Snapshot,
    TalkMark,
    Transaction,
    TurnChoice,
    open_store,
)
from tests.clocks import FakeClock
from tests.commits import counted_statements
from tests.store.test_contract import BOX, a_note, a_receipt, a_rehearsal, a_turn

TALK = "a" * 32
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATER = datetime(2026, 3, 3, tzinfo=UTC)

READS = {
    "conversation_id": lambda rows: rows.conversation_id("console", "main"),
    "talks": lambda rows: rows.talks(limit=20),
    "talks behind one": lambda rows: rows.talks(
        limit=20, before=TalkMark(last_at=NOW, conversation_id=TALK)
    ),
    "talk": lambda rows: rows.talk(TALK),
    "sessions": lambda rows: rows.sessions(TALK, limit=20),
    "sessions before one": lambda rows: rows.sessions(TALK, limit=20, before=9),
    "turns before one": lambda rows: rows.turns(
        TALK, 1, limit=20, may_read_private=True, before_turn_id=9
    ),
    "active_session": lambda rows: rows.active_session(TALK),
    "newest_turn_at": lambda rows: rows.newest_turn_at(TALK, 1),
    "has_dialogue": lambda rows: rows.has_dialogue(TALK, 1),
    "newest_dialogue_before": lambda rows: rows.newest_dialogue_before(TALK, 9, look_back=50),
    "turns": lambda rows: rows.turns(TALK, 1, limit=20, may_read_private=True),
    "turns_from": lambda rows: rows.turns_from(TALK, 1, first_turn_id=3, may_read_private=False),
    "exchange_starts": lambda rows: rows.exchange_starts(TALK, 1, limit=20),
    "window_start": lambda rows: rows.window_start(TALK, 1),
    "notes": lambda rows: rows.notes(BOX, may_read_private=False),
    "note": lambda rows: rows.note(BOX, 3, may_read_private=True),
    "note_like": lambda rows: rows.note_like(BOX, "x"),
    "note_count": lambda rows: rows.note_count(BOX),
    "generation": lambda rows: rows.generation(BOX),
    "rehearsals": lambda rows: rows.rehearsals(BOX, now=NOW),
    "rehearsal": lambda rows: rows.rehearsal(BOX, 3, now=NOW),
    "receipt": lambda rows: rows.receipt(TALK),
    "event_head": lambda rows: rows.event_head(),
    "events": lambda rows: rows.events(EventFilter(after=7), limit=9),
    "events of a type": lambda rows: rows.events(
        EventFilter(types=("note_stored",)), limit=9, newest=True
    ),
    "events of two types": lambda rows: rows.events(
        EventFilter(types=("note_stored", "tool_used")), limit=9, newest=True
    ),
    "events of a type and brain": lambda rows: rows.events(
        EventFilter(types=("note_stored",), brain="home"), limit=9, newest=True
    ),
    "events of two types of a talk": lambda rows: rows.events(
        EventFilter(types=("note_stored", "tool_used"), conversation=TALK), limit=9, newest=True
    ),
    "events of a brain": lambda rows: rows.events(EventFilter(brain="home"), limit=9, newest=True),
    "events of a talk": lambda rows: rows.events(
        EventFilter(conversation=TALK), limit=9, newest=True
    ),
    "calls of a talk": lambda rows: rows.events(
        EventFilter(conversation=TALK, tools_only=True), limit=9, newest=True
    ),
    "calls of a brain": lambda rows: rows.events(
        EventFilter(brain="home", tools_only=True), limit=9, newest=True
    ),
    "denied calls of a tool": lambda rows: rows.events(
        EventFilter(types=("tool_denied",), tool="calc", mode="deny"), limit=9, newest=True
    ),
    "events since": lambda rows: rows.events(EventFilter(since=NOW), limit=9),
    "open_runs": lambda rows: rows.open_runs(),
    "undecided_calls": lambda rows: rows.undecided_calls(["run1"]),
    "unended_messages": lambda rows: rows.unended_messages(["run1"]),
    "message_state": lambda rows: rows.message_state("x1"),
    "talk_generation": lambda rows: rows.talk_generation(TALK),
    "actor_id": lambda rows: rows.actor_id("console", "ada"),
    "forgetting": lambda rows: rows.forgetting("f1"),
    "newest_forgetting": lambda rows: rows.newest_forgetting(),
    "waiting_forgettings": lambda rows: rows.waiting_forgettings(),
    "is_accepted": lambda rows: rows.is_accepted("x1"),
    "accepted_in": lambda rows: rows.accepted_in("hook", "c1"),
    "next_deliveries": lambda rows: rows.next_deliveries("hook", limit=4),
}

LEADS = {
    "talks": "conversations_last",
    "talks behind one": "conversations_last",
    "events of a type": "events_type",
    "events of two types": "events_type",
    "events of a type and brain": "events_type",
    "events of two types of a talk": "events_conversation",
    "events of a brain": "events_brain",
    "events of a talk": "events_conversation",
    "calls of a talk": "events_tool_conversation",
    "calls of a brain": "events_tool_brain",
    "denied calls of a tool": "events_type",
    "events since": "events_at",
    "exchange_starts": "turns_start",
    "undecided_calls": "events_decided",
    "message_state": "events_messages",
    "accepted_in": "accepted_talk",
    "next_deliveries": "outbox_waiting",
    "waiting_forgettings": "forgettings_waiting",
}

WRITES = {
    "open_conversation": lambda tx: tx.open_conversation("console", "main"),
    "open_actor": lambda tx: tx.open_actor("console", "ada"),
    "mark_seen": lambda tx: tx.mark_seen("console", "m1", "begun", sender="ann", turn_id=1),
    "seen": lambda tx: tx.seen("console", "m1"),
    "move_window": lambda tx: tx.move_window(TALK, 1, 4),
    "add_note": lambda tx: tx.add_note(a_note("x")),
    "drop_note": lambda tx: tx.drop_note(BOX, 3),
    "clear_box": lambda tx: tx.clear_box(BOX),
    "keep_rehearsal": lambda tx: tx.keep_rehearsal(a_rehearsal("x"), at_most=9),
    "drop_rehearsals": lambda tx: tx.drop_rehearsals(BOX, [1, 2]),
    "close_run": lambda tx: tx.close_run("run1"),
    "release_model": lambda tx: tx.release_model("ollama/x"),
    "keep_receipt": lambda tx: tx.keep_receipt(
        tx.open_conversation("console", "main"), a_receipt("x1")
    ),
    "erase_turns of a session": lambda tx: tx.erase_turns(
        TurnChoice(conversation_id=TALK, session=1)
    ),
    "erase_mail of a talk": lambda tx: tx.erase_mail(MailChoice(channel="hook", conversation="c1")),
    "advance_box": lambda tx: tx.advance_box(BOX),
    "advance_talk": lambda tx: tx.advance_talk(TALK),
    "begin_accepted": lambda tx: tx.begin_accepted("x1"),
    "end_accepted": lambda tx: tx.end_accepted("x1"),
    "end_delivery": lambda tx: tx.end_delivery("x1"),
    "put_off": lambda tx: tx.put_off("x1", failure="unreachable", due_at=LATER),
    "give_up": lambda tx: tx.give_up("x1", failure="unreachable"),
    "take_up_again": lambda tx: tx.take_up_again("x1", expires_at=LATER),
}


def fill(tx: Transaction) -> None:
    """A little of everything, and SQLite's statistics, so that it plans as for a full store."""
    recorder = Recorder(run_id="run1", revision="r1")
    talk = tx.open_conversation("console", "main")
    for number in range(1, 20):
        tx.start_session(talk)
        tx.add_turn(a_turn(talk, "hi", session=number))
        draft = Draft(type="tool_decided", brain="home", conversation=TALK, exchange="x1")
        recorder.append(tx, draft)
        recorder.append(tx, Draft(type="message_received", exchange=f"x{number}"))
    for index in range(5):
        tx.add_note(a_note(f"n{index}"))
        tx.keep_rehearsal(a_rehearsal(f"r{index}"), at_most=9)


@pytest.mark.parametrize("name", [*READS, *WRITES])
async def test_a_statement_goes_through_an_index(
    tmp_path: Path, clock: FakeClock, name: str
) -> None:
    with counted_statements() as seen:
        async with open_store(Storage(path=tmp_path / "brain.db"), clock=clock) as store:
            await store.write(fill)
            seen.clear()
            if name in READS:
                await store.read(READS[name])
            else:
                await store.write(WRITES[name])
            statements = [
                text for text in seen.texts if re.match(r"\s*(SELECT|UPDATE|DELETE)", text)
            ]

            def plans(rows: Snapshot) -> list[str]:
                return [
                    f"{step[3]}  in  {text}"
                    for text in statements
                    for step in rows._sql.rows(f"EXPLAIN QUERY PLAN {text}")
                ]

            found = await store.read(plans)

    assert found
    assert all(LEADS.get(name, "") in "\n".join(found) for _ in found)
    assert [step for step in found if costs_history(step)] == []


def costs_history(step: str) -> bool:
    """Tell whether a step of a plan reads or sorts a whole table."""
    newest_event = "SCAN events  in  SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1"
    is_bounded = (
        step.startswith(
            (newest_event, "SCAN (subquery", "SCAN forgettings")
        )  # of these 100 are kept
        or "USING INDEX runs_open" in step  # open runs alone are in it
        or ("TEMP B-TREE" in step and " UNION ALL " in step)  # LIMIT rows of each type
        or ("TEMP B-TREE" in step and "FROM outbox" in step)  # what waits, which is bounded
    )
    return not is_bounded and ("SCAN" in step or "TEMP B-TREE" in step)


async def steps_of_reads(turns: int) -> dict[str, int]:
    """Return how many steps SQLite's machine takes for each read, with so much history."""
    clock = FakeClock()
    async with open_store(None, clock=clock) as store:
        recorder = Recorder(run_id="run2", revision="r1")

        def live(tx: Transaction) -> None:
            talk = tx.open_conversation("console", "busy")
            tx.start_session(talk)
            for number in range(turns):
                role = "user" if number % 2 else "assistant"
                tx.add_turn(a_turn(talk, "hi", role=role))
                tx.start_session(tx.open_conversation("console", f"talk {number}"))
                kind, tool = ("tool_used", "time") if number % 2 else ("reply_sent", None)
                draft = Draft(type=kind, tool=tool, brain="home", conversation=TALK, exchange="x2")
                recorder.append(tx, draft)

        await store.write(live)
        clock.jump(NOW)
        await store.write(fill)
        talk = await store.read(lambda rows: rows.conversation_id("console", "busy"))
        busy = {
            "talks": lambda rows: rows.talks(limit=20),
            "sessions": lambda rows: rows.sessions(talk, limit=20),
            "earlier turns": lambda rows: rows.turns(
                talk, 1, limit=20, may_read_private=True, before_turn_id=turns // 2
            ),
            "newest turns": lambda rows: rows.turns(talk, 1, limit=20, may_read_private=True),
            "newest starts": lambda rows: rows.exchange_starts(talk, 1, limit=20),
            "dialogue": lambda rows: rows.has_dialogue(talk, 1),
            "dialogue before": lambda rows: rows.newest_dialogue_before(talk, 2, look_back=50),
            "newest turn": lambda rows: rows.newest_turn_at(talk, 1),
            "events since now": lambda rows: rows.events(EventFilter(since=LATER), limit=9),
        }
        steps: dict[str, int] = {}
        for name, query in (READS | busy).items():

            def counted(rows: Snapshot, query: Any = query) -> int:
                ticks = []
                rows._sql._connection.set_progress_handler(lambda: ticks.append(1), 10)
                query(rows)
                return len(ticks)

            steps[name] = await store.read(counted)
        return steps


async def test_the_steps_of_a_read_do_not_grow_with_history() -> None:
    few, many = await steps_of_reads(300), await steps_of_reads(6000)

    grown = {name: (few[name], many[name]) for name in few if many[name] > 1.2 * few[name] + 3}

    assert grown == {}
