"""What every store promises: one body for each kind there is (`store` in conftest)."""

import asyncio
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from brain.activity import Draft, Recorder
from brain.records import Box, Effect, Note, Receipt, Rehearsal, Session, Turn
from brain.store import (
    EventFilter,
    ModelBreak,
    NewNote,
    NewRehearsal,
    NewTurn,
    Seen,
    SessionRow,
    Store,
    TalkMark,
    TalkRow,
    Transaction,
    TurnChoice,
)
from tests.clocks import FakeClock

BOX = Box(brain="home", scope="conversation", channel="console", conversation="main")
OTHER = Box(brain="home", scope="conversation", channel="console", conversation="other")
SHARED = Box(brain="home", scope="brain")


def a_note(text: str, box: Box = BOX, **more: Any) -> NewNote:
    values: dict[str, Any] = {"origin": "model", "sensitivity": "public", "revision": "r1"}
    return NewNote(box=box, text=text, folded=text.casefold(), **(values | more))


def a_turn(conversation_id: str, text: str, **more: Any) -> NewTurn:
    values: dict[str, Any] = {
        "session": 1,
        "role": "user",
        "brain": "home",
        "sensitivity": "public",
        "exchange_id": "x1",
    }
    return NewTurn(conversation_id=conversation_id, text=text, **(values | more))


def a_rehearsal(note: str, box: Box = BOX, **more: Any) -> NewRehearsal:
    values: dict[str, Any] = {
        "tool": "memory_note",
        "arguments": {"note": note},
        "would": "stored",
        "keep_days": 30,
        "sensitivity": "public",
        "revision": "r1",
    }
    return NewRehearsal(box=box, **(values | more))


def a_receipt(exchange_id: str, **more: Any) -> Receipt:
    values: dict[str, Any] = {
        "model": "ollama/llama3.2",
        "proof_id": "p1",
        "is_local": True,
        "lane": "text",
        "parts": {"persona": 12, "message": 3},
        "estimated_tokens": 40,
        "room_tokens": 7168,
        "notes": (1, 3),
        "note_ids": ("a" * 32, "b" * 32),
        "tools": ("memory_note", "time"),
        "exchanges": 2,
        "dropped": 1,
    }
    return Receipt(exchange_id=exchange_id, **(values | more))


async def begin(store: Store, sessions: int = 1) -> str:
    """Open a conversation with so many sessions; return its id."""

    def change(tx: Transaction) -> str:
        conversation_id = tx.open_conversation("console", "main")
        for _ in range(sessions):
            tx.start_session(conversation_id)
        return conversation_id

    return await store.write(change)


async def test_a_note_reads_back_as_it_was_added(store: Store, clock: FakeClock) -> None:
    wanted = a_note(
        "Æ 日本 🌱",
        origin="promoted",
        sensitivity="private",
        channel="console",
        sender="ada",
        session=3,
        turn_id=7,
        is_tainted=True,
    )
    added = await store.write(lambda tx: tx.add_note(wanted))

    assert added == Note(
        note_id=added.note_id,
        number=1,
        box=BOX,
        text="Æ 日本 🌱",
        created_at=clock.now(),
        origin="promoted",
        sensitivity="private",
        revision="r1",
        channel="console",
        sender="ada",
        session=3,
        turn_id=7,
        is_tainted=True,
    )
    assert len(added.note_id) == 32
    assert await store.read(lambda rows: rows.notes(BOX, may_read_private=True)) == (added,)
    assert await store.read(lambda rows: rows.note(BOX, 1, may_read_private=True)) == added


@pytest.mark.proves("P4")
async def test_a_box_is_read_by_its_whole_key_alone(store: Store) -> None:
    elsewhere = Box(brain="work", scope="conversation", channel="console", conversation="main")
    http = Box(brain="home", scope="conversation", channel="http", conversation="main")

    def change(tx: Transaction) -> None:
        for box in (BOX, OTHER, SHARED, elsewhere, http):
            tx.add_note(a_note(f"of {box.brain} {box.channel} {box.conversation}", box))

    await store.write(change)

    for box in (BOX, OTHER, SHARED, elsewhere, http):
        notes = await store.read(lambda rows, box=box: rows.notes(box, may_read_private=True))
        assert [note.text for note in notes] == [f"of {box.brain} {box.channel} {box.conversation}"]
        assert await store.read(lambda rows, box=box: rows.note_count(box)) == 1


