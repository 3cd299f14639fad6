"""The routes, and what stands around them."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brain.channels.http.access import Caller
from brain.channels.http.activity import activity
from brain.channels.http.bodies import query_of
from brain.channels.http.boxes import (
    add_note,
    clear_notes,
    discard_rehearsal,
    drop_note,
    list_notes,
    list_rehearsals,
    promote_rehearsal,
)
from brain.channels.http.gates import Gates
from brain.channels.http.ground import Ground, brain_of, operator_only
from brain.channels.http.messages import messages
from brain.channels.http.metrics import metrics
from brain.channels.http.openai import complete, get_model, list_models, routed_brains
from brain.channels.http.openapi import openapi_document
from brain.channels.http.refusal import Refusal, refusal_response
from brain.channels.http.settings import get_config, put_config, replay_config
from brain.channels.http.sign_in import give_code, redeem_code, sign_out
from brain.channels.http.talks import (
    forget_talk,
    get_forgetting,
    list_sessions,
    list_talks,
    list_turns,
)
from brain.channels.http.webhooks import WebhookRoute, take_message
from brain.errors import BrainError, NotFound, StoreError, UsageError
from brain.log import get_log

__all__ = ["build_app"]

PAGE: Final = Path(__file__).parent / "page"

Answer = Callable[[Request, Ground], Awaitable[Response]]


async def _healthz(request: Request, ground: Ground) -> Response:  # noqa: ARG001 - a route
    """Say that the server runs."""
    return JSONResponse({"status": "alive"})


async def _readyz(request: Request, ground: Ground) -> Response:
    """Return how store, models and config stand; 503 where messages can't be answered."""
    query_of(request)
    told = await ground.doors.ready()
    return JSONResponse(told, status_code=200 if told["status"] == "ready" else 503)


async def _brains(request: Request, ground: Ground) -> Response:
    """Return the brains with their channels, models and proofs."""
    query_of(request)
    return JSONResponse({"brains": list(await ground.doors.brains())})


async def _tools(request: Request, ground: Ground) -> Response:
    """Return what is decided about each tool on each channel, and why."""
    query_of(request)
    brain = brain_of(request, ground)
    return JSONResponse({"brain": brain, "tools": list(ground.doors.tools(brain))})


async def _page(request: Request, ground: Ground) -> Response:  # noqa: ARG001 - a route
    """Return the page."""
    return FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})


async def _openapi(request: Request, ground: Ground) -> Response:
    """Return the routes for programs."""
    query_of(request)
    routes = [
        (method, path, (answer.__doc__ or "").partition("\n")[0])
        for method, path, answer in (*FOR_EVERYONE, *FOR_OPERATOR)
    ]
    config = ground.doors.config
    return JSONResponse(
        openapi_document(
            routes,
            without_token=OPEN,
            channels=config.channels,
            brains=routed_brains(config),
        )
    )


OPEN: Final = {
    ("GET", "/healthz"),
    ("HEAD", "/healthz"),
    ("GET", "/"),
    ("HEAD", "/"),
    ("POST", "/v1/sign-in/redeem"),
}
PAGE_FOLDER: Final = "/page/"
NOTES: Final = "/v1/brains/{brain}/notes"
REHEARSALS: Final = "/v1/brains/{brain}/rehearsals"

FOR_EVERYONE: Final[tuple[tuple[str, str, Answer], ...]] = (
    ("GET", "/", _page),
    ("GET", "/healthz", _healthz),
    ("GET", "/openapi.json", _openapi),
    ("POST", "/v1/messages", messages),
    ("POST", "/v1/chat/completions", complete),
    ("GET", "/v1/models", list_models),
    ("GET", "/v1/models/{model}", get_model),
    ("POST", "/v1/sign-in/redeem", redeem_code),
    ("GET", NOTES, list_notes),
)
"""Method, path and what answers; who may do what is decided there."""

