"""What every route stands on."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import Request

from brain.channels.http.access import Access, Caller
from brain.channels.http.ports import Doors
from brain.channels.http.refusal import Refusal
from brain.channels.http.slowness import Slowness
from brain.clock import Clock

if TYPE_CHECKING:  # they stand on the ground themselves
    from brain.channels.http.activity import Frames
    from brain.channels.http.metrics import Metrics
    from brain.channels.http.sign_in import SignIns

__all__ = ["Ground", "brain_of", "caller_of", "operator_only", "token_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The brain's doors, the clock, what is set when the server stops, and what all routes share."""

    doors: Doors
    access: Access
    clock: Clock
    stopping: asyncio.Event
    slowness: Slowness
    sign_ins: "SignIns"
    metrics: "Metrics"
    frames: "Frames"


def caller_of(request: Request) -> Caller:
    """Return who asks; every request that reaches a guarded route has a caller."""
    caller = request.scope.get("caller")
    if not isinstance(caller, Caller):
        raise Refusal(401, "no_token", "show a token: Authorization: Bearer …")
    return caller


def operator_only(request: Request) -> Caller:
    """Return the caller. Raises Refusal where it is not the operator."""
    caller = caller_of(request)
    if not caller.is_operator:
        raise Refusal(403, "operator_only", "this needs the operator's token")
    return caller


def token_of(request: Request) -> str:
    """Return the token that was shown, empty where none was."""
    return request.headers.get("authorization", "").partition(" ")[2].strip()


def brain_of(request: Request, ground: Ground) -> str:
    """Return the brain that the path names. Raises Refusal where there is none."""
    name: str = request.path_params["brain"]
    if name not in {brain.name for brain in ground.doors.config.brains}:
        raise Refusal(404, "unknown_brain", "there is no such brain")
    return name
