"""Conversations with their sessions and turns, listed and forgotten; and receipts; for the operator."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brain.channels.http.bodies import limit_of, number_of, query_of
from brain.channels.http.ground import Ground, caller_of
from brain.channels.http.shapes import turn_shape
from brain.channels.shapes import forgetting_shape
from brain.clock import to_rfc3339
from brain.errors import NotFound

__all__ = ["forget_talk", "get_forgetting", "list_sessions", "list_talks", "list_turns"]


async def list_talks(request: Request, ground: Ground) -> Response:
    """Return the conversations, the one with the newest turn first."""
    query_of(request, "limit")
    limit = limit_of(request)
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
                for talk in await ground.doors.talks(limit=limit)
            ]
        }
    )


async def list_sessions(request: Request, ground: Ground) -> Response:
    """Return the sessions of one conversation."""
    query_of(request)
    conversation_id: str = request.path_params["conversation_id"]
    return JSONResponse(
        {
            "conversation_id": conversation_id,
            "sessions": [
                {
                    "number": session.number,
                    "started_at": to_rfc3339(session.started_at),
                    "turns": session.turns,
                }
                for session in await ground.doors.sessions(conversation_id)
            ],
        }
    )


async def list_turns(request: Request, ground: Ground) -> Response:
    """Return the newest turns of a session, by default the active one; oldest first."""
    query_of(request, "session", "limit")
    conversation_id: str = request.path_params["conversation_id"]
    limit = limit_of(request)
    number = number_of(request.query_params.get("session"), "session")
    if number is None:
        number = (await ground.doors.sessions(conversation_id))[-1].number
    turns = await ground.doors.turns(conversation_id, number, limit=limit)
    said = {turn.exchange_id for turn in turns if turn.role == "user"}
    states = await ground.doors.message_states(sorted(said))
    return JSONResponse(
        {
            "conversation_id": conversation_id,
            "session": number,
            "turns": [turn_shape(turn, states.get(turn.exchange_id)) for turn in turns],
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