async def test_a_private_note_is_not_read_by_who_may_not(store: Store) -> None:
    await store.write(lambda tx: tx.add_note(a_note("open")))
    await store.write(lambda tx: tx.add_note(a_note("hidden", sensitivity="private")))

    public = await store.read(lambda rows: rows.notes(BOX, may_read_private=False))
    every = await store.read(lambda rows: rows.notes(BOX, may_read_private=True))

    assert [note.text for note in public] == ["open"]
    assert [note.text for note in every] == ["open", "hidden"]
    assert await store.read(lambda rows: rows.note(BOX, 2, may_read_private=False)) is None
    assert await store.read(lambda rows: rows.note_count(BOX)) == 2


async def test_a_number_is_not_given_twice_until_the_box_is_cleared(store: Store) -> None:
    for text in ("one", "two", "three"):
        await store.write(lambda tx, text=text: tx.add_note(a_note(text)))
    dropped = await store.write(lambda tx: tx.drop_note(BOX, 3))
    again = await store.write(lambda tx: tx.add_note(a_note("four")))

    assert dropped is not None
    assert (dropped.number, dropped.text, again.number) == (3, "three", 4)
    assert await store.write(lambda tx: tx.drop_note(BOX, 3)) is None

    await store.write(lambda tx: tx.clear_box(BOX))
    assert (await store.write(lambda tx: tx.add_note(a_note("new")))).number == 1


async def test_clearing_a_box_takes_its_rehearsals_and_ages_it_and_no_other(store: Store) -> None:
    def fill(tx: Transaction) -> None:
        for box in (BOX, OTHER):
            tx.add_note(a_note("one", box))
            tx.add_note(a_note("two", box))
            tx.keep_rehearsal(a_rehearsal("three", box), at_most=9)

    await store.write(fill)

    assert await store.write(lambda tx: tx.clear_box(BOX)) == (2, 1)
    assert await store.write(lambda tx: tx.clear_box(BOX)) == (0, 0)
    assert await store.read(lambda rows: (rows.generation(BOX), rows.generation(OTHER))) == (2, 0)
    assert await store.read(lambda rows: rows.boxes()) == ((OTHER, 2),)
    kept = await store.read(lambda rows: rows.rehearsals(OTHER, now=FakeClock().now()))
    assert [rehearsal.arguments for rehearsal in kept] == [{"note": "three"}]


async def test_an_equal_note_is_found_whatever_its_sensitivity(store: Store) -> None:
    added = await store.write(lambda tx: tx.add_note(a_note("Likes TEA", sensitivity="private")))

    assert await store.read(lambda rows: rows.note_like(BOX, "likes tea")) == added
    assert await store.read(lambda rows: rows.note_like(BOX, "Likes TEA")) is None
    assert await store.read(lambda rows: rows.note_like(OTHER, "likes tea")) is None


async def test_notes_come_in_pages_oldest_first(store: Store) -> None:
    await store.write(lambda tx: [tx.add_note(a_note(f"n{index}")) for index in range(5)])

    page = await store.read(lambda rows: rows.notes(BOX, may_read_private=True, offset=2, limit=2))

    assert [note.number for note in page] == [3, 4]


