"""All that can be seen of an exchange whose model emits some form, and what it should be."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from brain.models import Capabilities
from brain.records import Effect, Message, Reply, ToolCall
from tests.agent.world import NATIVE, TEXT, ToldModel, World, open_world, says
from tests.clocks import FakeClock

FREE = replace(TEXT, constrained=False)
ASKED = "remember that I like tea"
SAVED = (Effect(kind="saved", number=1),)
MALFORMED = (Effect(kind="refused", reason="the call was malformed"),)
STORED = [("note_stored", "memory_note", "model"), ("tool_used", "memory_note", "ok")]
FAILED = [("tool_used", "memory_note", "error")]
UNKNOWN = [("tool_denied", "unknown", "malformed")]
EMPTY = "scripted/first gave an empty answer. Your message is kept.\nAsk again in other words."
NOT_JSON = "the call is not valid JSON; nothing was run"
NOT_ONE = "the arguments of the call must be one JSON object"
NOT_AN_ANSWER = "the answer was not one whole JSON object; answer again with one, as shown"
NO_OBJECT = "the arguments were not one JSON object"
SEVERAL = "there were several calls in one answer; ask for one and wait for its result"

NATIVE_CALL = '{"name": "memory_note", "arguments": {"note": "Likes tea"}}'
LANE_CALL = '{"do": "memory_note", "note": "Likes tea"}'
LANES = {"native": NATIVE, "text": TEXT, "free": FREE}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """All that can be seen of an exchange."""

    shown: str
    reply: str
    failed: str = ""
    truth: str = ""
    effects: tuple[Effect, ...] = ()
    notes: tuple[str, ...] = ()
    events: list[tuple[str, str, str]]
    rode: list[Message] | None = None
    """What the second request holds behind the user's message; None: there was none."""


async def outcome(folder: Path, capabilities: Capabilities, *answers: Any) -> Outcome:
    """`answers`, and then one that says `Done.`, to a request to remember something."""
    is_held = capabilities.constrained and not capabilities.tools
    done = '{"do": "reply", "reply": "Done."}' if is_held else "Done."
    model = ToldModel(*answers, says(done), capabilities=capabilities)
    async with open_world(folder, FakeClock(), model) as world:
        reply = await world.say(ASKED)
        return await _seen(world, reply)


async def _seen(world: World, reply: Reply) -> Outcome:
    quiet = ("message_received", "model_called", "reply_sent", "exchange_failed")
    rode = None
    if len(world.model.requests) > 1:
        messages = list(world.model.requests[1].messages)
        said = messages.index(Message(role="user", text=ASKED))
        rode = messages[said + 1 :]
    lines = [text for role, text in await world.lines() if role == "assistant"]
    shown = "".join(world.shown)
    cut = "…" if reply.outcome == "failed" else ""
    assert lines == ([shown + cut] if shown else [])
    assert reply.text == shown or reply.outcome == "failed"
    return Outcome(
        shown=shown,
        reply=reply.text,
        failed=reply.code,
        truth=reply.truth,
        effects=reply.effects,
        notes=tuple(note.text for note in await world.notes()),
        events=[
            (str(row["type"]), str(row["tool"]), str(row["outcome"]))
            for row in await world.events()
            if row["type"] not in quiet
        ],
        rode=rode,
    )


def native(
    *observed: str,
    name: str = "memory_note",
    malformed: str = "",
    notes: tuple[str, ...] = (),
    talk: str = "",
) -> list[Message]:
    """What rides on the native lane: the talk, the calls, and an observation for each."""
    ids = ["call-1", *(f"call-1-{n}" for n in range(2, len(observed) + 1))]
    made = tuple(
        ToolCall(id=one, name=name, arguments={"note": note} if note else {}, malformed=malformed)
        for one, note in zip(ids, notes or ("",) * len(ids), strict=True)
    )
    told = [
        Message(role="tool", text=text, call_id=one, tool_name=name)
        for one, text in zip(ids, observed, strict=True)
    ]
    return [Message(role="assistant", text=talk, calls=made), *told]


def lane(why: str, *, name: str = "memory_note", talk: str = "") -> list[Message]:
    """What rides on the text lane of a call that could not be read; `talk` where it is free."""
    told = f"[Result of {name}, not the user's words] The call failed: {why}."
    return [
        Message(role="assistant", text=f'{talk}{{"do": "{name}"}}'),
        Message(role="user", text=told),
    ]


def taken(which: str, *, name: str = "memory_note", talk: str = "") -> Outcome:
    """The call ran: on a text lane the runtime answers itself, and the model is not asked again."""
    rode = None
    said = "I saved that as note 1."
    if which == "native":
        rode = native("Stored as note 1.", name=name, notes=("Likes tea",), talk=talk)
        said = "Done."
    said = f"{talk}\n\n{said}" if talk else said
    notes = ("Likes tea",)
    return Outcome(shown=said, reply=said, effects=SAVED, notes=notes, events=STORED, rode=rode)


def told(
    which: str, why: str, lane_why: str = NOT_AN_ANSWER, *, name: str = "", talk: str = ""
) -> Outcome:
    """Nothing ran, nothing of it was shown, and the model was told once."""
    is_known = name != "unknown"
    name = name or "memory_note"
    rode = (
        native(f"The call failed: {why}.", name=name, malformed=why, talk=talk)
        if which == "native"
        else lane(lane_why, name=name, talk=f"{talk}\n" if talk and which == "free" else "")
    )
    said = f"{talk}\n\nDone." if talk else "Done."
    return Outcome(
        shown=said,
        reply=said,
        truth="" if is_known else "nothing was saved",
        effects=MALFORMED if is_known else (),
        events=FAILED if is_known else UNKNOWN,
        rode=rode,
    )


def plain(text: str) -> Outcome:
    """It is an answer, shown and stored as it is, and what was asked for was not done."""
    return Outcome(shown=text, reply=text, truth="nothing was saved", events=[])


def empty() -> Outcome:
    return Outcome(shown="", reply=EMPTY, failed="empty_reply", events=[])


def both(text: str) -> list[tuple[str, list[Any]]]:
    return [("whole", says(text)), ("split", says(*text))]


async def expect(folder: Path, which: str, text: str, expected: Outcome) -> None:
    for how, answer in both(text):
        assert await outcome(folder / how, LANES[which], answer) == expected, how