FOR_OPERATOR: Final[tuple[tuple[str, str, Answer], ...]] = (
    ("GET", "/readyz", _readyz),
    ("GET", "/v1/activity", activity),
    ("GET", "/metrics", metrics),
    ("GET", "/v1/brains", _brains),
    ("GET", "/v1/brains/{brain}/tools", _tools),
    ("POST", NOTES, add_note),
    ("DELETE", NOTES, clear_notes),
    ("DELETE", NOTES + "/{number:int}", drop_note),
    ("GET", REHEARSALS, list_rehearsals),
    ("POST", REHEARSALS + "/{number:int}/promote", promote_rehearsal),
    ("DELETE", REHEARSALS + "/{number:int}", discard_rehearsal),
    ("GET", "/v1/conversations", list_talks),
    ("GET", "/v1/conversations/{conversation_id}", list_sessions),
    ("DELETE", "/v1/conversations/{conversation_id}", forget_talk),
    ("GET", "/v1/conversations/{conversation_id}/turns", list_turns),
    ("GET", "/v1/forgettings/{forgetting_id}", get_forgetting),
    ("GET", "/v1/config", get_config),
    ("PUT", "/v1/config", put_config),
    ("POST", "/v1/config/replay", replay_config),
    ("POST", "/v1/sign-in", give_code),
    ("DELETE", "/v1/sign-in", sign_out),
)


def build_app(ground: Ground) -> ASGIApp:
    """Return the whole application."""
    answers: dict[str, dict[str, Answer]] = {}
    for method, path, answer in FOR_EVERYONE:
        answers.setdefault(path, {})[method] = answer
    for method, path, answer in FOR_OPERATOR:
        answers.setdefault(path, {})[method] = _guarded(answer)

    async def webhook(request: Request) -> Response:
        return await take_message(request, ground)

    app = Starlette(
        routes=[
            *(_route(path, by_method, ground) for path, by_method in answers.items()),
            WebhookRoute(webhook, config=lambda: ground.doors.config),
            Mount("/page", StaticFiles(directory=PAGE)),
        ],
        exception_handlers={
            Refusal: _tell_refusal,
            HTTPException: _tell_http,
            BrainError: _tell_error,
        },
    )
    app.router.redirect_slashes = False  # one path each: an answer without a body tells nothing
    gates = Gates(
        app,
        access=ground.access,
        allowed_hosts=lambda: ground.doors.config.server.allowed_hosts,
        slowness=ground.slowness,
        open_paths=OPEN,
        open_folders=(PAGE_FOLDER,),
    )
    return _Boundary(gates)


def _route(path: str, answers: Mapping[str, Answer], ground: Ground) -> Route:
    """Return the one route of a path: who asks with another method is told of all there are."""

    async def endpoint(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await answers[method](request, ground)

    return Route(path, endpoint, methods=list(answers))


def _guarded(answer: Answer) -> Answer:
    async def guarded(request: Request, ground: Ground) -> Response:
        operator_only(request)
        return await answer(request, ground)

    return guarded


def _tell_refusal(_: Request, error: Exception) -> Response:
    if not isinstance(error, Refusal):
        raise TypeError("a refusal was expected")
    return refusal_response(error)


_HTTP_WORDS: Final[Mapping[int, tuple[str, str]]] = {
    404: ("not_found", "there is nothing here"),
    405: ("wrong_method", "this method is not for this path"),
}


def _tell_http(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise TypeError("an HTTP exception was expected")
    code, message = _HTTP_WORDS.get(error.status_code, ("refused", "this can't be done"))
    return refusal_response(Refusal(error.status_code, code, message, headers=error.headers or {}))


def _tell_error(request: Request, error: Exception) -> Response:
    """Tell a failure that brain names, in words that the caller may read; the log has all of them."""
    if not isinstance(error, BrainError):
        raise TypeError("an error of brain was expected")
    match error:
        case NotFound():
            status, code = 404, "not_found"
        case UsageError():
            status, code = 400, "cannot_be_done"
        case StoreError():
            status, code = 503, "store_failed"
        case _:
            status, code = 500, "failed"
    caller = request.scope.get("caller")
    is_operator = isinstance(caller, Caller) and caller.is_operator
    if not is_operator or isinstance(error, StoreError):
        get_log("http").error("request_failed", code=code, error=error.message)
    return refusal_response(Refusal(status, code, error.told(is_operator=is_operator)))


class _Boundary:
    """Whatever fails behind it becomes one honest sentence, and a traceback in the log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        has_begun = False

        async def send_seen(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_seen)
        except asyncio.CancelledError:
            if not has_begun:
                why = "brain is being stopped; what had come of an answer is in its talk"
                await refusal_response(Refusal(503, "stopping", why))(scope, receive, send)
            raise
        except Exception:
            get_log("http").exception("request_failed", method=scope["method"])
            if not has_begun:
                failed = Refusal(500, "internal", "something went wrong inside brain")
                await refusal_response(failed)(scope, receive, send)