async def test_a_rehearsal_reads_back_until_it_expires(store: Store, clock: FakeClock) -> None:
    wanted = a_rehearsal(
        "Æ 🌱",
        keep_days=2,
        sensitivity="private",
        exchange_id="x9",
        channel="console",
        sender="ada",
        session=2,
        turn_id=4,
        held_for="this talk read cv.txt",
    )
    kept = await store.write(lambda tx: tx.keep_rehearsal(wanted, at_most=10))

    assert kept == Rehearsal(
        rehearsal_id=kept.rehearsal_id,
        number=1,
        box=BOX,
        tool="memory_note",
        arguments={"note": "Æ 🌱"},
        would="stored",
        created_at=clock.now(),
        expires_at=clock.now() + timedelta(days=2),
        sensitivity="private",
        revision="r1",
        exchange_id="x9",
        channel="console",
        sender="ada",
        session=2,
        turn_id=4,
        held_for="this talk read cv.txt",
    )
    assert await store.read(lambda rows: rows.rehearsal(BOX, 1, now=clock.now())) == kept
    clock.advance(2 * 86400)
    assert await store.read(lambda rows: rows.rehearsal(BOX, 1, now=clock.now())) is None
    assert await store.read(lambda rows: rows.rehearsals(BOX, now=clock.now())) == ()


async def test_the_oldest_rehearsals_make_room_and_numbers_go_on(store: Store) -> None:
    for index in range(5):
        await store.write(
            lambda tx, index=index: tx.keep_rehearsal(a_rehearsal(f"n{index}"), at_most=3)
        )

    kept = await store.read(lambda rows: rows.rehearsals(BOX, now=FakeClock().now()))

    assert [rehearsal.number for rehearsal in kept] == [3, 4, 5]
    assert await store.write(lambda tx: tx.drop_rehearsals(BOX, [4, 4, 1, 99])) == 1
    kept = await store.read(lambda rows: rows.rehearsals(BOX, now=FakeClock().now()))
    assert [rehearsal.number for rehearsal in kept] == [3, 5]


async def test_conversations_and_actors_are_known_by_one_random_id_each(store: Store) -> None:
    first = await store.write(lambda tx: tx.open_conversation("console", "main"))
    again = await store.write(lambda tx: tx.open_conversation("console", "main"))
    other = await store.write(lambda tx: tx.open_conversation("http", "main"))
    actor = await store.write(lambda tx: tx.open_actor("console", "ada"))

    assert first == again != other
    assert await store.read(lambda rows: rows.conversation_id("console", "main")) == first
    assert await store.read(lambda rows: rows.conversation_id("console", "none")) is None
    assert await store.write(lambda tx: tx.open_actor("console", "ada")) == actor
    assert await store.write(lambda tx: tx.open_actor("http", "ada")) != actor


async def test_sessions_are_numbered_and_the_newest_is_active(
    store: Store, clock: FakeClock
) -> None:
    conversation_id = await begin(store)
    clock.advance(60)
    second = await store.write(lambda tx: tx.start_session(conversation_id))

    assert second == Session(conversation_id=conversation_id, number=2, started_at=clock.now())
    assert await store.read(lambda rows: rows.active_session(conversation_id)) == second
    assert await store.read(lambda rows: rows.active_session("0" * 32)) is None


SAID_BELOW = (
    Effect(kind="saved", number=3),
    Effect(kind="held", number=7, reason='this talk read "Zoë\'s" cv.txt'),
)


async def test_turns_read_back_oldest_first_and_only_of_their_session(
    store: Store, clock: FakeClock
) -> None:
    conversation_id = await begin(store, sessions=2)
    first = await store.write(
        lambda tx: tx.add_turn(
            a_turn(conversation_id, "hello", sender="ada", is_tainted=True, is_cut=True)
        )
    )
    clock.advance(5)
    second = await store.write(
        lambda tx: tx.add_turn(
            a_turn(
                conversation_id,
                "secret",
                role="assistant",
                sensitivity="private",
                effects=SAID_BELOW,
                truth="nothing was saved",
            )
        )
    )
    await store.write(lambda tx: tx.add_turn(a_turn(conversation_id, "later", session=2)))

    every = await store.read(
        lambda rows: rows.turns(conversation_id, 1, limit=10, may_read_private=True)
    )
    public = await store.read(
        lambda rows: rows.turns_from(
            conversation_id, 1, first_turn_id=first, may_read_private=False
        )
    )
    newest = await store.read(
        lambda rows: rows.turns(conversation_id, 1, limit=1, may_read_private=True)
    )

    assert every[0] == Turn(
        turn_id=first,
        conversation_id=conversation_id,
        session=1,
        role="user",
        kind="said",
        text="hello",
        at=clock.now() - timedelta(seconds=5),
        brain="home",
        sensitivity="public",
        exchange_id="x1",
        sender="ada",
        is_tainted=True,
        is_cut=True,
    )
    assert [turn.turn_id for turn in every] == [first, second]
    assert (every[1].effects, every[1].truth) == (SAID_BELOW, "nothing was saved")
    assert [turn.text for turn in public] == ["hello"]
    assert [turn.text for turn in newest] == ["secret"]
    assert await store.read(lambda rows: rows.newest_turn_at(conversation_id, 1)) == clock.now()
    assert await store.read(lambda rows: rows.newest_turn_at(conversation_id, 9)) is None


