"""Each mode, met on each lane by each form of a call, through the loop: exactly what it leaves.

A denied tool is not announced, so that JSON which names it is an answer, unless it has the form that
the lane taught or the tag of a call: that is denied, before anybody looks at its arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import pytest

from brain.config import Grant
from brain.models import CallDelta
from brain.records import Mode, ToolCall
from tests.agent.forms import ASKED, LANE_CALL, LANES, NATIVE_CALL
from tests.agent.world import AGENT, DONE, ToldModel, World, calls, open_world, says
from tests.clocks import FakeClock

Event = tuple[Any, ...]
"""Type, tool, mode, outcome and rule."""


@dataclass(frozen=True, kw_only=True)
class Left:
    """What an exchange leaves in the store beside its turns, and on record beside its own events."""

    notes: tuple[str, ...] = ()
    rehearsals: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()


FAILED = {
    "allow": ("tool_used", "memory_note", "allow", "error", "allow"),
    "shadow": ("tool_shadowed", "memory_note", "shadow", "error", "shadow"),
}
DENIED = ("tool_denied", "memory_note", "deny", "denied", "deny")
INVENTED = ("tool_denied", "unknown", "deny", "denied", "unknown_tool")
OVER = ("tool_denied", None, "deny", "refused", "per_reply_budget")
STORED = (
    ("note_stored", "memory_note", None, "model", None),
    ("tool_used", "memory_note", "allow", "ok", "allow"),
)
KEPT = (
    ("rehearsal_kept", "memory_note", None, "rehearsed", None),
    ("tool_shadowed", "memory_note", "shadow", "ok", "shadow"),
)

ANSWER = Left()
"""It was taken for an answer: no call, no event, and nothing is stored."""


def ran(mode: Mode, *notes: str) -> Left:
    """So many notes were asked for, and had what the mode has for them."""
    if mode == "allow":
        return Left(notes=notes, effects=("saved",) * len(notes), events=STORED * len(notes))
    if mode == "shadow":
        kept = ("rehearsed",) * len(notes)
        return Left(rehearsals=notes, effects=kept, events=KEPT * len(notes))
    return Left(effects=("refused",), events=(DENIED,) * len(notes))


def misread(mode: Mode, in_deny: Left) -> Left:
    """A call could not be read: told to the model where the tool is announced."""
    return in_deny if mode == "deny" else Left(effects=("refused",), events=(FAILED[mode],))


def over(mode: Mode, left: Left) -> Left:
    return replace(left, effects=(*left.effects, "refused"), events=(*left.events, OVER))


def expected(mode: Mode, which: str, form: str) -> Left:  # noqa: PLR0911 - one a form
    """Return what is left of a form on a lane: one line a form."""
    is_native = which == "native"
    unannounced = mode == "deny" and is_native
    one, two = ran(mode, "Likes tea"), ran(mode, "Likes tea", "Lives in Hue")
    match form:
        case "bare" | "a fence":
            return ANSWER if unannounced else one
        case "a tag" | "native":
            return one
        case "arguments in a string":
            return ANSWER if mode == "deny" else one
        case "Python" | "malformed":
            return misread(mode, ANSWER)
        case "two in one answer" if is_native:
            return ANSWER if mode == "deny" else two
        case "two in one answer":
            return misread(mode, ran("deny", "one is told of"))
        case "unknown":
            return ANSWER if is_native else Left(events=(INVENTED,))
        case "native, parallel":
            return two
        case "native, too many":
            return over(mode, ran(mode, *(f"fact {number}" for number in range(8))))
        case "native, malformed":
            return misread(mode, ran("deny", "its arguments are not looked at"))
        case "native, unknown":
            return Left(events=(INVENTED,))
    raise LookupError(form)


WRITTEN = {
    "bare": "{1}",
    "a fence": "```json\n{1}\n```",
    "a tag": "<tool_call>{1}</tool_call>",
    "arguments in a string": '{"name": "memory_note", "arguments": "{\\"note\\": \\"Likes tea\\"}"}',
    "Python": 'memory_note(note="Likes tea")',
    "malformed": '{"name": "memory_note", "arguments": {"note": "a",}}',
    "two in one answer": "{1}\n{2}",
    "unknown": "{unknown}",
}


def noting(*notes: str) -> list[Any]:
    made = [
        ToolCall(id=f"c{number}", name="memory_note", arguments={"note": note})
        for number, note in enumerate(notes)
    ]
    return [*(CallDelta(call=call) for call in made), DONE]


NATIVE_ONLY = {
    "native": noting("Likes tea"),
    "native, parallel": noting("Likes tea", "Lives in Hue"),
    "native, too many": noting(*(f"fact {number}" for number in range(10))),
    "native, malformed": [
        CallDelta(call=ToolCall(id="c", name="memory_note", malformed="they hold two objects")),
        DONE,
    ],
    "native, unknown": calls("remember_as_canary", note="Likes tea"),
}


def answer(which: str, form: str) -> Sequence[Any]:
    if form in NATIVE_ONLY:
        return NATIVE_ONLY[form]
    call = NATIVE_CALL if which == "native" else LANE_CALL
    text = WRITTEN[form].replace("{1}", call)
    text = text.replace("{2}", call.replace("Likes tea", "Lives in Hue"))
    return says(text.replace("{unknown}", call.replace("memory_note", "remember_as_canary")))


async def left_by(world: World) -> Left:
    quiet = ("message_received", "model_called", "reply_sent")
    reply = await world.say(ASKED)
    rehearsals = await world.store.read(
        lambda rows: rows.rehearsals(world.box(), now=world.clock.now())
    )
    return Left(
        notes=tuple(note.text for note in await world.notes()),
        rehearsals=tuple(str(kept.arguments["note"]) for kept in rehearsals),
        effects=tuple(effect.kind for effect in reply.effects),
        events=tuple(
            tuple(row[name] for name in ("type", "tool", "mode", "outcome", "rule"))
            for row in await world.events()
            if row["type"] not in quiet
        ),
    )


@pytest.mark.proves("P2", "P3")
@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize(
    ("which", "form"),
    [(which, form) for which in LANES for form in WRITTEN]
    + [("native", form) for form in NATIVE_ONLY],
)
async def test_a_form_of_a_call_leaves_on_its_lane_exactly_what_its_mode_permits(
    tmp_path: Path, mode: Mode, which: str, form: str
) -> None:
    is_held = which == "text"
    done = says('{"do": "reply", "reply": "Done."}' if is_held else "Done.")
    model = ToldModel(answer(which, form), done, capabilities=LANES[which])
    grants = (Grant(tool="time", mode="allow"), Grant(tool="memory_note", mode=mode))
    agent = replace(AGENT, governance=grants)
    async with open_world(tmp_path, FakeClock(), model, agent=agent) as world:
        assert await left_by(world) == expected(mode, which, form)
