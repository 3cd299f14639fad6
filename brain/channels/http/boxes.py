"""Notes and rehearsals, by the rules of the commands: the operator judges, a talk sees its own box."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brain.channels.http.access import talk_of
from brain.channels.http.bodies import NAME_RUNES, name_in, query_of, read_fields
from brain.channels.http.ground import Ground, brain_of, caller_of, operator_only
from brain.channels.http.messages import channel_of
from brain.channels.http.ports import BoxDiff, BoxView, Called, Desk, DiffLine
from brain.channels.http.refusal import Refusal
from brain.channels.http.shapes import box_shape
from brain.channels.shapes import effect_shape, note_shape, rehearsal_shape
from brain.records import JSONValue

__all__ = [
    "add_note",
    "clear_notes",
    "discard_rehearsal",
    "drop_note",
    "list_notes",
    "list_rehearsals",
    "promote_rehearsal",
]

MAIN = "main"
NOTE_RUNES: Final = 20_000
"""What is looked at at all: ten times the longest note that a config can allow."""


async def list_notes(request: Request, ground: Ground) -> Response:
    """Return the box, as much of it as is the caller's to see."""
    desk, place = _place(request, ground)
    view = await desk.view(place, is_operator=caller_of(request).is_operator)
    if not view.may_be_seen:
        operator_only(request)
    return JSONResponse(
        {
            "box": box_shape(view.box),
            "max_notes": view.max_notes,
            "notes": [note_shape(note) for note in view.notes],
            "not_shown": view.not_shown,
            "rehearsals": len(view.rehearsals),
        }
    )


async def add_note(request: Request, ground: Ground) -> Response:
    """Store a note of the operator's own."""
    desk, place = _place(request, ground)
    fields = await read_fields(request)
    text = fields.text("text", at_most=NOTE_RUNES, is_required=True)
    fields.end()
    return _told(await desk.add(place, text))


async def drop_note(request: Request, ground: Ground) -> Response:
    """Drop one note."""
    desk, place = _place(request, ground)
    gone = await desk.forget_note(place, _number(request))
    note = note_shape(gone.note) if gone.note is not None else None
    return JSONResponse({"dropped": note, "forgetting_id": gone.forgetting_id})


async def clear_notes(request: Request, ground: Ground) -> Response:
    """Empty the box and its rehearsals."""
    desk, place = _place(request, ground)
    gone = await desk.forget_box(place)
    counts = {name: gone.counts.get(name, 0) for name in ("notes", "rehearsals")}
    return JSONResponse({**counts, "forgetting_id": gone.forgetting_id})


async def list_rehearsals(request: Request, ground: Ground) -> Response:
    """Return what was only rehearsed, and what the box would be."""
    desk, place = _place(request, ground)
    view: BoxView = await desk.view(place, is_operator=operator_only(request).is_operator)
    diff: BoxDiff = await desk.diff(place)
    return JSONResponse(
        {
            "box": box_shape(view.box),
            "max_notes": view.max_notes,
            "rehearsals": [rehearsal_shape(each) for each in view.rehearsals],
            "diff": {
                "as_it_is": [_line(each) for each in diff.as_it_is],
                "would_be": [_line(each) for each in diff.would_be],
                "refused": [_line(each) for each in diff.refused],
                "other_tools": diff.other_tools,
            },
        }
    )


async def promote_rehearsal(request: Request, ground: Ground) -> Response:
    """Store what a rehearsal held: a new decision and a new write."""
    desk, place = _place(request, ground)
    return _told(await desk.promote(place, _number(request)))


async def discard_rehearsal(request: Request, ground: Ground) -> Response:
    """Discard one rehearsal."""
    desk, place = _place(request, ground)
    gone = await desk.discard(place, [_number(request)])
    return JSONResponse({"dropped": [each.number for each in gone]})


def _place(request: Request, ground: Ground) -> tuple[Desk, Any]:
    """Return the desk and the place that the path, the query or a header mean. Raises Refusal."""
    caller, config = caller_of(request), ground.doors.config
    brain = brain_of(request, ground)
    query = query_of(request, "channel", "conversation")
    headers = [name_in(request, name) for name in config.server.conversation_headers]
    conversation = query["conversation"] or next(filter(None, headers), "") or MAIN
    if len(conversation) > NAME_RUNES:
        raise Refusal(
            400, "wrong_parameter", f"at most {NAME_RUNES} characters", path="conversation"
        )
    channel = query["channel"]
    if channel and channel not in {each.name for each in config.channels}:
        raise Refusal(404, "unknown_channel", "there is no such channel", path="channel")
    if not caller.is_operator:
        channel = channel_of(config, brain=brain, channel=channel).name
    desk = ground.doors.desk(caller.name)
    place = desk.place(brain=brain, channel=channel, conversation=talk_of(caller, conversation))
    return desk, place


def _told(called: Called) -> Response:
    """Return what came of it. Raises Refusal where nothing was stored."""
    if called.observation.outcome == "denied":
        raise Refusal(
            403, "denied", f"the policy refused it (rule {called.rule}); nothing was stored"
        )
    if called.effect is None or called.effect.kind == "refused":
        told = called.effect.line if called.effect else called.observation.text
        raise Refusal(409, "not_stored", told)
    is_new = called.effect.kind == "saved"
    return JSONResponse({"effect": effect_shape(called.effect)}, status_code=201 if is_new else 200)


def _line(line: DiffLine) -> JSONValue:
    return {"state": line.state, "number": line.number, "text": line.text}


def _number(request: Request) -> int:
    number: int = request.path_params["number"]
    return number