async def test_dialogue_is_told_from_system_lines_and_recalled_blocks(store: Store) -> None:
    conversation_id = await begin(store, sessions=3)

    def change(tx: Transaction) -> None:
        tx.add_turn(a_turn(conversation_id, "hi", session=1))
        tx.add_turn(a_turn(conversation_id, "note", session=2, role="system"))
        tx.add_turn(a_turn(conversation_id, "> hi", session=3, kind="recalled"))

    await store.write(change)

    def newest(session: int, look_back: int) -> Any:
        return store.read(
            lambda rows: rows.newest_dialogue_before(conversation_id, session, look_back=look_back)
        )

    assert await store.read(
        lambda rows: [rows.has_dialogue(conversation_id, session) for session in (1, 2, 3)]
    ) == [True, False, True]
    assert (await newest(4, 50)).number == 1
    assert await newest(4, 2) is None
    assert await newest(1, 50) is None


async def test_exchanges_start_at_said_user_turns_and_the_window_moves(store: Store) -> None:
    conversation_id = await begin(store)
    roles = ("user", "assistant", "user", "system", "user")
    ids = await store.write(
        lambda tx: [tx.add_turn(a_turn(conversation_id, role, role=role)) for role in roles]
    )
    await store.write(lambda tx: tx.add_turn(a_turn(conversation_id, "> x", kind="recalled")))

    starts = await store.read(lambda rows: rows.exchange_starts(conversation_id, 1, limit=2))

    assert starts == (ids[2], ids[4])
    assert await store.read(lambda rows: rows.window_start(conversation_id, 1)) == 0
    await store.write(lambda tx: tx.move_window(conversation_id, 1, ids[2]))
    assert await store.read(lambda rows: rows.window_start(conversation_id, 1)) == ids[2]


async def test_a_message_is_remembered_with_how_far_it_got_and_forgotten_after_a_month(
    store: Store, clock: FakeClock
) -> None:
    async def seen(channel: str) -> Seen | None:
        return await store.write(lambda tx: tx.seen(channel, "m1"))

    def come(tx: Transaction) -> int:
        talk = tx.open_conversation("http", "main")
        tx.start_session(talk)
        turn_id = tx.add_turn(a_turn(talk, "hi"))
        tx.mark_seen("http", "m1", "waiting", sender="ann", turn_id=turn_id)
        return turn_id

    assert await seen("http") is None
    turn_id = await store.write(come)
    waiting = await seen("http")
    assert waiting is not None
    assert waiting.turn is not None
    assert (waiting.state, waiting.turn.turn_id, waiting.turn.text) == ("waiting", turn_id, "hi")
    await store.write(lambda tx: tx.mark_seen("http", "m1", "begun", sender="ann"))
    assert await seen("http") == Seen(state="begun", turn=waiting.turn)
    assert await seen("hook") is None
    await store.write(lambda tx: tx.erase_turns(TurnChoice(turn_id=turn_id)))
    assert await seen("http") == Seen(state="begun")
    clock.advance(31 * 86400)
    await store.write(lambda tx: tx.mark_seen("http", "m2", "settled", sender="ann"))
    assert await seen("http") is None


