import json
import re
from pathlib import Path
from typing import NoReturn

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.activity import FIELDS, Draft, Facts, Recorder
from brain.activity.chain import canonical, hash_of
from brain.activity.drafts import check
from brain.store import EventFilter, EventRow, Store, Transaction
from tests.activity.conftest import DRAFTS, TALK, record
from tests.clocks import FakeClock

SCHEMA = json.loads(Path("schemas/event.schema.json").read_text(encoding="utf-8"))


async def test_an_event_is_complete_and_in_order_and_reads_back_as_it_was_appended(
    store: Store, recorder: Recorder, clock: FakeClock
) -> None:
    appended = [
        await store.write(lambda tx, draft=draft: recorder.append(tx, draft)) for draft in DRAFTS
    ]

    read = await store.read(lambda rows: rows.events(EventFilter(), limit=9))

    assert list(read) == appended
    assert all(tuple(row) == FIELDS for row in appended)
    third = dict(appended[2])
    assert re.fullmatch("[0-9a-f]{32}", str(third.pop("id")))
    assert third.pop("hash") == hash_of(str(appended[1]["hash"]), appended[2])
    assert third == {
        "v": 1,
        "seq": 3,
        "at": "2026-03-02T09:00:00.000Z",
        "run": "run1",
        "type": "tool_denied",
        "brain": "home",
        "channel": "console",
        "conversation": TALK,
        "actor": "b" * 32,
        "exchange": "x1",
        "tool": "memory_note",
        "mode": "deny",
        "outcome": "denied",
        "rule": "channel",
        "origin": "model",
        "facts": {"local": 1, "sensitivity": "private", "tainted": 0},
        "model": "ollama/llama3.2",
        "proof": "p1",
        "tokens": {"prompt": 10, "reply": 2},
        "latency_ms": 3,
        "ref": "c" * 32,
        "counts": {"notes": 1},
        "revision": "r1",
        "revision_before": None,
        "paths": None,
        "codes": ["full"],
        "prev": appended[1]["hash"],
    }


async def test_every_event_fits_the_closed_schema(store: Store, recorder: Recorder) -> None:
    await record(store, recorder)

    for row in await store.read(lambda rows: rows.events(EventFilter(), limit=9)):
        jsonschema.validate(row, SCHEMA, cls=jsonschema.Draft202012Validator)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**row, "text": "hi"}, SCHEMA, cls=jsonschema.Draft202012Validator)


def test_the_bytes_that_are_chained_are_these() -> None:
    row = dict.fromkeys(FIELDS)
    row |= {"v": 1, "seq": 7, "tool": "zeit_日", "counts": {"b": 2, "a": 1}, "paths": ["x"]}

    assert canonical(row).decode() == (
        '[1,7,null,null,null,null,null,null,null,null,null,"zeit_日",null,null,null,null,null,'
        'null,null,null,null,null,{"a":1,"b":2},null,null,["x"],null]'
    )
    assert (
        hash_of("0" * 64, row) == "25b2918a929f1e2b205b28198a11d2e881e4f17ac92d8c2573228309304d7483"
    )


@pytest.mark.parametrize(
    ("draft", "complaint"),
    [
        (Draft(type="note_eaten"), "no event has the type 'note_eaten'"),
        (Draft(type="tool_used", mode="maybe"), "mode of an event is one of allow, shadow, deny"),
        (Draft(type="tool_used", origin="me"), "origin of an event is one of model, operator"),
        (Draft(type="tool_used", tool="Drop all my notes"), "tool of an event matches"),
        (Draft(type="tool_used", outcome="It failed."), "outcome of an event matches"),
        (Draft(type="tool_used", ref="/etc/passwd"), "ref of an event matches"),
        (Draft(type="tool_used", conversation="main"), "conversation of an event matches"),
        (Draft(type="tool_used", actor="ada"), "actor of an event matches"),
        (Draft(type="tool_used", brain="home\n"), "brain of an event matches"),
        (Draft(type="tool_used", codes=("ok", "no way")), "codes of an event matches"),
        (Draft(type="tool_used", paths=("a b",)), "paths of an event matches"),
        (Draft(type="tool_used", counts={"two words": 1}), "counts of an event matches"),
        (Draft(type="tool_used", counts={"notes": -1}), "counts.notes of an event is a whole"),
        (Draft(type="tool_used", counts={"notes": True}), "counts.notes of an event is a whole"),
        (Draft(type="tool_used", latency_ms=2**53), "latency_ms of an event is a whole"),
        (
            Draft(type="tool_used", facts=Facts(sensitivity="secret")),
            "facts.sensitivity of an event is one of public, private",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_draft_with_room_for_content_is_refused_and_nothing_is_appended(
    store: Store, recorder: Recorder, draft: Draft, complaint: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        await store.write(lambda tx: recorder.append(tx, draft))

    assert await store.read(lambda rows: rows.event_head()) == (0, "0" * 64)


@pytest.mark.proves("P9")
@given(text=st.text(min_size=1), where=st.sampled_from(["tool", "outcome", "rule", "ref", "codes"]))
def test_no_text_with_a_space_or_a_line_break_gets_into_an_event(text: str, where: str) -> None:
    value = (f"{text} x",) if where == "codes" else f"{text} x"
    with pytest.raises(ValueError, match="of an event matches"):
        check(Draft(type="tool_used", **{where: value}))


async def test_two_events_of_one_write_are_chained_and_share_its_fate(
    store: Store, recorder: Recorder
) -> None:
    def both(tx: Transaction) -> tuple[EventRow, EventRow]:
        first = recorder.append(tx, Draft(type="note_stored"))
        second = recorder.append(tx, Draft(type="tool_used"))
        return first, second

    def fails(tx: Transaction) -> NoReturn:
        both(tx)
        raise KeyError("no")

    with pytest.raises(KeyError):
        await store.write(fails)
    first, second = await store.write(both)

    assert (first["seq"], second["seq"]) == (1, 2)
    assert second["prev"] == first["hash"]
