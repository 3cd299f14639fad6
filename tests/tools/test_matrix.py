"""Each mode, met by each form of a call: what is stored, what is on record, what is said."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from brain.records import Effect, Mode, ToolCall
from tests.clocks import FakeClock
from tests.tools.kit import FACTS, NO_TOOL_FACTS, call, calls_of, event, flush, open_desk

ONE = [call("memory_note", note="likes tea")]
ALIAS = [call("functions.Memory_Note", note="likes tea")]
PARALLEL = calls_of("memory_note", ["likes tea", "has a cat"], "note")
TOO_MANY = calls_of("memory_note", [f"fact {number}" for number in range(10)], "note")
MALFORMED = [
    ToolCall(id="1", name="memory_note", malformed="the arguments hold two objects, not one")
]
WRONG = [call("memory_note", text="likes tea")]
UNKNOWN = [call("remember_me_as_canary", note="likes tea")]

NOT_PERMITTED = Effect(kind="refused", reason="memory_note is not permitted here")
BADLY_MADE = Effect(kind="refused", reason="the call was malformed")
IS_FULL = Effect(kind="refused", reason="the box is full (3 of 3)", fix="/notes clear empties it")
OVER = Effect(kind="refused", reason="there were too many calls in one reply")


def used(**fields: Any) -> dict[str, Any]:
    return event(
        "tool_used",
        **{"tool": "memory_note", "mode": "allow", "rule": "allow", "facts": FACTS, **fields},
    )


def shadowed(**fields: Any) -> dict[str, Any]:
    return event(
        "tool_shadowed",
        **{"tool": "memory_note", "mode": "shadow", "rule": "shadow", "facts": FACTS, **fields},
    )


def stored(number: int) -> list[dict[str, Any]]:
    row = {"ref": f"#{number}", "counts": {"notes": number}}
    return [
        event("note_stored", tool="memory_note", outcome="model", **row),
        used(outcome="ok", codes=["stored"], latency_ms=0, **row),
    ]


def kept(number: int) -> list[dict[str, Any]]:
    row = {"ref": f"#{number}"}
    return [
        event("rehearsal_kept", tool="memory_note", outcome="rehearsed", **row),
        shadowed(outcome="ok", codes=["stored"], **row),
    ]


FULL = [
    event("note_refused", tool="memory_note", outcome="full"),
    used(outcome="error", codes=["full"], latency_ms=0),
]
DENIED = event(
    "tool_denied",
    tool="memory_note",
    mode="deny",
    outcome="denied",
    rule="deny",
    facts=FACTS,
)
INVENTED = event(
    "tool_denied",
    tool="unknown",
    mode="deny",
    outcome="denied",
    rule="unknown_tool",
    facts=NO_TOOL_FACTS,
)
OVERFLOW = event(
    "tool_denied",
    mode="deny",
    outcome="refused",
    rule="per_reply_budget",
    facts=NO_TOOL_FACTS,
    counts={"calls": 2},
)


def saved(number: int) -> Effect:
    return Effect(kind="saved", number=number)


def rehearsed(number: int) -> Effect:
    return Effect(kind="rehearsed", number=number)


def case(
    mode: Mode,
    form: str,
    asked: list[ToolCall],
    outcomes: str,
    events: list[Any],
    effects: list[Effect],
    *,
    notes: Sequence[str] = (),
    rehearsals: Sequence[str] = (),
) -> Any:
    return pytest.param(
        mode, asked, outcomes.split(), events, effects, list(notes), list(rehearsals),
        id=f"{mode}-{form}",
    )  # fmt: skip


FACTS_0_TO_2 = ["fact 0", "fact 1", "fact 2"]
FACTS_0_TO_7 = [f"fact {number}" for number in range(8)]
TEA = ["likes tea"]
BOTH = ["likes tea", "has a cat"]

MATRIX = [
    case("allow", "one", ONE, "ok", stored(1), [saved(1)], notes=TEA),
    case("allow", "alias", ALIAS, "ok", stored(1), [saved(1)], notes=TEA),
    case(
        "allow", "parallel", PARALLEL, "ok ok", stored(1) + stored(2), [saved(1), saved(2)],
        notes=BOTH,
    ),
    case(
        "allow", "overflow", TOO_MANY, "ok " * 3 + "error " * 5 + "refused " * 2,
        stored(1) + stored(2) + stored(3) + FULL * 5 + [OVERFLOW],
        [saved(1), saved(2), saved(3), IS_FULL, OVER], notes=FACTS_0_TO_2,
    ),
    case(
        "allow", "malformed", MALFORMED, "malformed",
        [used(outcome="error", codes=["malformed"])], [BADLY_MADE],
    ),
    case(
        "allow", "wrong arguments", WRONG, "error",
        [used(outcome="error", codes=["bad_arguments"])], [BADLY_MADE],
    ),
    case("allow", "unknown", UNKNOWN, "denied", [INVENTED], []),
    case("shadow", "one", ONE, "shadowed", kept(1), [rehearsed(1)], rehearsals=TEA),
    case("shadow", "alias", ALIAS, "shadowed", kept(1), [rehearsed(1)], rehearsals=TEA),
    case(
        "shadow", "parallel", PARALLEL, "shadowed shadowed", kept(1) + kept(2),
        [rehearsed(1), rehearsed(2)], rehearsals=BOTH,
    ),
    case(
        "shadow", "overflow", TOO_MANY, "shadowed " * 8 + "refused " * 2,
        [one for number in range(1, 9) for one in kept(number)] + [OVERFLOW],
        [*(rehearsed(number) for number in range(1, 9)), OVER], rehearsals=FACTS_0_TO_7,
    ),
    case(
        "shadow", "malformed", MALFORMED, "malformed",
        [shadowed(outcome="error", codes=["malformed"])], [BADLY_MADE],
    ),
    case(
        "shadow", "wrong arguments", WRONG, "error",
        [shadowed(outcome="error", codes=["bad_arguments"])], [BADLY_MADE],
    ),
    case("shadow", "unknown", UNKNOWN, "denied", [INVENTED], []),
    case("deny", "one", ONE, "denied", [DENIED], [NOT_PERMITTED]),
    case("deny", "alias", ALIAS, "denied", [DENIED], [NOT_PERMITTED]),
    case("deny", "parallel", PARALLEL, "denied denied", [DENIED, DENIED], [NOT_PERMITTED]),
    case(
        "deny", "overflow", TOO_MANY, "denied " * 8 + "refused " * 2,
        [DENIED] * 8 + [OVERFLOW], [NOT_PERMITTED, OVER],
    ),
    case("deny", "malformed", MALFORMED, "denied", [DENIED], [NOT_PERMITTED]),
    case("deny", "wrong arguments", WRONG, "denied", [DENIED], [NOT_PERMITTED]),
    case("deny", "unknown", UNKNOWN, "denied", [INVENTED], []),
]  # fmt: skip


@pytest.mark.proves("P2", "P3", "P13")
@pytest.mark.parametrize(
    ("mode", "asked", "outcomes", "events", "effects", "notes", "rehearsals"), MATRIX
)
async def test_a_call_leaves_exactly_what_its_mode_permits(
    tmp_path: Path,
    clock: FakeClock,
    mode: Mode,
    asked: list[ToolCall],
    outcomes: list[str],
    events: list[dict[str, Any]],
    effects: list[Effect],
    notes: list[str],
    rehearsals: list[str],
) -> None:
    async with open_desk(tmp_path, clock, modes={"memory_note": mode}) as desk:
        calls, journal = desk.begin()
        observations = await calls.run(asked)
        await flush(journal)
        assert [observation.outcome for observation in observations] == outcomes
        assert [observation.call for observation in observations] == asked
        assert await desk.events() == events
        assert list(calls.effects) == effects
        assert await desk.notes() == notes
        assert [kept.arguments["note"] for kept in await desk.rehearsals()] == rehearsals