async def test_a_broken_model_stays_so_until_it_is_released(store: Store, clock: FakeClock) -> None:
    await store.write(lambda tx: tx.break_model("ollama/x", "remote"))
    clock.advance(1)
    await store.write(lambda tx: tx.break_model("ollama/x", "proxy"))

    assert await store.read(lambda rows: rows.model_breaks()) == (
        ModelBreak(model="ollama/x", at=clock.now(), reason="proxy"),
    )
    assert await store.write(lambda tx: tx.release_model("ollama/x"))
    assert not await store.write(lambda tx: tx.release_model("ollama/x"))
    assert await store.read(lambda rows: rows.model_breaks()) == ()


async def test_a_run_is_open_until_it_is_closed_and_lives_with_its_store(store: Store) -> None:
    await store.write(lambda tx: tx.open_run("run1"))

    assert await store.read(lambda rows: (rows.open_runs(), rows.dead_runs())) == (("run1",), ())
    await store.write(lambda tx: tx.close_run("run1"))
    assert await store.read(lambda rows: rows.open_runs()) == ()


async def test_events_are_listed_by_what_is_asked(store: Store, clock: FakeClock) -> None:
    recorder = Recorder(run_id="run1", revision="r1")
    talk = "a" * 32
    drafts = (
        Draft(type="runtime_started"),
        Draft(type="message_received", brain="home", conversation=talk),
        Draft(type="tool_used", brain="home", conversation=talk, tool="time"),
        Draft(type="tool_denied", brain="work", conversation="b" * 32, tool="unknown"),
        Draft(type="reply_sent", brain="home", conversation=talk),
    )
    for draft in drafts:
        await store.write(lambda tx, draft=draft: recorder.append(tx, draft))
        clock.advance(1)

    async def seqs(wanted: EventFilter, *, limit: int = 9, newest: bool = False) -> list[Any]:
        rows = await store.read(lambda rows: rows.events(wanted, limit=limit, newest=newest))
        return [row["seq"] for row in rows]

    assert await seqs(EventFilter()) == [1, 2, 3, 4, 5]
    assert await seqs(EventFilter(after=3)) == [4, 5]
    assert await seqs(EventFilter(), limit=2) == [1, 2]
    assert await seqs(EventFilter(), limit=2, newest=True) == [4, 5]
    assert await seqs(EventFilter(brain="work")) == [4]
    assert await seqs(EventFilter(conversation=talk)) == [2, 3, 5]
    assert await seqs(EventFilter(types=("tool_used", "reply_sent"))) == [3, 5]
    assert await seqs(EventFilter(tools_only=True)) == [3, 4]
    assert await seqs(EventFilter(tools_only=True, conversation=talk)) == [3]
    assert await seqs(EventFilter(tools_only=True, brain="home")) == [3]
    assert await seqs(EventFilter(since=clock.now() - timedelta(seconds=2))) == [4, 5]
    assert await seqs(EventFilter(since=clock.now())) == []


async def test_a_call_that_was_decided_and_never_ended_is_found(store: Store) -> None:
    recorder = Recorder(run_id="run1", revision="r1")
    types = ("tool_decided", "tool_used", "tool_decided")
    for kind in types:
        draft = Draft(type=kind, exchange="x1", tool="http_fetch")
        await store.write(lambda tx, draft=draft: recorder.append(tx, draft))

    found = await store.read(lambda rows: rows.undecided_calls(["run1"]))
    assert [row["seq"] for row in found] == [3]
    assert await store.read(lambda rows: rows.undecided_calls(["run2"])) == ()

    later = Recorder(run_id="run2", revision="r1")
    ended = Draft(type="tool_interrupted", exchange="x1", tool="http_fetch")
    await store.write(lambda tx: later.append(tx, ended))
    assert await store.read(lambda rows: rows.undecided_calls(["run1"])) == ()


async def test_a_callable_that_raises_undoes_itself_and_nothing_else(store: Store) -> None:
    def fails(tx: Transaction) -> None:
        tx.add_note(a_note("lost"))
        raise KeyError("no")

    results = await asyncio.gather(
        store.write(lambda tx: tx.add_note(a_note("one"))),
        store.write(fails),
        store.write(lambda tx: tx.add_note(a_note("two"))),
        return_exceptions=True,
    )

    assert isinstance(results[1], KeyError)
    notes = await store.read(lambda rows: rows.notes(BOX, may_read_private=True))
    assert [(note.number, note.text) for note in notes] == [(1, "one"), (2, "two")]


