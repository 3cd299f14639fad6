"""Conversations with their sessions and turns, listed and forgotten; and receipts; for the operator."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brain.channels.http.asked import MARK
from brain.channels.http.bodies import limit_of, number_of, query_of
from brain.channels.http.ground import Ground, caller_of
from brain.channels.http.ports import TalkRow
from brain.channels.http.refusal import Refusal
from brain.channels.http.shapes import turn_shape
from brain.channels.shapes import forgetting_shape
from brain.clock import to_milliseconds, to_rfc3339
from brain.errors import NotFound

__all__ = ["forget_talk", "get_forgetting", "list_sessions", "list_talks", "list_turns"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MARK: Final = re.compile(MARK, re.ASCII)


async def list_talks(request: Request, ground: Ground) -> Response:
    """Return the conversations, the one with the newest turn first, or those behind `before`."""
    query_of(request, "limit", "before")
    before = _mark_in(request.query_params.get("before"))
    limit = limit_of(request)
    found = await ground.doors.talks(limit=limit + 1, before=before)
    talks = found[:limit]
    return JSONResponse(
        {
            "conversations": [
                {
                    "conversation_id": talk.conversation_id,
                    "channel": talk.channel,
                    "conversation": talk.conversation,
                    "sessions": talk.sessions,
                    "turns": talk.turns,
                    "last_at": to_rfc3339(talk.last_at) if talk.last_at else None,
                }
                for talk in talks
            ],
            "next": _mark_of(talks[-1]) if len(found) > limit else None,
        }
    )


def _mark_of(talk: TalkRow) -> str:
    """Return what names the place behind a conversation, also once that has a newer turn."""
    at = to_milliseconds(talk.last_at) if talk.last_at else 0
    return f"{at}~{talk.conversation_id}"


def _mark_in(text: str | None) -> tuple[datetime | None, str] | None:
    """Return the place that `before` names, None for none. Raises Refusal."""
    if text is None:
        return None
    found = _MARK.fullmatch(text)
    if found is None:
        told = "what an answer of this route gave as 'next'"
        raise Refusal(400, "wrong_parameter", told, path="before")
    at, conversation_id = found.groups()
    return (_EPOCH + timedelta(milliseconds=int(at)) if int(at) else None), conversation_id


async def list_sessions(request: Request, ground: Ground) -> Response:
    """Return the newest sessions of one conversation, oldest first, or those before `before`."""
    query_of(request, "limit", "before")
    conversation_id: str = request.path_params["conversation_id"]
    limit = limit_of(request)
    before = number_of(request.query_params.get("before"), "before")
    found = await ground.doors.sessions(conversation_id, limit=limit + 1, before=before)
    sessions = found[-limit:]
    return JSONResponse(
        {
            "conversation_id": conversation_id,
            "sessions": [
                {
                    "number": session.number,
                    "started_at": to_rfc3339(session.started_at),
                    "turns": session.turns,
                }
                for session in sessions
            ],
            "next": sessions[0].number if len(found) > limit else None,
        }
    )


async def list_turns(request: Request, ground: Ground) -> Response:
    """Return the newest turns of a session, by default the active one, oldest first; or earlier ones."""
    query_of(request, "session", "limit", "before")
    conversation_id: str = request.path_params["conversation_id"]
    limit = limit_of(request)
    number = number_of(request.query_params.get("session"), "session")
    before = number_of(request.query_params.get("before"), "before")
    session, found = await ground.doors.turns(
        conversation_id, number, limit=limit + 1, before=before
    )
    turns = found[-limit:]
    said = {turn.exchange_id for turn in turns if turn.role == "user"}
    states = await ground.doors.message_states(sorted(said))
    return JSONResponse(
        {
            "conversation_id": conversation_id,
            "session": session,
            "turns": [turn_shape(turn, states.get(turn.exchange_id)) for turn in turns],
            "next": turns[0].turn_id if len(found) > limit else None,
        }
    )


async def forget_talk(request: Request, ground: Ground) -> Response:
    """Forget one conversation: its sessions, turns, notes and rehearsals; the files are cleaned next."""
    query_of(request)
    conversation_id: str = request.path_params["conversation_id"]
    gone = await ground.doors.desk(caller_of(request).name).forget_talk(conversation_id)
    return JSONResponse(
        {
            "forgotten": dict(gone.counts),
            "kept_notes": gone.kept_notes,
            "forgetting_id": gone.forgetting_id,
        }
    )


async def get_forgetting(request: Request, ground: Ground) -> Response:
    """Return what came of a forgetting; its receipt is null while the files are being cleaned."""
    query_of(request)
    forgetting_id: str = request.path_params["forgetting_id"]
    found = await ground.doors.desk(caller_of(request).name).forgetting(forgetting_id)
    if found is None:
        raise NotFound("there is no such forgetting")
    return JSONResponse(forgetting_shape(found))