async def test_an_event_out_of_its_place_is_refused(store: Store) -> None:
    recorder = Recorder(run_id="run1", revision="r1")
    row = await store.write(lambda tx: recorder.append(tx, Draft(type="runtime_started")))

    with pytest.raises(ValueError, match="does not follow the newest one, seq 1"):
        await store.write(lambda tx: tx.append_event(row))

    assert await store.read(lambda rows: rows.event_head()) == (1, row["hash"])


async def test_a_text_that_utf8_cannot_hold_is_refused_and_the_store_lives_on(
    store: Store,
) -> None:
    with pytest.raises(ValueError, match=r"lone surrogate \(U\+D800 at rune 2\)"):
        await store.write(lambda tx: tx.add_note(a_note("ab\ud800")))
    with pytest.raises(ValueError, match="lone surrogate"):
        await store.write(lambda tx: tx.keep_rehearsal(a_rehearsal("\udfff"), at_most=1))

    assert (await store.write(lambda tx: tx.add_note(a_note("fine")))).number == 1


async def test_a_conversation_has_one_receipt_the_newest(store: Store) -> None:
    first = await begin(store)
    other = await store.write(lambda tx: tx.open_conversation("console", "other"))
    assert await store.read(lambda rows: rows.receipt(first)) is None

    second = a_receipt("x2", notes=(), note_ids=(), tools=(), lane="native", is_local=False)
    for receipt in (a_receipt("x1"), second):
        await store.write(partial(keep_receipt, first, receipt))
    await store.write(partial(keep_receipt, other, a_receipt("x3")))

    assert await store.read(lambda rows: rows.receipt(first)) == second
    assert await store.read(lambda rows: rows.receipt(other)) == a_receipt("x3")


def keep_receipt(conversation_id: str, receipt: Receipt, tx: Transaction) -> None:
    tx.keep_receipt(conversation_id, receipt)


async def test_each_commit_wakes_who_asked_for_it_and_what_failed_wakes_nobody(
    store: Store,
) -> None:
    woken: list[str] = []
    stop_first = store.on_commit(lambda: woken.append("first"))
    store.on_commit(lambda: woken.append("second"))

    def fail(_tx: Transaction) -> None:
        raise ValueError("no")

    await store.write(lambda tx: tx.add_note(a_note("one")))
    await asyncio.sleep(0)
    assert woken == ["first", "second"]
    with pytest.raises(ValueError, match="no"):
        await store.write(fail)
    await asyncio.sleep(0)
    assert woken == ["first", "second"]
    stop_first()
    await store.write(lambda tx: tx.add_note(a_note("two")))
    await asyncio.sleep(0)
    assert woken == ["first", "second", "second"]


async def test_events_are_chosen_by_tool_and_by_effect(store: Store) -> None:
    recorder = Recorder(run_id="run1", revision="r1")
    for tool, mode in (("calc", "allow"), ("calc", "deny"), ("echo", "deny"), (None, None)):
        draft = Draft(type="tool_decided", tool=tool, mode=mode)
        await store.write(partial(recorder.append, draft=draft))

    async def seqs(**wanted: Any) -> list[Any]:
        rows = await store.read(lambda rows: rows.events(EventFilter(**wanted), limit=9))
        return [row["seq"] for row in rows]

    assert await seqs(tool="calc") == [1, 2]
    assert await seqs(mode="deny") == [2, 3]
    assert await seqs(tool="calc", mode="deny", types=("tool_decided",)) == [2]
    assert await seqs(tool="unknown") == []


async def test_talks_are_listed_newest_first_with_their_sessions(
    store: Store, clock: FakeClock
) -> None:
    def first(tx: Transaction) -> list[str]:
        ids = [tx.open_conversation("http", name) for name in ("old", "new", "empty")]
        for each in ids[:2]:
            tx.start_session(each)
        tx.add_turn(a_turn(ids[0], "one"))
        tx.start_session(ids[0])
        tx.add_turn(a_turn(ids[0], "two", session=2))
        return ids

    old, new, empty = await store.write(first)
    began = clock.now()
    clock.advance(60)
    await store.write(lambda tx: tx.add_turn(a_turn(new, "three")))

    def row(of: str, name: str, sessions: int, turns: int, last_at: Any) -> TalkRow:
        return TalkRow(
            conversation_id=of,
            channel="http",
            conversation=name,
            sessions=sessions,
            turns=turns,
            last_at=last_at,
        )

    listed = await store.read(lambda rows: rows.talks(limit=10))
    assert listed == (
        row(new, "new", 1, 1, clock.now()),
        row(old, "old", 2, 2, began),
        row(empty, "empty", 0, 0, None),
    )
    assert await store.read(lambda rows: rows.talks(limit=1)) == listed[:1]
    sessions = (
        SessionRow(number=1, started_at=began, turns=1),
        SessionRow(number=2, started_at=began, turns=1),
    )
    assert await store.read(lambda rows: rows.sessions(old, limit=9)) == sessions
    assert await store.read(lambda rows: rows.sessions(old, limit=1)) == sessions[1:]
    assert await store.read(lambda rows: rows.sessions(old, limit=9, before=2)) == sessions[:1]
    assert await store.read(lambda rows: rows.sessions("unknown", limit=9)) == ()
    assert await store.read(lambda rows: [rows.talk(each.conversation_id) for each in listed]) == [
        *listed
    ]
    assert await store.read(lambda rows: rows.talk("unknown")) is None


async def test_talks_of_one_moment_are_listed_page_by_page_without_a_gap(store: Store) -> None:
    def fill(tx: Transaction) -> None:
        for number in range(7):
            talk = tx.open_conversation("http", f"talk {number}")
            tx.start_session(talk)
            if number:
                tx.add_turn(a_turn(talk, "hi"))

    await store.write(fill)
    whole = await store.read(lambda rows: rows.talks(limit=99))

    found: list[TalkRow] = []
    while len(found) < 99:
        mark = (
            TalkMark(last_at=found[-1].last_at, conversation_id=found[-1].conversation_id)
            if (found)
            else None
        )
        page = await store.read(lambda rows, mark=mark: rows.talks(limit=2, before=mark))
        if not page:
            break
        found += page

    assert len(whole) == 7
    assert tuple(found) == whole


async def test_what_a_listing_tells_is_what_there_is_whatever_came_and_went(
    store: Store, clock: FakeClock
) -> None:
    talk = await store.write(lambda tx: tx.open_conversation("http", "main"))
    first = clock.now()
    for session in (1, 2, 3):
        await store.write(lambda tx: tx.start_session(talk))
        await store.write(
            lambda tx, session=session: [
                tx.add_turn(a_turn(talk, text, session=session)) for text in ("hi", "ho")
            ]
        )
        clock.advance(60)
    late = clock.now()
    await store.write(lambda tx: tx.add_turn(a_turn(talk, "late", session=1)))

    async def told() -> tuple[int, int, Any, list[int]]:
        row = await store.read(lambda rows: rows.talk(talk))
        sessions = await store.read(lambda rows: rows.sessions(talk, limit=9))
        assert row is not None
        return row.sessions, row.turns, row.last_at, [each.turns for each in sessions]

    assert await told() == (3, 7, late, [3, 2, 2])
    await store.write(lambda tx: tx.erase_turns(TurnChoice(conversation_id=talk, session=1)))
    assert await told() == (3, 4, first + timedelta(seconds=120), [0, 2, 2])
    await store.write(lambda tx: tx.erase_session(talk, 1))
    assert await told() == (2, 4, first + timedelta(seconds=120), [2, 2])
    await store.write(lambda tx: tx.erase_turns(TurnChoice(conversation_id=talk)))
    assert await told() == (2, 0, None, [0, 0])
